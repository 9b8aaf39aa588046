"""Pull requests as a code host shows them: their checks, their reviews, and the accounts behind them.

Times are in ms since the epoch. None means "could not be read", never "there is none".
"""

from __future__ import annotations

from enum import StrEnum

from app.values import dataclass

__all__ = [
    "CheckSeen",
    "CheckState",
    "Person",
    "PullSeen",
    "PullState",
    "QueueSeen",
    "ReviewSeen",
    "ReviewState",
]


@dataclass(frozen=True, slots=True)
class Person:
    """An account. The id counts, the login is for people. `ours`: our own App's bot account."""

    id: int
    login: str
    bot: bool = False
    ours: bool = False


class CheckState(StrEnum):
    """`PENDING`: queued, running, waiting or stale; the rest are GitHub's conclusions."""

    PENDING = "pending"
    SUCCESS = "success"
    NEUTRAL = "neutral"
    SKIPPED = "skipped"
    FAILURE = "failure"
    CANCELLED = "cancelled"
    TIMED_OUT = "timed-out"
    ACTION_REQUIRED = "action-required"

    @property
    def passes(self) -> bool:
        """Neutral and skipped count as success: https://docs.github.com/en/pull-requests (status checks)."""
        return self in (CheckState.SUCCESS, CheckState.NEUTRAL, CheckState.SKIPPED)

    @property
    def fails(self) -> bool:
        return not self.passes and self is not CheckState.PENDING


@dataclass(frozen=True, slots=True)
class CheckSeen:
    """A check run or a commit status on one head; of several by one name, every one is listed.

    `id` is the check run's, 0 for a status; `suite` its suite; `app` the App that posted it, None unknown;
    `workflow` what of GitHub Actions began it, and for which event: jobs of two workflows may have one name.
    """

    name: str
    state: CheckState
    app: int | None = None
    id: int = 0
    suite: int = 0
    started_ts: int = 0
    completed_ts: int | None = None
    url: str = ""
    ours: bool = False
    key: str = ""
    summary: str = ""
    workflow: str = ""


class ReviewState(StrEnum):
    APPROVED = "approved"
    CHANGES_REQUESTED = "changes-requested"
    COMMENTED = "commented"
    DISMISSED = "dismissed"


@dataclass(frozen=True, slots=True)
class ReviewSeen:
    """A published review with its inline comments as text; `head` is the commit it was made on."""

    id: int
    author: Person
    state: ReviewState
    body: str
    head: str
    submitted_ts: int
    lines: tuple[str, ...] = ()


class PullState(StrEnum):
    OPEN = "open"
    CLOSED = "closed"
    MERGED = "merged"


@dataclass(frozen=True, slots=True)
class QueueSeen:
    """The entry in GitHub's own merge queue; `head` is the group's commit, once there is one."""

    state: str
    head: str | None = None
    enqueued_ts: int = 0


@dataclass(frozen=True, slots=True)
class PullSeen:
    """A pull request. `ours`: opened by our App, and its head is in this very repository.

    `mergeable` None: not computed yet. `conversations` counts unresolved ones. `behind`: the base has
    commits that the head lacks. `review_missing`: the branch's rules still want a review (code owners and
    teams included), as GitHub's `reviewDecision` says; None unknown.
    """

    number: int
    url: str
    title: str
    body: str
    state: PullState
    ours: bool
    head: str
    head_branch: str
    base_branch: str
    draft: bool = False
    mergeable: bool | None = None
    behind: bool | None = None
    merge_commit: str | None = None
    ended_by: Person | None = None
    labels: frozenset[str] = frozenset()
    reviews: tuple[ReviewSeen, ...] = ()
    conversations: int | None = None
    review_missing: bool | None = None
    changed_lines: int | None = None
    updated_ts: int = 0
    queue: QueueSeen | None = None
