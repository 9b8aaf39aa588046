"""`check_suite`: all checks of one App on a commit began or ended.

https://docs.github.com/en/webhooks/webhook-events-and-payloads#check_suite
"""

from __future__ import annotations

from typing import Annotated

from app.webhooks.payload import Delivered, Hint, Model, Numbered
from app.webhooks.signal import Signal

__all__ = ["check_suite"]


class _Check(Model):
    pull_requests: Annotated[tuple[Numbered, ...] | None, Hint] = None


class _Payload(Delivered):
    check_suite: Annotated[_Check | None, Hint] = None


def check_suite(body: bytes) -> tuple[Signal, ...]:
    """The repository, with the first pull request of the commit where GitHub knows one."""
    read = _Payload.model_validate_json(body)
    pulls = read.check_suite.pull_requests if read.check_suite else None
    return (read.signal("check", pulls[0] if pulls else None),)
