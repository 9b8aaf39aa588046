"""Reading a body no further than it may go."""

from __future__ import annotations

import asyncio

from starlette.requests import ClientDisconnect, Request

from app.webhooks.receipt import Outcome
from app.webhooks.signature import Check

__all__ = ["MOST_BYTES", "SECONDS", "read_body"]

MOST_BYTES = 25 * 1024 * 1024
"""GitHub sends no larger one. https://docs.github.com/en/webhooks/webhook-events-and-payloads"""

SECONDS = 10.0
"""GitHub waits no longer for an answer; whoever is slower holds a connection."""


async def read_body(request: Request, check: Check, *, most: int, seconds: float) -> bytes | Outcome:
    """All of it, each part shown to `check`; or why not, without reading on."""
    if _announced(request) > most:
        return "large"
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(seconds):
            async for part in request.stream():
                size += len(part)
                if size > most:
                    return "large"
                check.feed(part)
                parts.append(part)
    except (TimeoutError, ClientDisconnect):
        return "slow"
    return b"".join(parts)


def _announced(request: Request) -> int:
    length = request.headers.get("content-length", "")
    return int(length) if length.isascii() and length.isdigit() and len(length) < 20 else 0
