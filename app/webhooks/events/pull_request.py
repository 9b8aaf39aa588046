"""`pull_request`: a pull request was opened, pushed to, closed, labelled.

https://docs.github.com/en/webhooks/webhook-events-and-payloads#pull_request
"""

from __future__ import annotations

from msgspec import Raw
from msgspec.json import Decoder

from app.webhooks.payload import NOTHING, Delivered, number_in
from app.webhooks.signal import Signal

__all__ = ["pull_request"]


class _Payload(Delivered, frozen=True):
    pull_request: Raw = NOTHING


_payload = Decoder(_Payload)


def pull_request(body: bytes) -> tuple[Signal, ...]:
    """The pull request."""
    read = _payload.decode(body)
    return (read.signal("pull request", number_in(read.pull_request)),)
