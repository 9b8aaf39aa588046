"""`issue_comment`: a comment on an issue or a pull request, which is an issue too.

https://docs.github.com/en/webhooks/webhook-events-and-payloads#issue_comment
"""

from __future__ import annotations

from typing import Annotated

from app.webhooks.payload import Delivered, Hint, Numbered
from app.webhooks.signal import Signal

__all__ = ["issue_comment"]


class _Payload(Delivered):
    issue: Annotated[Numbered | None, Hint] = None


def issue_comment(body: bytes) -> tuple[Signal, ...]:
    """The issue or pull request that was commented on."""
    read = _Payload.model_validate_json(body)
    return (read.signal("comment", read.issue),)
