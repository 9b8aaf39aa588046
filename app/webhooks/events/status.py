"""`status`: a commit status was posted.

https://docs.github.com/en/webhooks/webhook-events-and-payloads#status
"""

from __future__ import annotations

from msgspec.json import Decoder

from app.webhooks.payload import Delivered
from app.webhooks.signal import Signal

__all__ = ["status"]

_payload = Decoder(Delivered)


def status(body: bytes) -> tuple[Signal, ...]:
    """The repository: a status names a commit, and no pull request."""
    return (_payload.decode(body).signal("status"),)
