"""Which workflows a pushed branch and a pull request from it start.

https://docs.github.com/en/actions/reference/workflows-and-actions/events-that-trigger-workflows
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.policy.patterns import BadPattern, passes_filter
from app.policy.workflow import Unreadable, Workflow, as_list

__all__ = ["started"]

_PULL = ("pull_request", "pull_request_target", "pull_request_review", "pull_request_review_comment")
_FOLLOWING = ("check_run", "check_suite", "status")
_OTHERS = frozenset(
    [
        "branch_protection_rule",
        "delete",
        "deployment",
        "deployment_status",
        "discussion",
        "discussion_comment",
        "fork",
        "gollum",
        "image_version",
        "issue_comment",
        "issues",
        "label",
        "merge_group",
        "milestone",
        "page_build",
        "project",
        "project_card",
        "project_column",
        "public",
        "registry_package",
        "release",
        "repository_dispatch",
        "schedule",
        "watch",
        "workflow_call",
        "workflow_dispatch",
    ]
)
"""Not started by a branch or its pull request; `merge_group` begins only with the landing itself."""


def started(workflows: Sequence[Workflow], branch: str, base: str) -> dict[str, str | None]:
    """The event that starts each workflow, by path; None: cannot be judged. Others are not in it."""
    found: dict[str, str | None] = {}
    for each in workflows:
        try:
            event = _event(each, branch, base)
        except (Unreadable, BadPattern):
            found[each.path] = None
            continue
        if event:
            found[each.path] = event
    _follow(workflows, branch, found)
    return found


def _event(workflow: Workflow, branch: str, base: str) -> str | None:
    unknown = False
    for event, filters in workflow.on.items():
        if event == "push" and _lets(filters, branch, tags=True):
            return event
        if event in _PULL and _lets(filters, base, tags=False):
            return event
        if event == "create" or event in _FOLLOWING:
            return event
        unknown = unknown or event not in {"push", "create", "workflow_run", *_PULL, *_FOLLOWING, *_OTHERS}
    if unknown:
        raise Unreadable("it has an event that is not known here")
    return None


def _lets(filters: Any, branch: str, *, tags: bool) -> bool:
    """Paths and types let nothing out: what a branch will change and go through is not known before."""
    if filters == "":
        return True
    if not isinstance(filters, dict):
        raise Unreadable("its filters are not a table")
    if "branches" in filters and "branches-ignore" in filters:
        raise Unreadable("it has branches and branches-ignore")
    if "branches" in filters:
        return passes_filter(as_list(filters["branches"]), branch)
    if "branches-ignore" in filters:
        return not passes_filter(as_list(filters["branches-ignore"]), branch)
    return not (tags and ("tags" in filters or "tags-ignore" in filters))


def _follow(workflows: Sequence[Workflow], branch: str, found: dict[str, str | None]) -> None:
    """`workflow_run`: started by the end of another that is started, however long the chain."""
    waiting = [each for each in workflows if "workflow_run" in each.on and each.path not in found]
    changed = True
    while changed:
        changed = False
        for each in list(waiting):
            names = {name for other in workflows if other.path in found for name in (other.name, other.path)}
            try:
                follows = _after(each.on["workflow_run"], names, branch)
            except (Unreadable, BadPattern):
                follows = None
            if follows is not False:
                found[each.path] = "workflow_run" if follows else None
                waiting.remove(each)
                changed = True


def _after(filters: Any, names: set[str], branch: str) -> bool:
    if not isinstance(filters, dict):
        raise Unreadable("its filters are not a table")
    return bool(names & {*as_list(filters.get("workflows"))}) and _lets(filters, branch, tags=False)
