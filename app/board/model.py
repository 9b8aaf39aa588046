"""What the log says of work: convoys, tasks, sessions and merges as frozen values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from enum import StrEnum

from app.ports import (
    BaseTakenOver,
    ConvoyPaused,
    FollowUpWanted,
    HoldPlaced,
    PlannedTask,
    PlanRecorded,
    PlanRefused,
    PullEnded,
    PullOpened,
    RequestSource,
    SessionEnded,
    SessionStarted,
    TaskBlocked,
    WorkPublished,
)
from app.values import dataclass

__all__ = [
    "Convoy",
    "ConvoyStatus",
    "Merge",
    "Session",
    "Task",
    "TaskStatus",
]


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
    """One attempt to land. `result` is running, failed or succeeded; `ended_ts` 0: it has not ended."""

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
    ended_ts: int = 0


@dataclass(frozen=True, slots=True)
class Task:
    """One task. `spec` holds what was planned; `since_ts` is when its present set of attempts began.

    `parts` are the tasks that it was split into; `refusals` are answers of planners that were to split it.
    """

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
    pull: PullOpened | None = None
    pull_ended: PullEnded | None = None
    feedback: frozenset[tuple[str, str]] = frozenset()
    held_ts: int = 0
    refusals: tuple[PlanRefused, ...] = ()
    parts: tuple[int, ...] = ()

    @property
    def title(self) -> str:
        return self.spec.title

    @property
    def splitting(self) -> bool:
        """Whether the Mayor is to cut it into smaller ones."""
        return self.hold is not None and bool(self.hold.split) and not self.status.final

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
    """One request and its tasks, in task number order.

    `request` is the code host's issue it came from. `voided` says why an approval does not hold any more;
    `wishes` are what people asked of the next plan, and `before_wish` counts the planning sessions that
    began before the last of them; `first_number` is free for its tasks. `pull` is the convoy's own pull
    request into the base. `at_rest`: it is over, and nothing of it is left to be done. `given_up`: tasks
    that nobody waits for any more, None is the convoy itself. `landings` as on the board.
    """

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
    request: RequestSource | None = None
    approved_digest: str = ""
    voided: str = ""
    wishes: tuple[str, ...] = ()
    before_wish: int = 0
    first_number: int = 1
    priority: int = 0
    paused: ConvoyPaused | None = None
    pull: PullOpened | None = None
    pull_ended: PullEnded | None = None
    feedback: frozenset[tuple[str, str]] = frozenset()
    at_rest: bool = field(default=False, init=False, repr=False, compare=False)
    given_up: tuple[Task | None, ...] = field(default=(), init=False, repr=False, compare=False)
    landings: tuple[int, int, int] = field(default=(0, 0, 0), init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Most convoys of a log are over for good, and every look would ask each of them again.
        object.__setattr__(self, "at_rest", self.status.final and not self._unfinished())
        object.__setattr__(self, "given_up", self._given_up())
        merged = sum([each.status is TaskStatus.MERGED for each in self.tasks])
        landings = (merged, int(self.taken_over is not None), int(self.status.final))
        object.__setattr__(self, "landings", landings)

    def _given_up(self) -> tuple[Task | None, ...]:
        failed = self.status is ConvoyStatus.FAILED
        left = [
            each
            for each in self.tasks
            if each.status is TaskStatus.DROPPED or (failed and not each.status.final)
        ]
        return (*left, None) if failed else tuple(left)

    def _unfinished(self) -> bool:
        return any(each.open for each in self.all_sessions) or any(self.stray_labels())

    def task(self, number: int) -> Task | None:
        """The task with this number."""
        return next((each for each in self.tasks if each.number == number), None)

    def stray_labels(self) -> Iterator[tuple[str, str]]:
        """Every status label but the one that counts, its own and its tasks', each with its issue."""
        own = (self.issue, self.labels, self.status)
        for issue, labels, status in (own, *((each.issue, each.labels, each.status) for each in self.tasks)):
            stray = labels - {f"status:{status}"}
            yield from ((issue, each) for each in sorted(stray) if each.startswith("status:"))

    @property
    def overtaken(self) -> tuple[Session, ...]:
        """Planning sessions that know nothing of the last wish: what they answer is no plan any more."""
        return self.sessions[: self.before_wish]

    @property
    def planners(self) -> tuple[Session, ...]:
        """Planning sessions that know all wishes."""
        return self.sessions[self.before_wish :]

    @property
    def all_sessions(self) -> tuple[Session, ...]:
        """Planning sessions, then every task's."""
        return self.sessions + tuple(each for task in self.tasks for each in task.sessions)
