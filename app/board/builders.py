"""Mutable helpers of the fold: one task, and the parts that tasks and convoys share, frozen at the end."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from app.board.model import Merge, Session, Task, TaskStatus
from app.ports import (
    Fact,
    FeedbackGiven,
    FollowUpWanted,
    HoldPlaced,
    HoldReleased,
    MergeFailed,
    MergeStarted,
    MergeSucceeded,
    PlannedTask,
    PlanRefused,
    PullEnded,
    PullOpened,
    SessionEnded,
    SessionStarted,
    TaskBlocked,
    TaskRetried,
    TaskSplit,
    WorkPublished,
)

__all__ = ["Labels", "Pulls", "Sessions", "TaskBuilder"]


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
class Pulls:
    """The newest pull request of one issue, and what was handed on about it."""

    opened: PullOpened | None = None
    ended: PullEnded | None = None
    feedback: set[tuple[str, str]] = field(default_factory=set)

    def apply(self, fact: Fact) -> None:
        match fact:
            case PullOpened():
                self.opened = fact
                self.ended = None if self.ended and self.ended.number != fact.number else self.ended
            case PullEnded():
                self.ended = fact
            case FeedbackGiven():
                self.feedback.add((fact.what, fact.key))
            case _:
                pass


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
    held_ts: int = 0
    released: set[str] = field(default_factory=set)
    remarks: list[str] = field(default_factory=list)
    engine: str | None = None
    since_ts: int = 0
    pulls: Pulls = field(default_factory=Pulls)
    refusals: list[PlanRefused] = field(default_factory=list)
    split: TaskSplit | None = None

    def apply(self, fact: Fact, ts: int, actor: str) -> None:
        """One fact; one that does not fit is without effect."""
        match fact:
            case SessionStarted() | SessionEnded():
                self.sessions.apply(fact, ts, actor)
            case PlanRefused():
                self.refusals.append(fact)
            case TaskSplit():
                self.split = self.split or fact
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
                self._hold(fact, ts)
            case MergeStarted() | MergeFailed() | MergeSucceeded():
                self._merge(fact, ts)
            case _:
                self.pulls.apply(fact)

    def _hold(self, fact: HoldPlaced | HoldReleased, ts: int) -> None:
        if isinstance(fact, HoldPlaced):
            if fact.head is None or fact.head not in self.released:
                self.hold, self.held_ts = fact, ts
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
        self.merges[fact.attempt] = replace(known, ended_ts=ts)

    def build(self, number: int, depends_on: tuple[int, ...], parts: tuple[int, ...] = ()) -> Task:
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
            pull=self.pulls.opened,
            pull_ended=self.pulls.ended,
            feedback=frozenset(self.pulls.feedback),
            held_ts=self.held_ts,
            refusals=tuple(self.refusals),
            parts=parts,
        )
