"""The one way out of a sandbox: a reverse proxy to the engine's endpoint that puts the real key in.

It runs in the runner, outside the sandbox. Bodies pass through in both directions as they come and are kept
nowhere; each request leaves a line with method, path, status and token counts.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import httpx
import uvicorn

from app.errors import OperatorError
from app.runner.exchange import NOT_PASSED_ON, Exchange, Headers, Refusal

__all__ = ["Gateway", "bearer", "target"]

CONNECT_S = 30.0
# A model may think for long before the first byte; the session's own limits end what hangs.
READ_S = 900.0


def bearer(headers: Headers) -> tuple[str, str]:
    """`(header name, what it carries)` of the way in which a client shows its key."""
    given = {name.lower(): value for name, value in headers}
    if b"x-api-key" in given:
        return "x-api-key", given[b"x-api-key"].decode("latin-1")
    scheme, _, value = given.get(b"authorization", b"").decode("latin-1").partition(" ")
    return "authorization", value.strip() if scheme.lower() == "bearer" else ""


def target(base: str, path: str, query: str) -> str:
    """The upstream url of a request. Raises `Refusal` for a path that could leave the base."""
    if not path.startswith("/") or path.startswith("//") or "\\" in path:
        raise Refusal(400, "a path is wanted")
    if any(part in (".", "..") for part in unquote(unquote(path)).split("/")):
        raise Refusal(400, "dots in the path")
    root = base.rstrip("/").removesuffix("/v1")
    return f"{root}{path}" + (f"?{query}" if query else "")


@dataclass(slots=True)
class Gateway:
    """One session's gateway to one upstream. `record` is where requests are noted."""

    upstream: str
    key: str = field(repr=False)
    token: str = field(repr=False)
    record: Path
    _client: httpx.AsyncClient | None = field(default=None, init=False, repr=False)

    @contextmanager
    def on_socket(self, path: Path) -> Iterator[None]:
        """Serve on a unix socket that only this user can open."""
        listener = socket.socket(socket.AF_UNIX)
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            path.unlink(missing_ok=True)
            # A socket's address holds 107 bytes at most, and a session's folder may lie deep.
            listener.bind(f"/proc/self/fd/{folder}/{path.name}")
            path.chmod(0o600)
        finally:
            os.close(folder)
        with self._serving(listener):
            yield

    @contextmanager
    def on_loopback(self) -> Iterator[str]:
        """Serve on a free port of this host's loopback; answers the base url."""
        listener = socket.create_server(("127.0.0.1", 0))
        with self._serving(listener):
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"

    @contextmanager
    def _serving(self, listener: socket.socket) -> Iterator[None]:
        if urlsplit(self.upstream).scheme not in ("http", "https"):
            listener.close()
            raise OperatorError(f"not an http address: {self.upstream!r}", place="base_url")
        listener.listen(64)
        settings = uvicorn.Config(
            self,
            loop="asyncio",
            http="h11",
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=1,
        )
        server = uvicorn.Server(settings)
        thread = threading.Thread(target=lambda: asyncio.run(self._serve(server, listener)), daemon=True)
        thread.start()
        try:
            yield
        finally:
            server.should_exit = True
            thread.join(10)
            listener.close()

    async def _serve(self, server: uvicorn.Server, listener: socket.socket) -> None:
        timeout = httpx.Timeout(READ_S, connect=CONNECT_S)
        async with httpx.AsyncClient(timeout=timeout, follow_redirects=False) as self._client:
            await server.serve([listener])

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """One request, as ASGI has it: https://asgi.readthedocs.io/en/latest/specs/www.html"""
        exchange = Exchange(scope, receive, send)
        try:
            url, headers = self._admit(scope)
            assert self._client is not None
            await exchange.pass_through(self._client, url, headers)
        except Refusal as refused:
            await exchange.refuse(refused)
        except httpx.HTTPError as wrong:
            await exchange.refuse(
                Refusal(502, f"the endpoint cannot be reached: {type(wrong).__name__}: {wrong}")
            )
        finally:
            with self.record.open("a", encoding="utf-8") as file:
                file.write(json.dumps(exchange.seen()) + "\n")

    def _admit(self, scope: dict[str, Any]) -> tuple[str, Headers]:
        header, shown = bearer(scope["headers"])
        if not hmac.compare_digest(shown.encode(), self.token.encode()):
            raise Refusal(401, "this is not the session's token")
        path = scope.get("raw_path", b"").decode("latin-1").partition("?")[0] or scope["path"]
        url = target(self.upstream, path, scope["query_string"].decode("latin-1"))
        passed = [each for each in scope["headers"] if each[0].lower().decode("latin-1") not in NOT_PASSED_ON]
        own = self.key if header == "x-api-key" else f"Bearer {self.key}"
        return url, [*passed, (header.encode(), own.encode()), (b"accept-encoding", b"identity")]
