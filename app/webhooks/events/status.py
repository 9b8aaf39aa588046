"""`status`: a commit status was posted.

https://docs.github.com/en/webhooks/webhook-events-and-payloads#status
"""

from __future__ import annotations

from app.webhooks.payload import Delivered
from app.webhooks.signal import Signal

__all__ = ["status"]


def status(body: bytes) -> tuple[Signal, ...]:
    """The repository: a status names a commit, and no pull request."""
    return (Delivered.model_validate_json(body).signal("status"),)
