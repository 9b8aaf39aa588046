"""`issues`: an issue was opened, labelled, edited, closed.

https://docs.github.com/en/webhooks/webhook-events-and-payloads#issues
"""

from __future__ import annotations

from msgspec import Raw
from msgspec.json import Decoder

from app.webhooks.payload import NOTHING, Delivered, number_in
from app.webhooks.signal import Signal

__all__ = ["issues"]


class _Payload(Delivered, frozen=True):
    issue: Raw = NOTHING


_payload = Decoder(_Payload)


def issues(body: bytes) -> tuple[Signal, ...]:
    """The issue."""
    read = _payload.decode(body)
    return (read.signal("issue", number_in(read.issue)),)
