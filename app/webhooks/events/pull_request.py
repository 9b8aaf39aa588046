"""`pull_request`: a pull request was opened, pushed to, closed, labelled.

https://docs.github.com/en/webhooks/webhook-events-and-payloads#pull_request
"""

from __future__ import annotations

from typing import Annotated

from app.webhooks.payload import Delivered, Hint, Numbered
from app.webhooks.signal import Signal

__all__ = ["pull_request"]


class _Payload(Delivered):
    pull_request: Annotated[Numbered | None, Hint] = None


def pull_request(body: bytes) -> tuple[Signal, ...]:
    """The pull request."""
    read = _Payload.model_validate_json(body)
    return (read.signal("pull request", read.pull_request),)
