"""The stand-in on a port of its own: one ASGI application in a thread."""

from __future__ import annotations

import asyncio
import socket
import tempfile
import threading
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING, BinaryIO

import uvicorn
from starlette.datastructures import Headers, QueryParams
from starlette.types import Receive, Scope, Send

if TYPE_CHECKING:
    from tests.fakehub.dispatch import Reply
    from tests.fakehub.hub import Hub

__all__ = ["Server"]

API = "/api/v3"


class Server:
    """Listens on loopback; `port` is known at once, answers come after `start`."""

    def __init__(self, hub: Hub, port: int) -> None:
        self._hub = hub
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.bind(("127.0.0.1", port))
        self._socket.listen(128)
        self.port: int = self._socket.getsockname()[1]
        config = uvicorn.Config(
            self, log_config=None, access_log=False, lifespan="off", ws="none", timeout_graceful_shutdown=1
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Also where it never started."""
        self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join(10)
        self._socket.close()

    def wait(self) -> None:
        """Until it is stopped."""
        self._thread.join()

    def _run(self) -> None:
        self._server.run(sockets=[self._socket])

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with tempfile.TemporaryFile() as spooled:
            while True:
                message = await receive()
                spooled.write(message.get("body", b""))
                if not message.get("more_body"):
                    break
            spooled.seek(0)
            reply = await asyncio.to_thread(self._answer, scope, spooled)
        if reply.status == 0:
            await _cut(receive, send)
            return
        headers = {**reply.headers, "content-length": str(len(reply.body))}
        raw = [(key.encode(), value.encode()) for key, value in headers.items()]
        await send({"type": "http.response.start", "status": reply.status, "headers": raw})
        await send({"type": "http.response.body", "body": reply.body})

    def _answer(self, scope: Scope, spooled: BinaryIO) -> Reply:
        from tests.fakehub.dispatch import Reply

        try:
            return self._routed(scope, spooled)
        except Exception:
            self._hub.journal.problems.append(f"{scope['method']} {scope['path']}:\n{traceback.format_exc()}")
            return Reply(500, {}, b"the stand-in failed")

    def _routed(self, scope: Scope, spooled: BinaryIO) -> Reply:
        from tests.fakehub.dispatch import Request, dispatch
        from tests.fakehub.pages import serve_page
        from tests.fakehub.smart_http import PLACES, serve_git

        path = str(scope["path"])
        query = dict(QueryParams(scope["query_string"]))
        request = Request(scope["method"], path, query, dict(Headers(scope=scope)))
        if PLACES.fullmatch(path):
            return serve_git(self._hub, request, spooled)
        body = spooled.read()
        if path.startswith(API):
            at = path.removeprefix(API)
            return dispatch(self._hub, Request(request.method, at, query, request.headers, body))
        return serve_page(self._hub, Request(request.method, path, query, request.headers, body))


async def _cut(receive: Receive, send: Send) -> None:
    """Ends the connection without an answer, as a broken line does."""
    transport: Callable[[], None] = send.__self__.transport.abort  # type: ignore[attr-defined]
    transport()
    await receive()
