"""What the log says: convoys, tasks, sessions and merges as frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from app.ports import (
    BaseTakenOver,
    FollowUpWanted,
    HoldPlaced,
    PlannedTask,
    PlanRecorded,
    PlanRefused,
    SessionEnded,
    SessionStarted,
    TaskBlocked,
    WorkPublished,
)

__all__ = ["Board", "Convoy", "ConvoyStatus", "Merge", "Problem", "Proposal", "Session", "Task", "TaskStatus"]


class ConvoyStatus(StrEnum):
    ACTIVE = "active"
    PAUSED = "paused"
    COMPLETE = "complete"
    FAILED = "failed"

    @property
    def final(self) -> bool:
        return self in (ConvoyStatus.COMPLETE, ConvoyStatus.FAILED)


class TaskStatus(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    BLOCKED = "blocked"
    NEEDS_REVIEW = "needs-review"
    MERGED = "merged"
    DROPPED = "dropped"

    @property
    def final(self) -> bool:
        return self in (TaskStatus.MERGED, TaskStatus.DROPPED)


@dataclass(frozen=True, slots=True)
class Session:
    """A session as recorded: its start, and its end once there is one. `actor` wrote the start."""

    started: SessionStarted
    started_ts: int
    actor: str
    ended: SessionEnded | None = None

    @property
    def id(self) -> str:
        return self.started.session

    @property
    def open(self) -> bool:
        return self.ended is None

    @property
    def cost_usd(self) -> float:
        """Spent, or reserved while open or when the engine did not say what it spent."""
        reserved = self.started.reserved_usd or 0.0
        if self.ended is None or self.ended.usage.usd is None:
            return reserved
        return self.ended.usage.usd


@dataclass(frozen=True, slots=True)
class Merge:
    """One attempt to land. `result` is running, failed or succeeded."""

    attempt: int
    strategy: str
    result: str
    started_ts: int
    base: str = ""
    head: str = ""
    commit: str | None = None
    tree: str | None = None
    reason: str = ""
    evidence: str = ""
    checked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Task:
    """One task. `spec` holds what was planned; `since_ts` is when its present set of attempts began."""

    issue: str
    id: str
    convoy: str
    number: int
    spec: PlannedTask
    depends_on: tuple[int, ...]
    status: TaskStatus
    created_ts: int
    updated_ts: int
    sessions: tuple[Session, ...] = ()
    merges: tuple[Merge, ...] = ()
    work: WorkPublished | None = None
    work_ts: int = 0
    follow_up: FollowUpWanted | None = None
    blocked: TaskBlocked | None = None
    hold: HoldPlaced | None = None
    released: frozenset[str] = frozenset()
    remarks: tuple[str, ...] = ()
    engine: str | None = None
    since_ts: int = 0
    labels: frozenset[str] = frozenset()

    @property
    def title(self) -> str:
        return self.spec.title

    @property
    def open_work(self) -> Session | None:
        """The work session that has not ended; of two, the earlier."""
        return next((each for each in self.sessions if each.open and each.started.purpose == "work"), None)

    @property
    def merge(self) -> Merge | None:
        """The latest merge attempt."""
        return self.merges[-1] if self.merges else None

    @property
    def merge_commit(self) -> str | None:
        return next((each.commit for each in reversed(self.merges) if each.result == "succeeded"), None)

    @property
    def attempts(self) -> int:
        """Work sessions ever started."""
        return sum(each.started.purpose == "work" for each in self.sessions)


@dataclass(frozen=True, slots=True)
class Convoy:
    """One request and its tasks, in task number order."""

    issue: str
    id: str
    slug: str
    title: str
    goal: str
    base: str
    base_commit: str
    target: str
    strategy: str
    approval: str
    planner: str
    by: str
    status: ConvoyStatus
    opened_ts: int
    updated_ts: int
    actor: str
    engine: str | None = None
    tasks: tuple[Task, ...] = ()
    plan: PlanRecorded | None = None
    approved_by: str | None = None
    sessions: tuple[Session, ...] = ()
    refusals: tuple[PlanRefused, ...] = ()
    taken_over: BaseTakenOver | None = None
    reason: str = ""
    labels: frozenset[str] = frozenset()

    def task(self, number: int) -> Task | None:
        """The task with this number."""
        return next((each for each in self.tasks if each.number == number), None)

    @property
    def all_sessions(self) -> tuple[Session, ...]:
        """Planning sessions, then every task's."""
        return self.sessions + tuple(each for task in self.tasks for each in task.sessions)


@dataclass(frozen=True, slots=True)
class Proposal:
    """A task that somebody without the pinned key wrote down; it waits for approval."""

    issue: str
    title: str
    body: str
    convoy: str | None
    actor: str
    created_ts: int


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in the log that has no effect or needs repair, with its stated outcome."""

    issue: str
    what: str
    outcome: str


@dataclass(frozen=True, slots=True)
class Board:
    """All that the log says. `head` is the log commit it was folded from, `last_ts` its newest timestamp."""

    head: str | None = None
    last_ts: int = 0
    convoys: tuple[Convoy, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    problems: tuple[Problem, ...] = ()
    signers: tuple[str, ...] = ()
    taken: frozenset[str] = frozenset()

    def convoy(self, issue: str) -> Convoy | None:
        """The convoy of this issue id."""
        return next((each for each in self.convoys if each.issue == issue), None)

    @property
    def open_convoys(self) -> tuple[Convoy, ...]:
        return tuple(each for each in self.convoys if not each.status.final)
