"""A sender of deliveries, and an inbox that remembers what it was given."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import httpx
from starlette.applications import Starlette
from starlette.routing import Route

from app.errors import OperatorError
from app.webhooks import Cap, Receipt, Receiver, Signal, sign

__all__ = ["SECRET", "Answer", "Desk", "headers"]

SECRET = b"kept secret"
ADDRESS = "http://brat/webhooks/github"


@dataclass(frozen=True, slots=True)
class Answer:
    """What the sender saw."""

    status: int
    said: str


@dataclass
class Desk:
    """The endpoint over a real ASGI stack. `away` makes the inbox refuse."""

    secrets: tuple[bytes, ...] = (SECRET,)
    most: int = 1024 * 1024
    away: bool = False
    taken: dict[str, tuple[Signal, ...]] = field(default_factory=dict)
    receipts: list[Receipt] = field(default_factory=list)

    async def put(self, delivery: str, signals: tuple[Signal, ...]) -> bool:
        """The inbox."""
        if self.away:
            raise OperatorError("redis does not answer")
        return self.taken.setdefault(delivery, signals) is signals

    def post(self, body: bytes | list[bytes], heads: dict[str, str]) -> Answer:
        """Send as it is; a list goes in parts, without a length."""
        return asyncio.run(self._post(body, heads))

    def deliver(self, event: str, payload: object, *, id: str = "d-1") -> Answer:
        """A delivery as GitHub would send it."""
        body = json.dumps(payload).encode()
        return self.post(body, headers(body, event=event, id=id))

    @property
    def signals(self) -> list[Signal]:
        return [each for signals in self.taken.values() for each in signals]

    async def _post(self, body: bytes | list[bytes], heads: dict[str, str]) -> Answer:
        receiver = Receiver(self.secrets, self, self.receipts.append, Cap(self.most))
        app = Starlette(routes=[Route("/webhooks/github", receiver, methods=["POST"])])
        content = body if isinstance(body, bytes) else _parts(body)
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app)) as client:
            raw = [(name.encode(), value.encode()) for name, value in heads.items()]
            answer = await client.post(ADDRESS, content=content, headers=raw)
        return Answer(answer.status_code, answer.text.strip())


def headers(body: bytes, *, event: str, id: str = "d-1", secret: bytes = SECRET) -> dict[str, str]:
    """What GitHub sends along."""
    return {
        "content-type": "application/json",
        "x-github-event": event,
        "x-github-delivery": id,
        "x-hub-signature-256": sign(secret, body),
    }


async def _parts(body: list[bytes]) -> AsyncIterator[bytes]:
    for each in body:
        yield each
