"""GitHub's manifest flow, with a GitHub that answers over real HTTP."""

from __future__ import annotations

import asyncio
import html
import json
import re
import stat
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from app.service import Server, Setup
from app.settings import load_app
from tests.service.scene import settings_for

APP = {
    "id": 17,
    "slug": "brat",
    "pem": "-----BEGIN RSA PRIVATE KEY-----\nkept\n-----END RSA PRIVATE KEY-----\n",
    "webhook_secret": "made by GitHub",
    "html_url": "https://github.com/apps/brat",
    "client_secret": "not kept",
    "permissions": {"metadata": "read"},
}


@dataclass
class GitHub:
    """Knows a code once. `status` and `answer` are what it says to it."""

    status: int = 201
    answer: Any = field(default_factory=lambda: APP)
    codes: list[str] = field(default_factory=lambda: ["c0de"])

    async def convert(self, request: Request) -> Response:
        code = request.path_params["code"]
        if code not in self.codes:
            return JSONResponse({"message": "Not Found"}, 404)
        self.codes.remove(code)
        return JSONResponse(self.answer, self.status)

    def app(self) -> Starlette:
        return Starlette(routes=[Route("/app-manifests/{code}/conversions", self.convert, methods=["POST"])])


@dataclass
class Browser:
    """Somebody at the setup's pages."""

    setup: Setup
    client: httpx.AsyncClient

    async def open(self, key: str | None = None) -> httpx.Response:
        return await self.client.get(
            "http://brat/setup", params={"key": self.setup.key if key is None else key}
        )

    async def state(self) -> str:
        return parse_qs(urlsplit(action(await self.open())).query)["state"][0]

    async def come_back(self, state: str, code: str = "c0de") -> httpx.Response:
        return await self.client.get("http://brat/setup/created", params={"code": code, "state": state})


def action(page: httpx.Response) -> str:
    found = re.search(r'action="([^"]+)"', page.text)
    assert found
    return html.unescape(found[1])


def asked(page: httpx.Response) -> dict[str, Any]:
    found = re.search(r'name="manifest" value="([^"]+)"', page.text)
    assert found
    told: dict[str, Any] = json.loads(html.unescape(found[1]))
    return told


def browse(
    data_dir: Path,
    use: Callable[[Browser], Coroutine[Any, Any, None]],
    github: GitHub | None = None,
    **changed: Any,
) -> Setup:
    """A setup whose GitHub is on loopback, used by a browser."""

    async def run() -> Setup:
        server = Server((github or GitHub()).app(), host="127.0.0.1", port=0)
        serving = asyncio.create_task(server.listen())
        await server.ready(serving)
        org = changed.pop("org", None)
        settings = settings_for("", data_dir, **{"api_url": server.address, "public_url": None, **changed})
        setup = Setup(settings, lambda: "http://127.0.0.1:8470", org)
        async with httpx.AsyncClient(transport=httpx.ASGITransport(setup.app())) as client:
            await use(Browser(setup, client))
        server.stop()
        await serving
        return setup

    return asyncio.run(run())


def test_created_app_is_stored_for_the_owner_alone_and_can_be_installed(tmp_path: Path) -> None:
    async def use(browser: Browser) -> None:
        page = await browser.come_back(await browser.state())
        assert page.status_code == 200
        assert "https://github.com/apps/brat/installations/new" in page.text
        assert "kept" not in page.text

    setup = browse(tmp_path / "data", use)
    stored = load_app(tmp_path / "data")
    assert stored is not None
    assert stored == setup.created
    assert (stored.app_id, stored.private_key.get_secret_value()) == (17, APP["pem"])
    assert stat.S_IMODE((tmp_path / "data/app.json").stat().st_mode) == 0o600
    assert "not kept" not in (tmp_path / "data/app.json").read_text()
    assert "kept" not in repr(stored)


def test_manifest_without_a_public_address_has_an_inactive_webhook(tmp_path: Path) -> None:
    async def use(browser: Browser) -> None:
        told = asked(await browser.open())
        assert told["hook_attributes"]["active"] is False
        assert told["redirect_url"] == "http://127.0.0.1:8470/setup/created"
        assert told["public"] is False

    browse(tmp_path, use)


def test_manifest_with_a_public_address_has_the_webhook_there(tmp_path: Path) -> None:
    async def use(browser: Browser) -> None:
        hook = asked(await browser.open())["hook_attributes"]
        assert hook == {"url": "https://brat.example.org/webhooks/github", "active": True}

    browse(tmp_path, use, public_url="https://brat.example.org")


def test_organisations_app_is_created_on_its_own_page(tmp_path: Path) -> None:
    async def use(browser: Browser) -> None:
        page = await browser.open()
        assert urlsplit(action(page)).path == "/organizations/acme%2Fx/settings/apps/new"
        assert asked(page)["default_permissions"]["members"] == "read"

    browse(tmp_path, use, org="acme/x")


@pytest.mark.parametrize("key", ["", "guessed", "é"])
def test_page_wants_the_key_that_was_printed(tmp_path: Path, key: str) -> None:
    async def use(browser: Browser) -> None:
        page = await browser.open(key)
        assert (page.status_code, "manifest" in page.text) == (403, False)

    browse(tmp_path, use)


def test_answer_with_a_foreign_state_is_refused_and_nothing_is_asked(tmp_path: Path) -> None:
    github = GitHub()

    async def use(browser: Browser) -> None:
        await browser.state()
        for state in ("", "guessed", "é"):
            assert (await browser.come_back(state)).status_code == 403

    assert browse(tmp_path, use, github).created is None
    assert github.codes == ["c0de"]


def test_state_counts_once(tmp_path: Path) -> None:
    async def use(browser: Browser) -> None:
        state = await browser.state()
        assert (await browser.come_back(state)).status_code == 200
        assert (await browser.come_back(state)).status_code == 403

    browse(tmp_path, use)


@pytest.mark.parametrize("code", ["used", "../../user", "", "x" * 300])
def test_code_that_github_does_not_know_is_said_and_nothing_is_stored(tmp_path: Path, code: str) -> None:
    async def use(browser: Browser) -> None:
        page = await browser.come_back(await browser.state(), code)
        assert (page.status_code, "begin again at /setup" in page.text) == (502, True)

    assert browse(tmp_path, use).created is None
    assert not (tmp_path / "app.json").exists()


@pytest.mark.parametrize(
    "github", [GitHub(status=500), GitHub(answer={"id": "x"}), GitHub(answer=[]), GitHub(status=302)]
)
def test_odd_answer_of_github_is_said_and_nothing_is_stored(tmp_path: Path, github: GitHub) -> None:
    async def use(browser: Browser) -> None:
        assert (await browser.come_back(await browser.state())).status_code == 502

    assert browse(tmp_path, use, github).created is None
