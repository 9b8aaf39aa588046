"""`issues`: an issue was opened, labelled, edited, closed.

https://docs.github.com/en/webhooks/webhook-events-and-payloads#issues
"""

from __future__ import annotations

from typing import Annotated

from app.webhooks.payload import Delivered, Hint, Numbered
from app.webhooks.signal import Signal

__all__ = ["issues"]


class _Payload(Delivered):
    issue: Annotated[Numbered | None, Hint] = None


def issues(body: bytes) -> tuple[Signal, ...]:
    """The issue."""
    read = _Payload.model_validate_json(body)
    return (read.signal("issue", read.issue),)
