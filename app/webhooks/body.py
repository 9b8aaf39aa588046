"""Reading a body no further than it may go."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from starlette.types import Receive

from app.values import dataclass
from app.webhooks.receipt import Outcome

__all__ = ["Cap", "Heads", "read_body"]

Heads = Mapping[bytes, bytes]
"""Headers as ASGI has them: names in small letters."""


@dataclass(frozen=True, slots=True)
class Cap:
    """GitHub sends no larger body than 25 MB, and waits no longer for an answer than 10 s.

    https://docs.github.com/en/webhooks/webhook-events-and-payloads
    """

    most: int = 25 * 1024 * 1024
    seconds: float = 10.0


async def read_body(heads: Heads, receive: Receive, *, cap: Cap) -> bytes | Outcome:
    """All of it; or why not, without reading on."""
    if _announced(heads) > cap.most:
        return "large"
    parts: list[bytes] = []
    size, more = 0, True
    try:
        async with asyncio.timeout(cap.seconds):
            while more:
                message = await receive()
                if message["type"] != "http.request":
                    return "slow"
                part, more = message.get("body", b""), message.get("more_body", False)
                size += len(part)
                if size > cap.most:
                    return "large"
                parts.append(part)
    except TimeoutError:
        return "slow"
    return b"".join(parts)


def _announced(heads: Heads) -> int:
    length = heads.get(b"content-length", b"")
    return int(length) if length.isdigit() and len(length) < 20 else 0
