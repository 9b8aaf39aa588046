"""Pull requests with their reviews, as GraphQL shows them."""

from __future__ import annotations

from typing import Any

from app.forge.github.answers import Answer, Ms, Text, read
from app.forge.github.client import Client, Unreadable
from app.forge.github.people import Ourselves
from app.forge.github.reading_on import all_nodes
from app.ports import PullSeen, PullState, QueueSeen, ReviewSeen, ReviewState

__all__ = ["pull_of"]

_REVIEWS = {
    "APPROVED": ReviewState.APPROVED,
    "CHANGES_REQUESTED": ReviewState.CHANGES_REQUESTED,
    "COMMENTED": ReviewState.COMMENTED,
    "DISMISSED": ReviewState.DISMISSED,
}
_MERGEABLE = {"MERGEABLE": True, "CONFLICTING": False}
_LINES = 100


class _Commit(Answer):
    oid: str


class _Entry(Answer):
    state: Text = ""
    enqueuedAt: Ms = 0
    headCommit: _Commit | None = None


class _Pull(Answer):
    id: str
    number: int
    url: Text = ""
    title: Text = ""
    body: Text = ""
    state: str
    isDraft: bool = False
    mergeable: Text = ""
    mergeStateStatus: Text = ""
    merged: bool = False
    updatedAt: Ms = 0
    additions: int | None = None
    deletions: int | None = None
    headRefOid: str
    headRefName: str
    baseRefName: str
    isCrossRepository: bool = True
    mergeCommit: _Commit | None = None
    mergeQueueEntry: _Entry | None = None


class _Review(Answer):
    id: str
    databaseId: int
    state: str
    body: Text = ""
    submittedAt: Ms = 0
    commit: _Commit | None = None


def pull_of(client: Client, node: Any, us: Ourselves) -> PullSeen:
    """A pull request. Raises Unreadable; `behind` is known here only where GitHub says so itself."""
    pull = read(_Pull, node)
    if pull is None:
        raise Unreadable("a pull request that cannot be read")
    state = PullState.MERGED if pull.merged else PullState.OPEN if pull.state == "OPEN" else PullState.CLOSED
    entry = pull.mergeQueueEntry
    known = pull.additions is not None and pull.deletions is not None
    return PullSeen(
        pull.number,
        pull.url,
        pull.title,
        pull.body,
        state,
        ours=us.actor(node.get("author")).ours and not pull.isCrossRepository,
        head=pull.headRefOid,
        head_branch=pull.headRefName,
        base_branch=pull.baseRefName,
        draft=pull.isDraft,
        mergeable=_MERGEABLE.get(pull.mergeable),
        behind=True if pull.mergeStateStatus == "BEHIND" else None,
        merge_commit=pull.mergeCommit.oid if pull.merged and pull.mergeCommit else None,
        ended_by=_ended_by(node, us) if state is not PullState.OPEN else None,
        labels=frozenset(str(each.get("name")) for each in all_nodes(client, node, "labels")),
        reviews=_reviews(client, node, us),
        conversations=_unresolved(client, node),
        review_missing=_review_missing(node),
        changed_lines=(pull.additions or 0) + (pull.deletions or 0) if known else None,
        updated_ts=pull.updatedAt,
        queue=QueueSeen(entry.state, entry.headCommit.oid if entry.headCommit else None, entry.enqueuedAt)
        if entry
        else None,
    )


def _review_missing(node: dict[str, Any]) -> bool | None:
    """Null where the rules ask for no review."""
    if "reviewDecision" not in node:
        return None
    return node["reviewDecision"] not in (None, "APPROVED")


def _ended_by(node: dict[str, Any], us: Ourselves) -> Any:
    items = (node.get("timelineItems") or {}).get("nodes") or []
    return us.actor(items[-1].get("actor")) if items and isinstance(items[-1], dict) else None


def _unresolved(client: Client, node: dict[str, Any]) -> int | None:
    try:
        return sum(not each.get("isResolved") for each in all_nodes(client, node, "reviewThreads"))
    except Unreadable:
        return None


def _reviews(client: Client, node: dict[str, Any], us: Ourselves) -> tuple[ReviewSeen, ...]:
    seen = (_review(client, each, us) for each in all_nodes(client, node, "reviews"))
    return tuple(each for each in seen if each is not None)


def _review(client: Client, node: dict[str, Any], us: Ourselves) -> ReviewSeen | None:
    """None for one that is not published yet: its author alone may see it."""
    if node.get("state") == "PENDING":
        return None
    review = read(_Review, node)
    if review is None or review.state not in _REVIEWS:
        raise Unreadable("a review that cannot be read")
    remarks = all_nodes(client, node, "comments")
    return ReviewSeen(
        review.databaseId,
        us.actor(node.get("author")),
        _REVIEWS[review.state],
        review.body,
        head=review.commit.oid if review.commit else "",
        submitted_ts=review.submittedAt,
        lines=tuple(_line(each) for each in remarks[:_LINES]),
    )


def _line(node: dict[str, Any]) -> str:
    line = node.get("line")
    where = f"{node.get('path')}:{line}" if line else str(node.get("path"))
    return f"{where}: {node.get('body') or ''}"
