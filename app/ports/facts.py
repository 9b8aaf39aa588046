"""What happened, in the past tense. Deciding rooms answer with facts; the board turns them into events.

`issue` is the grite issue the fact belongs to: a convoy's or a task's. `by` is who asked: `policy`, or a
person's name. Texts inside facts are already redacted and capped.
"""

from __future__ import annotations

from app.ports.convoy_facts import (
    BaseTakenOver,
    ConvoyCancelled,
    ConvoyCompleted,
    ConvoyFailed,
    ConvoyOpened,
    ConvoyPaused,
    ConvoyResumed,
    PlanApproved,
    PlanRecorded,
    PlanRefused,
)
from app.ports.hub_facts import HubFact
from app.ports.plan import Plan
from app.ports.session import Finding, Role, Usage
from app.values import dataclass

__all__ = [
    "Fact",
    "FollowUpWanted",
    "HoldPlaced",
    "HoldReleased",
    "MergeFailed",
    "MergeStarted",
    "MergeSucceeded",
    "SessionEnded",
    "SessionStarted",
    "TaskAdded",
    "TaskBlocked",
    "TaskCommented",
    "TaskDropped",
    "TaskRequeued",
    "TaskRetried",
    "TaskSplit",
    "WorkPublished",
]


@dataclass(frozen=True, slots=True)
class TaskAdded:
    """A single task beside the plan: asked for by a person, or proposed by somebody else and approved."""

    issue: str
    convoy: str
    number: int
    task: str
    plan: Plan
    by: str


@dataclass(frozen=True, slots=True)
class SessionStarted:
    """The intent to run a session; whoever won the push may start it.

    `purpose` is `work`, `plan` or `check`; `commit` is what a check looks at; `reserved_usd` is held until
    it ends.
    """

    issue: str
    session: str
    role: Role
    purpose: str
    attempt: int
    base: str
    deadline_ts: int
    engine: str | None = None
    model: str | None = None
    carry: str | None = None
    commit: str | None = None
    reserved_usd: float | None = None
    isolation: str = ""


@dataclass(frozen=True, slots=True)
class SessionEnded:
    """A session's end as accepted by the control plane.

    `evidence` is what the next prompt or a person needs.
    """

    issue: str
    session: str
    role: Role
    purpose: str
    finding: Finding
    exit_code: int | None
    ended_ts: int
    usage: Usage = Usage()
    evidence: str = ""
    log_ref: str | None = None
    head: str | None = None
    checks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WorkPublished:
    """The task's branch holds this work now. `strayed` are touched paths outside the task's globs."""

    issue: str
    session: str
    branch: str
    head: str
    base: str
    touched: tuple[str, ...]
    strayed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TaskRequeued:
    """Another attempt follows; `reason` and the evidence go into its prompt."""

    issue: str
    reason: str


@dataclass(frozen=True, slots=True)
class FollowUpWanted:
    """The work on the branch does not land as it is; a session on it gets the evidence. `paths` conflict."""

    issue: str
    reason: str
    evidence: str
    head: str
    paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TaskBlocked:
    """Given up until a person acts; `unblock` is the command that helps."""

    issue: str
    reason: str
    unblock: str


@dataclass(frozen=True, slots=True)
class TaskRetried:
    """A person gives the task a fresh set of attempts, maybe with another engine."""

    issue: str
    by: str
    engine: str | None = None


@dataclass(frozen=True, slots=True)
class TaskDropped:
    issue: str
    by: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class TaskSplit:
    """The task is dropped for smaller ones, issues `into`: what waited for it waits for all of them."""

    issue: str
    into: tuple[str, ...]
    by: str


@dataclass(frozen=True, slots=True)
class TaskCommented:
    """A person's remark; it goes into the next prompt."""

    issue: str
    by: str
    text: str


@dataclass(frozen=True, slots=True)
class HoldPlaced:
    """Nothing of this task is published or landed until exactly this head is released.

    No head: the whole task. `split`: until the Mayor has cut it into smaller ones, as these words ask.
    """

    issue: str
    session: str | None
    head: str | None
    reason: str
    paths: tuple[str, ...] = ()
    by: str = "policy"
    split: str = ""


@dataclass(frozen=True, slots=True)
class HoldReleased:
    issue: str
    head: str | None
    by: str


@dataclass(frozen=True, slots=True)
class MergeStarted:
    """The intent to land `commit`, which is `head` on `base`."""

    issue: str
    attempt: int
    strategy: str
    base: str
    head: str
    commit: str
    tree: str


@dataclass(frozen=True, slots=True)
class MergeFailed:
    """`reason`: `conflict`, `check`, `review`, `refused`, `ejected`; put off: `base-moved`, `withdrawn`."""

    issue: str
    attempt: int
    strategy: str
    reason: str
    evidence: str = ""


@dataclass(frozen=True, slots=True)
class MergeSucceeded:
    """`commit` is in the target.

    `checked` names the checks it passed; empty: nothing verified it. No commit: nothing was left to land.
    """

    issue: str
    attempt: int
    strategy: str
    commit: str | None
    base: str
    checked: tuple[str, ...] = ()


Fact = (
    ConvoyOpened
    | PlanRecorded
    | PlanRefused
    | PlanApproved
    | ConvoyPaused
    | ConvoyResumed
    | ConvoyCancelled
    | ConvoyFailed
    | ConvoyCompleted
    | BaseTakenOver
    | TaskAdded
    | SessionStarted
    | SessionEnded
    | WorkPublished
    | TaskRequeued
    | FollowUpWanted
    | TaskBlocked
    | TaskRetried
    | TaskDropped
    | TaskSplit
    | TaskCommented
    | HoldPlaced
    | HoldReleased
    | MergeStarted
    | MergeFailed
    | MergeSucceeded
    | HubFact
)
