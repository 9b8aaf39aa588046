"""`pull_request_review`: a review was submitted, edited or dismissed.

https://docs.github.com/en/webhooks/webhook-events-and-payloads#pull_request_review
"""

from __future__ import annotations

from typing import Annotated

from app.webhooks.payload import Delivered, Hint, Numbered
from app.webhooks.signal import Signal

__all__ = ["pull_request_review"]


class _Payload(Delivered):
    pull_request: Annotated[Numbered | None, Hint] = None


def pull_request_review(body: bytes) -> tuple[Signal, ...]:
    """The pull request that was reviewed."""
    read = _Payload.model_validate_json(body)
    return (read.signal("review", read.pull_request),)
