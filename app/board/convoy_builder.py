"""Mutable helper of the fold: one convoy while its events are applied, frozen at the end."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.board.builders import Labels, Pulls, Sessions
from app.board.model import Convoy, ConvoyStatus, Task
from app.ports import (
    BaseTakenOver,
    ConvoyCancelled,
    ConvoyFailed,
    ConvoyOpened,
    ConvoyPaused,
    ConvoyResumed,
    Fact,
    PlanApproved,
    PlanRecorded,
    PlanRefused,
    PriorityChanged,
    ReplanAsked,
    RequestVoided,
    SessionEnded,
    SessionStarted,
    StrategyChanged,
)

__all__ = ["ConvoyBuilder"]


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
    approved_digest: str = ""
    voided: str = ""
    wishes: list[str] = field(default_factory=list)
    before_wish: int = 0
    replaced: set[str] = field(default_factory=set)
    first_number: int = 1
    strategy: str = ""
    priority: int = 0
    paused: ConvoyPaused | None = None
    pulls: Pulls = field(default_factory=Pulls)

    def apply(self, fact: Fact, ts: int, actor: str) -> None:
        """One fact; one that does not fit is without effect."""
        match fact:
            case SessionStarted() | SessionEnded():
                self.sessions.apply(fact, ts, actor)
            case PlanRecorded():
                self._planned(fact)
            case PlanApproved():
                self._approved(fact)
            case PlanRefused():
                self.refusals.append(fact)
            case BaseTakenOver():
                self.taken_over = self.taken_over or fact
            case ConvoyFailed():
                self.reason = self.reason or fact.reason
            case ConvoyCancelled():
                self.reason = self.reason or f"cancelled by {fact.by}" + (fact.reason and f": {fact.reason}")
            case _:
                self._steered(fact)

    def _steered(self, fact: Fact) -> None:
        """What people change while it runs, and its own pull request."""
        match fact:
            case ConvoyPaused():
                self.paused = fact
            case ConvoyResumed():
                self.paused = None
            case RequestVoided():
                self.approved_by, self.voided = None, fact.why
                self.approved_digest = fact.digest
            case ReplanAsked():
                if self.plan is not None:
                    self.replaced.add(self.plan.hash)
                self.plan = self.approved_by = None
                self.refusals.clear()
                self.wishes.append(fact.text)
                self.before_wish = len(self.sessions.by_id)
            case StrategyChanged():
                self.strategy = fact.strategy
            case PriorityChanged():
                self.priority = fact.level
            case _:
                self.pulls.apply(fact)

    def _planned(self, fact: PlanRecorded) -> None:
        if self.plan is None:
            self.plan = fact
            self.first_number = max(self.first_number, fact.first + len(fact.tasks))

    def _approved(self, fact: PlanApproved) -> None:
        if self.plan is not None and fact.hash == self.plan.hash:
            self.approved_by = self.approved_by or fact.by
            self.approved_digest, self.voided = fact.digest or self.approved_digest, ""

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
            strategy=self.strategy or opened.strategy,
            approval="required" if self.voided else opened.approval,
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
            request=opened.request,
            approved_digest=self.approved_digest or (opened.request.digest if opened.request else ""),
            voided=self.voided,
            wishes=tuple(self.wishes),
            before_wish=self.before_wish,
            first_number=self.first_number,
            priority=self.priority,
            paused=self.paused,
            pull=self.pulls.opened,
            pull_ended=self.pulls.ended,
            feedback=frozenset(self.pulls.feedback),
        )
