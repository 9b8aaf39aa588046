"""`/setup`: the page that has GitHub create the App, and the one that takes its credentials.

Only there while somebody runs the setup, and only for who has the key in the printed address: on a public
address anybody else could put an App of his own in.
"""

from __future__ import annotations

import asyncio
import html
import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from app.errors import BratError
from app.service.conversion import convert
from app.service.manifest import manifest, new_app_url, web_url
from app.service.server import Server
from app.service.stopping import on_signals
from app.settings import AppFile, ServiceSettings, store_app

__all__ = ["Setup", "install_url", "run_setup"]

_STATES = 16
"""Pages that may be open at once; an older one has to be opened again."""

_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width"><title>brat</title>
<body style="font: 1.1rem/1.5 system-ui; max-width: 36rem; margin: 3rem auto; padding: 0 1rem">
{}</body></html>"""


@dataclass(slots=True)
class Setup:
    """One run of GitHub's manifest flow. `created` holds the App when it is stored."""

    settings: ServiceSettings
    base: Callable[[], str]
    org: str | None = None
    key: str = field(default_factory=lambda: secrets.token_urlsafe(18))
    created: AppFile | None = None
    done: asyncio.Event = field(default_factory=asyncio.Event)
    _states: list[str] = field(default_factory=list)

    @property
    def address(self) -> str:
        """What to open in a browser."""
        return f"{self.base()}/setup?key={self.key}"

    def app(self) -> Starlette:
        """The two pages, and a sign of life for probes."""
        return Starlette(
            routes=[
                Route("/setup", self.begin, methods=["GET"]),
                Route("/setup/created", self.finish, methods=["GET"]),
                Route("/healthz", lambda _: PlainTextResponse("ok\n"), methods=["GET"]),
            ]
        )

    async def begin(self, request: Request) -> Response:
        """A form that sends the manifest to GitHub, where a person says yes."""
        if not secrets.compare_digest(request.query_params.get("key", "").encode(), self.key.encode()):
            return _page("<p>This page wants the whole address that was printed.</p>", 403)
        state = secrets.token_urlsafe(24)
        self._states = [*self._states, state][-_STATES:]
        asked = manifest(
            public_url=self.settings.public_url, redirect_url=f"{self.base()}/setup/created", org=self.org
        )
        target = new_app_url(self.settings.api_url, state=state, org=self.org)
        return _page(_form(target, json.dumps(asked)), 200, form=web_url(self.settings.api_url))

    async def finish(self, request: Request) -> Response:
        """GitHub sends the browser here; a state counts once."""
        state = request.query_params.get("state", "")
        known = [each for each in self._states if secrets.compare_digest(each.encode(), state.encode())]
        if not known:
            return _page("<p>This answer belongs to no page of this setup. Open /setup again.</p>", 403)
        self._states.remove(known[0])
        try:
            app = await convert(self.settings.api_url, request.query_params.get("code", ""))
            await asyncio.to_thread(store_app, self.settings.data_dir, app)
        except BratError as error:
            return _page(f"<p>{html.escape(error.reason)}</p><p>{html.escape(error.remedy or '')}</p>", 502)
        self.created = app
        self.done.set()
        return _page(_created(app), 200)


def run_setup(settings: ServiceSettings, *, org: str | None, tell: Callable[[str], None]) -> AppFile | None:
    """Serve the pages until the App is stored, or a signal comes (None). `tell` is told what to open."""
    return asyncio.run(_run(settings, org, tell))


def install_url(app: AppFile) -> str:
    """Where the App is given repositories."""
    return f"{app.html_url}/installations/new"


async def _run(settings: ServiceSettings, org: str | None, tell: Callable[[str], None]) -> AppFile | None:
    setup = Setup(settings, lambda: settings.public_url or _reachable(server), org)
    server = Server(setup.app(), host=settings.host, port=settings.port)
    on_signals(setup.done.set)
    serving = asyncio.create_task(server.listen())
    await server.ready(serving)
    if server.started:
        tell(f"Open this address in a browser to create the App:\n\n  {setup.address}\n")
        finished = asyncio.create_task(setup.done.wait())
        await asyncio.wait({serving, finished}, return_when=asyncio.FIRST_COMPLETED)
        server.stop()
    await serving
    if setup.created is not None:
        tell(f"The App is stored in {settings.data_dir}. Now install it:\n\n  {install_url(setup.created)}\n")
    return setup.created


def _reachable(server: Server) -> str:
    """An address that a browser on this machine can open."""
    return server.address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")


def _form(target: str, asked: str) -> str:
    return (
        "<h1>Create the brat App</h1><p>GitHub shows what the App may do, and creates it when you say so. "
        "Its key then comes to this machine and nowhere else.</p>"
        f'<form action="{html.escape(target)}" method="post">'
        f'<input type="hidden" name="manifest" value="{html.escape(asked)}">'
        '<button style="font: inherit; padding: .5rem 1rem">Go to GitHub</button></form>'
    )


def _created(app: AppFile) -> str:
    link = html.escape(install_url(app))
    return (
        f"<h1>The App {html.escape(app.slug)} is there</h1><p>Its credentials are stored.</p>"
        f'<p><a href="{link}">Install it on repositories</a>, then go back to the terminal.</p>'
    )


def _page(body: str, status: int, *, form: str = "'none'") -> HTMLResponse:
    headers = {
        "cache-control": "no-store",
        "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; "
        f"form-action {form}; frame-ancestors 'none'; base-uri 'none'",
        "x-content-type-options": "nosniff",
    }
    return HTMLResponse(_PAGE.format(body), status, headers)
