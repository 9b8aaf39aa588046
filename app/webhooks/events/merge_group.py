"""`merge_group`: GitHub's merge queue asks for checks, or dropped a group.

https://docs.github.com/en/webhooks/webhook-events-and-payloads#merge_group
"""

from __future__ import annotations

from msgspec.json import Decoder

from app.webhooks.payload import Delivered
from app.webhooks.signal import Signal

__all__ = ["merge_group"]

_payload = Decoder(Delivered)


def merge_group(body: bytes) -> tuple[Signal, ...]:
    """The repository."""
    return (_payload.decode(body).signal("merge group"),)
