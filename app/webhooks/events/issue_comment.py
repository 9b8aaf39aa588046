"""`issue_comment`: a comment on an issue or a pull request, which is an issue too.

https://docs.github.com/en/webhooks/webhook-events-and-payloads#issue_comment
"""

from __future__ import annotations

from msgspec import Raw
from msgspec.json import Decoder

from app.webhooks.payload import NOTHING, Delivered, number_in
from app.webhooks.signal import Signal

__all__ = ["issue_comment"]


class _Payload(Delivered, frozen=True):
    issue: Raw = NOTHING


_payload = Decoder(_Payload)


def issue_comment(body: bytes) -> tuple[Signal, ...]:
    """The issue or pull request that was commented on."""
    read = _payload.decode(body)
    return (read.signal("comment", number_in(read.issue)),)
