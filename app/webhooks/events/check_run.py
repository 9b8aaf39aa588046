"""`check_run`: a check began, ended, or is asked for again.

https://docs.github.com/en/webhooks/webhook-events-and-payloads#check_run
"""

from __future__ import annotations

from typing import Annotated

from app.webhooks.payload import Delivered, Hint, Model, Numbered
from app.webhooks.signal import Signal

__all__ = ["check_run"]


class _Check(Model):
    pull_requests: Annotated[tuple[Numbered, ...] | None, Hint] = None


class _Payload(Delivered):
    check_run: Annotated[_Check | None, Hint] = None


def check_run(body: bytes) -> tuple[Signal, ...]:
    """The repository, with the first pull request of the commit where GitHub knows one."""
    read = _Payload.model_validate_json(body)
    pulls = read.check_run.pull_requests if read.check_run else None
    return (read.signal("check", pulls[0] if pulls else None),)
