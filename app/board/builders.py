"""Mutable helpers of the fold: one convoy or task while its events are applied, frozen at the end."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from app.board.model import Convoy, ConvoyStatus, Merge, Session, Task, TaskStatus
from app.ports import (
    BaseTakenOver,
    ConvoyCancelled,
    ConvoyFailed,
    ConvoyOpened,
    Fact,
    FollowUpWanted,
    HoldPlaced,
    HoldReleased,
    MergeFailed,
    MergeStarted,
    MergeSucceeded,
    PlanApproved,
    PlannedTask,
    PlanRecorded,
    PlanRefused,
    SessionEnded,
    SessionStarted,
    TaskBlocked,
    TaskRetried,
    WorkPublished,
)

__all__ = ["ConvoyBuilder", "Labels", "Sessions", "TaskBuilder"]


@dataclass(slots=True)
class Labels:
    """Labels of one issue; the status is the one added last, and a final one stays."""

    final: frozenset[str]
    all: set[str] = field(default_factory=set)
    status: str = ""

    def add(self, label: str) -> None:
        self.all.add(label)
        prefix, _, word = label.partition(":")
        if prefix == "status" and self.status not in self.final:
            self.status = word

    def remove(self, label: str) -> None:
        self.all.discard(label)

    @property
    def statuses(self) -> list[str]:
        return sorted(label for label in self.all if label.startswith("status:"))


@dataclass(slots=True)
class Sessions:
    """Sessions of one issue in the order of their start; the first end counts."""

    by_id: dict[str, Session] = field(default_factory=dict)

    def apply(self, fact: SessionStarted | SessionEnded, ts: int, actor: str) -> None:
        known = self.by_id.get(fact.session)
        if isinstance(fact, SessionStarted):
            self.by_id.setdefault(fact.session, Session(fact, ts, actor))
        elif known is not None and known.ended is None:
            self.by_id[fact.session] = replace(known, ended=fact)


@dataclass(slots=True)
class TaskBuilder:
    """One task while its events are applied."""

    issue: str
    convoy: str
    id: str
    number: int
    spec: PlannedTask
    plan: str | None
    created_ts: int
    labels: Labels
    updated_ts: int = 0
    sessions: Sessions = field(default_factory=Sessions)
    merges: dict[int, Merge] = field(default_factory=dict)
    work: WorkPublished | None = None
    work_ts: int = 0
    follow_up: FollowUpWanted | None = None
    blocked: TaskBlocked | None = None
    hold: HoldPlaced | None = None
    released: set[str] = field(default_factory=set)
    remarks: list[str] = field(default_factory=list)
    engine: str | None = None
    since_ts: int = 0

    def apply(self, fact: Fact, ts: int, actor: str) -> None:
        """One fact; one that does not fit is without effect."""
        match fact:
            case SessionStarted() | SessionEnded():
                self.sessions.apply(fact, ts, actor)
            case WorkPublished():
                self.work, self.work_ts = fact, ts
                self.follow_up = self.hold = None
            case FollowUpWanted():
                self.follow_up = fact
            case TaskBlocked():
                self.blocked = fact
            case TaskRetried():
                self.blocked, self.since_ts = None, ts
                self.engine = fact.engine or self.engine
            case HoldPlaced() | HoldReleased():
                self._hold(fact)
            case MergeStarted() | MergeFailed() | MergeSucceeded():
                self._merge(fact, ts)
            case _:
                pass

    def _hold(self, fact: HoldPlaced | HoldReleased) -> None:
        if isinstance(fact, HoldPlaced):
            if fact.head is None or fact.head not in self.released:
                self.hold = fact
            return
        if fact.head is not None:
            self.released.add(fact.head)
        if self.hold is not None and self.hold.head == fact.head:
            self.hold = None

    def _merge(self, fact: MergeStarted | MergeFailed | MergeSucceeded, ts: int) -> None:
        known = self.merges.get(fact.attempt)
        if isinstance(fact, MergeStarted):
            merge = Merge(
                fact.attempt, fact.strategy, "running", ts, fact.base, fact.head, fact.commit, fact.tree
            )
            self.merges.setdefault(fact.attempt, merge)
            return
        if known is None:
            known = Merge(fact.attempt, fact.strategy, "running", ts)
        if known.result != "running":
            return
        if isinstance(fact, MergeFailed):
            known = replace(known, result="failed", reason=fact.reason, evidence=fact.evidence)
        else:
            known = replace(known, result="succeeded", commit=fact.commit, checked=fact.checked)
        self.merges[fact.attempt] = known

    def build(self, number: int, depends_on: tuple[int, ...]) -> Task:
        return Task(
            issue=self.issue,
            id=self.id,
            convoy=self.convoy,
            number=number,
            spec=self.spec,
            depends_on=depends_on,
            status=TaskStatus(self.labels.status),
            created_ts=self.created_ts,
            updated_ts=self.updated_ts,
            sessions=tuple(self.sessions.by_id.values()),
            merges=tuple(self.merges[attempt] for attempt in sorted(self.merges)),
            work=self.work,
            work_ts=self.work_ts,
            follow_up=self.follow_up,
            blocked=self.blocked if self.labels.status == TaskStatus.BLOCKED else None,
            hold=self.hold,
            released=frozenset(self.released),
            remarks=tuple(self.remarks),
            engine=self.engine or self.spec.engine,
            since_ts=self.since_ts,
            labels=frozenset(self.labels.all),
        )


@dataclass(slots=True)
class ConvoyBuilder:
    """One convoy while its events are applied."""

    opened: ConvoyOpened
    opened_ts: int
    actor: str
    labels: Labels
    updated_ts: int = 0
    plan: PlanRecorded | None = None
    approved_by: str | None = None
    sessions: Sessions = field(default_factory=Sessions)
    refusals: list[PlanRefused] = field(default_factory=list)
    taken_over: BaseTakenOver | None = None
    reason: str = ""

    def apply(self, fact: Fact, ts: int, actor: str) -> None:
        """One fact; one that does not fit is without effect."""
        match fact:
            case SessionStarted() | SessionEnded():
                self.sessions.apply(fact, ts, actor)
            case PlanRecorded():
                self.plan = self.plan or fact
            case PlanApproved():
                if self.plan is not None and fact.hash == self.plan.hash:
                    self.approved_by = self.approved_by or fact.by
            case PlanRefused():
                self.refusals.append(fact)
            case BaseTakenOver():
                self.taken_over = self.taken_over or fact
            case ConvoyFailed():
                self.reason = self.reason or fact.reason
            case ConvoyCancelled():
                self.reason = self.reason or f"cancelled by {fact.by}" + (fact.reason and f": {fact.reason}")
            case _:
                pass

    def build(self, tasks: tuple[Task, ...]) -> Convoy:
        opened = self.opened
        return Convoy(
            issue=opened.issue,
            id=opened.convoy,
            slug=opened.slug,
            title=opened.title,
            goal=opened.goal,
            base=opened.base,
            base_commit=opened.base_commit,
            target=opened.target,
            strategy=opened.strategy,
            approval=opened.approval,
            planner=opened.planner,
            by=opened.by,
            status=ConvoyStatus(self.labels.status),
            opened_ts=self.opened_ts,
            updated_ts=max(self.updated_ts, *(task.updated_ts for task in tasks), 0),
            actor=self.actor,
            engine=opened.engine,
            tasks=tasks,
            plan=self.plan,
            approved_by=self.approved_by,
            sessions=tuple(self.sessions.by_id.values()),
            refusals=tuple(self.refusals),
            taken_over=self.taken_over,
            reason=self.reason,
            labels=frozenset(self.labels.all),
        )
