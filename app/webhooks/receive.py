"""One delivery, from its bytes to its answer."""

from __future__ import annotations

import re
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import PlainTextResponse

from app.errors import OperatorError
from app.values import dataclass
from app.webhooks.body import MOST_BYTES, SECONDS, read_body
from app.webhooks.inbox import Inbox
from app.webhooks.receipt import Receipt
from app.webhooks.signature import Check
from app.webhooks.table import EVENTS, read_signals

__all__ = ["Receiver"]

_EVENT = re.compile(r"[a-z0-9_]{1,64}", re.ASCII)
_DELIVERY = re.compile(r"[A-Za-z0-9-]{1,64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Receiver:
    """The endpoint. `told` hears of every delivery once, after it was kept and before it is answered."""

    secrets: tuple[bytes, ...]
    inbox: Inbox
    told: Callable[[Receipt], None]
    most: int = MOST_BYTES
    seconds: float = SECONDS

    async def endpoint(self, request: Request) -> PlainTextResponse:
        """Answers in the words of the receipt."""
        receipt = await self._receive(request)
        self.told(receipt)
        closing = {"connection": "close"} if receipt.outcome in ("large", "slow", "unsigned") else None
        return PlainTextResponse(receipt.said + "\n", receipt.status, closing)

    async def _receive(self, request: Request) -> Receipt:
        """Refused before it is read, or before it is parsed, or taken."""
        signature = request.headers.get("x-hub-signature-256")
        if not signature:
            return Receipt("unsigned")
        check = Check(self.secrets)
        body = await read_body(request, check, most=self.most, seconds=self.seconds)
        if isinstance(body, str):
            return Receipt(body)
        if not check.holds(signature):
            return Receipt("forged")
        return await self._read(request, body)

    async def _read(self, request: Request, body: bytes) -> Receipt:
        event = request.headers.get("x-github-event", "")
        delivery = request.headers.get("x-github-delivery", "")
        if not _EVENT.fullmatch(event) or not _DELIVERY.fullmatch(delivery):
            return Receipt("headers")
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
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
