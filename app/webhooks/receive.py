"""One delivery, from its bytes to its answer."""

from __future__ import annotations

import re
from collections.abc import Callable

from starlette.types import Receive, Scope, Send

from app.errors import OperatorError
from app.values import dataclass
from app.webhooks.body import Cap, Heads, read_body
from app.webhooks.inbox import Inbox
from app.webhooks.receipt import Receipt
from app.webhooks.signature import holds
from app.webhooks.table import EVENTS, read_signals

__all__ = ["Receiver"]

_EVENT = re.compile(rb"[a-z0-9_]{1,64}")
_DELIVERY = re.compile(rb"[A-Za-z0-9-]{1,64}")


@dataclass(frozen=True, slots=True)
class Receiver:
    """The endpoint, as an ASGI application. `told` hears of every delivery once, before it is answered."""

    secrets: tuple[bytes, ...]
    inbox: Inbox
    told: Callable[[Receipt], None]
    cap: Cap = Cap()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers in the words of the receipt."""
        receipt = await self._receive(dict(scope["headers"]), receive)
        self.told(receipt)
        body = receipt.said.encode() + b"\n"
        heads = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", b"%d" % len(body))]
        if receipt.outcome in ("large", "slow", "unsigned"):
            heads.append((b"connection", b"close"))
        await send({"type": "http.response.start", "status": receipt.status, "headers": heads})
        await send({"type": "http.response.body", "body": body})

    async def _receive(self, heads: Heads, receive: Receive) -> Receipt:
        """Refused before it is read, or before it is parsed, or taken."""
        signature = heads.get(b"x-hub-signature-256")
        if not signature:
            return Receipt("unsigned")
        body = await read_body(heads, receive, cap=self.cap)
        if isinstance(body, str):
            return Receipt(body)
        if not holds(signature, body, secrets=self.secrets):
            return Receipt("forged")
        return await self._read(heads, body)

    async def _read(self, heads: Heads, body: bytes) -> Receipt:
        named, guid = heads.get(b"x-github-event", b""), heads.get(b"x-github-delivery", b"")
        if not _EVENT.fullmatch(named) or not _DELIVERY.fullmatch(guid):
            return Receipt("headers")
        event, delivery = named.decode(), guid.decode()
        if heads.get(b"content-type", b"").partition(b";")[0].strip().lower() != b"application/json":
            return Receipt("type", event, delivery)
        if event not in EVENTS:
            return Receipt("ignored", event, delivery)
        signals = read_signals(event, body)
        if signals is None:
            return Receipt("unreadable", event, delivery)
        try:
            fresh = await self.inbox.put(delivery, signals)
        except OperatorError:
            return Receipt("away", event, delivery)
        return Receipt("accepted" if fresh else "duplicate", event, delivery, len(signals))
