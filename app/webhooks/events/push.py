"""`push`: branches or tags moved; refs outside of these are not told of.

https://docs.github.com/en/webhooks/webhook-events-and-payloads#push
"""

from __future__ import annotations

from msgspec.json import Decoder

from app.webhooks.payload import Delivered
from app.webhooks.signal import Signal

__all__ = ["push"]

_payload = Decoder(Delivered)


def push(body: bytes) -> tuple[Signal, ...]:
    """The repository."""
    return (_payload.decode(body).signal("push"),)
