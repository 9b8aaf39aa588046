"""One request through the gateway: bodies pass as they come, in both directions, and are kept nowhere."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import httpx

from app.runner.meter import Meter

__all__ = ["NOT_PASSED_ON", "Exchange", "Headers", "Refusal"]

# Of this connection only, or ours to write: https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1
OF_A_CONNECTION = frozenset({"connection", "keep-alive", "transfer-encoding", "trailer", "upgrade", "te"})
NOT_PASSED_ON = OF_A_CONNECTION | {
    *("proxy-authorization", "host", "accept-encoding", "x-api-key", "authorization", "cookie"),
}
NOT_PASSED_BACK = OF_A_CONNECTION | {"set-cookie", "proxy-authenticate"}

Headers = list[tuple[bytes, bytes]]


class Refusal(Exception):
    """Answered by the gateway itself: HTTP status and reason."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


@dataclass(slots=True)
class Exchange:
    """One request and its answer, as ASGI has them."""

    scope: dict[str, Any]
    receive: Any
    send: Any
    status: int = 0
    error: str = ""
    meter: Meter = field(default_factory=Meter)

    async def pass_through(self, client: httpx.AsyncClient, url: str, headers: Headers) -> None:
        """Raises `Refusal` and `httpx.HTTPError`, the latter also in the middle of an answer."""
        request = client.build_request(self.scope["method"], url, headers=headers, content=self._body())
        response = await client.send(request, stream=True)
        try:
            if response.is_redirect:
                raise Refusal(502, "the endpoint answers with a redirect, which is not followed")
            await self._start(response.status_code, _kept(response.headers.raw))
            async for piece in response.aiter_raw():
                self.meter.feed(piece)
                await self.send({"type": "http.response.body", "body": piece, "more_body": True})
            await self.send({"type": "http.response.body", "body": b""})
        finally:
            await response.aclose()

    async def refuse(self, refused: Refusal) -> None:
        """Answer ourselves, unless the answer has begun: then it stays cut off, as it was upstream."""
        self.error = refused.reason
        if self.status:
            return
        body = json.dumps({"error": {"type": "brat_gateway", "message": refused.reason}}).encode()
        length = (b"content-length", str(len(body)).encode())
        await self._start(refused.status, [(b"content-type", b"application/json"), length])
        await self.send({"type": "http.response.body", "body": body})

    def seen(self) -> dict[str, Any]:
        """What may be noted of it: no header, no body."""
        noted = {"method": self.scope["method"], "path": self.scope["path"], "status": self.status}
        return {**noted, **({"error": self.error} if self.error else {}), **self.meter.counts()}

    async def _start(self, status: int, headers: Headers) -> None:
        self.status = status
        await self.send({"type": "http.response.start", "status": status, "headers": headers})

    async def _body(self) -> AsyncIterator[bytes]:
        while True:
            message = await self.receive()
            if message["type"] == "http.disconnect":
                return
            yield message.get("body", b"")
            if not message.get("more_body"):
                return


def _kept(headers: Headers) -> Headers:
    return [each for each in headers if each[0].lower().decode("latin-1") not in NOT_PASSED_BACK]
