"""`pull_request_review`: a review was submitted, edited or dismissed.

https://docs.github.com/en/webhooks/webhook-events-and-payloads#pull_request_review
"""

from __future__ import annotations

from msgspec import Raw
from msgspec.json import Decoder

from app.webhooks.payload import NOTHING, Delivered, number_in
from app.webhooks.signal import Signal

__all__ = ["pull_request_review"]


class _Payload(Delivered, frozen=True):
    pull_request: Raw = NOTHING


_payload = Decoder(_Payload)


def pull_request_review(body: bytes) -> tuple[Signal, ...]:
    """The pull request that was reviewed."""
    read = _payload.decode(body)
    return (read.signal("review", number_in(read.pull_request)),)
