"""The one list of events: the App's manifest asks for these, and only these are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import DecodeError

from app.webhooks.events.check_run import check_run
from app.webhooks.events.check_suite import check_suite
from app.webhooks.events.installation import installation
from app.webhooks.events.installation_repositories import installation_repositories
from app.webhooks.events.issue_comment import issue_comment
from app.webhooks.events.issues import issues
from app.webhooks.events.merge_group import merge_group
from app.webhooks.events.pull_request import pull_request
from app.webhooks.events.pull_request_review import pull_request_review
from app.webhooks.events.push import push
from app.webhooks.events.status import status
from app.webhooks.signal import Signal

__all__ = ["EVENTS", "read_signals"]

EVENTS: Mapping[str, Callable[[bytes], tuple[Signal, ...]]] = {
    "check_run": check_run,
    "check_suite": check_suite,
    "installation": installation,
    "installation_repositories": installation_repositories,
    "issue_comment": issue_comment,
    "issues": issues,
    "merge_group": merge_group,
    "pull_request": pull_request,
    "pull_request_review": pull_request_review,
    "push": push,
    "status": status,
}


def read_signals(event: str, body: bytes) -> tuple[Signal, ...] | None:
    """What is dirty; None when the body does not say. The event is one of `EVENTS`."""
    try:
        return EVENTS[event](body)
    except (DecodeError, RecursionError):
        return None
