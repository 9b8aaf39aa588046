"""Facts → drafts of events: what is written when something happened."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from app.board.blocks import looks_like_block, write_json_block
from app.board.board import Board
from app.board.bodies import convoy_body, task_body
from app.board.codec import encode, encode_planned
from app.board.model import Convoy, Session
from app.board.sessions import ended_block, merge_block, started_block
from app.errors import Defect
from app.grite import (
    CommentAdded,
    DependencyAdded,
    Draft,
    IssueCreated,
    IssueId,
    Kind,
    LabelAdded,
    LabelRemoved,
    LinkAdded,
    StateChanged,
)
from app.ports import (
    ConvoyCancelled,
    ConvoyCompleted,
    ConvoyFailed,
    ConvoyOpened,
    ConvoyPaused,
    ConvoyResumed,
    Fact,
    FollowUpWanted,
    HoldPlaced,
    LedgerOpened,
    MergeFailed,
    MergeStarted,
    MergeSucceeded,
    PlannedTask,
    PlanRecorded,
    PullOpened,
    SessionEnded,
    SessionStarted,
    TaskAdded,
    TaskBlocked,
    TaskCommented,
    TaskDropped,
    TaskRequeued,
    TaskRetried,
    TaskSplit,
    WorkPublished,
)

__all__ = ["record", "repairs"]

_STATUS: dict[type[object], str] = {
    ConvoyPaused: "status:paused",
    ConvoyResumed: "status:active",
    ConvoyCancelled: "status:failed",
    ConvoyFailed: "status:failed",
    ConvoyCompleted: "status:complete",
    WorkPublished: "status:needs-review",
    TaskRequeued: "status:queued",
    TaskRetried: "status:queued",
    TaskBlocked: "status:blocked",
    TaskDropped: "status:dropped",
    TaskSplit: "status:dropped",
    MergeSucceeded: "status:merged",
    HoldPlaced: "status:needs-review",
}
_MERGE: dict[type[object], str] = {
    WorkPublished: "merge:queued",
    MergeStarted: "merge:running",
    MergeFailed: "merge:failed",
    MergeSucceeded: "merge:succeeded",
    FollowUpWanted: "merge:retry-pending",
}
_CLOSES = (ConvoyCancelled, ConvoyFailed, ConvoyCompleted, TaskDropped, TaskSplit, MergeSucceeded)

_LEDGER = (
    "brat: what was answered",
    "Answers to people and effects of their own; the control plane writes here.",
)
"""Title and body of the issue that belongs to no convoy."""


def record(board: Board, facts: Iterable[Fact], *, now: int) -> tuple[Draft, ...]:
    """The drafts that say these facts, in order; label changes are computed against the board."""
    said = tuple(facts)
    if not said:
        return ()
    writer = _Writer(board, said, now)
    for fact in said:
        writer.write(fact)
    return tuple(writer.drafts)


def repairs(board: Board) -> tuple[Draft, ...]:
    """Drafts that remove every status label but the one that counts."""
    stray = (each for convoy in board.moving for each in convoy.stray_labels())
    return tuple(Draft(IssueId(issue), LabelRemoved(label)) for issue, label in stray)


class _Writer:
    """Collects drafts; follows the labels as it changes them."""

    def __init__(self, board: Board, facts: tuple[Fact, ...], now: int) -> None:
        self.drafts: list[Draft] = []
        self._now = now
        self._labels: dict[str, set[str]] = {}
        self._sessions: dict[str, Session] = {}
        self._convoy_ids: dict[str, str] = {}
        self._proposed = {each.issue for each in board.proposals}
        self._issue_of: dict[tuple[str, str], str] = {}
        for convoy in _concerned(board, facts):
            self._labels[convoy.issue] = set(convoy.labels)
            self._convoy_ids[convoy.issue] = convoy.id
            self._sessions |= {each.id: each for each in convoy.all_sessions}
            self._labels |= {task.issue: set(task.labels) for task in convoy.tasks}
            self._issue_of |= {(convoy.issue, task.spec.id): task.issue for task in convoy.tasks}

    def write(self, fact: Fact) -> None:
        match fact:
            case ConvoyOpened():
                labels = ("type:convoy", f"convoy:{fact.convoy}", "status:active")
                self._open(fact.issue, fact.title, convoy_body(fact), labels=labels)
                self._convoy_ids[fact.issue] = fact.convoy
                if fact.request is not None:
                    self._add(fact.issue, LinkAdded(fact.request.url))
                self._comment(fact.issue, write_json_block(encode(fact)))
            case PlanRecorded():
                self._plan(fact)
            case TaskAdded():
                (spec,) = fact.plan.tasks
                self._issue_of.setdefault((fact.convoy, spec.id), fact.issue)
                self._task(fact.convoy, fact.issue, (fact.task, fact.number), spec=spec, plan=None)
            case SessionStarted() | SessionEnded():
                self._session(fact)
            case MergeStarted() | MergeFailed() | MergeSucceeded():
                self._comment(fact.issue, merge_block(fact))
            case TaskCommented():
                self._comment(fact.issue, _remark(fact.text))
            case LedgerOpened():
                self._open(fact.issue, *_LEDGER, labels=("type:ledger",))
                self._comment(fact.issue, write_json_block(encode(fact)))
            case PullOpened():
                self._add(fact.issue, LinkAdded(fact.url))
                self._comment(fact.issue, write_json_block(encode(fact)))
            case _:
                self._comment(fact.issue, write_json_block(encode(fact)))
        self._follow(fact)

    def _follow(self, fact: Fact) -> None:
        """Labels and the closed state that go with the fact."""
        if isinstance(fact, SessionStarted) and fact.purpose == "work":
            self._relabel(fact.issue, "status:", "status:running")
        whole_task = isinstance(fact, HoldPlaced) and fact.head is None
        if (status := _STATUS.get(type(fact))) and not whole_task:
            self._relabel(fact.issue, "status:", status)
        if merge := _MERGE.get(type(fact)):
            self._relabel(fact.issue, "merge:", merge)
        if isinstance(fact, _CLOSES):
            self._add(fact.issue, StateChanged("closed"))

    def _plan(self, fact: PlanRecorded) -> None:
        plan = fact.plan
        self._comment(
            fact.issue,
            write_json_block(
                {
                    "fact": "PlanRecorded",
                    "hash": fact.hash,
                    "issues": fact.issues,
                    "tasks": fact.tasks,
                    "first": fact.first,
                    "summary": plan.summary,
                    "assumptions": plan.assumptions,
                    "open_questions": plan.open_questions,
                    "base_commit": plan.base_commit,
                    "notes": plan.notes,
                }
            ),
        )
        names = ((fact.issue, each.id) for each in plan.tasks)
        self._issue_of |= dict(zip(names, fact.issues, strict=True))
        for offset, spec in enumerate(plan.tasks):
            self._task(
                fact.issue,
                fact.issues[offset],
                (fact.tasks[offset], fact.first + offset),
                spec=spec,
                plan=fact.hash,
            )

    def _task(
        self, convoy: str, issue: str, name: tuple[str, int], *, spec: PlannedTask, plan: str | None
    ) -> None:
        """The task's issue, or what makes a task of an issue that somebody else opened."""
        id, number = name
        labels = ["type:task", f"task:{id}", f"convoy:{self._convoy_ids[convoy]}", "status:queued"]
        if spec.engine:
            labels.append(f"engine:{spec.engine}")
        if issue not in self._proposed:
            self._open(issue, spec.title, task_body(spec), labels=tuple(labels))
        planned: Mapping[str, object] = {
            "fact": "TaskPlanned",
            "convoy": convoy,
            "task": id,
            "number": number,
            "plan": plan,
            "spec": encode_planned(spec),
        }
        self._comment(issue, write_json_block(planned))
        if issue in self._proposed:
            self._label_anew(issue, labels)
        for needed in spec.depends_on:
            target = self._issue_of.get((convoy, needed))
            if target is not None:
                self._add(issue, DependencyAdded(IssueId(target), "depends_on"))

    def _label_anew(self, issue: str, labels: list[str]) -> None:
        """Labels that somebody else put there count for nothing, so all are said again, signed."""
        self._labels[issue] = set(labels)
        for label in sorted(labels):
            self._add(issue, LabelAdded(label))

    def _session(self, fact: SessionStarted | SessionEnded) -> None:
        if isinstance(fact, SessionStarted):
            self._sessions[fact.session] = Session(fact, self._now, "")
            self._comment(fact.issue, started_block(fact, started_ts=self._now))
            return
        known = self._sessions.get(fact.session)
        if known is None:
            raise Defect(f"session {fact.session} ended without having started")
        self._comment(fact.issue, ended_block(fact, known.started, started_ts=known.started_ts))

    def _open(self, issue: str, title: str, body: str, *, labels: tuple[str, ...]) -> None:
        self._labels[issue] = set(labels)
        self._add(issue, IssueCreated(title, body, tuple(sorted(labels))))

    def _comment(self, issue: str, body: str) -> None:
        self._add(issue, CommentAdded(body))

    def _relabel(self, issue: str, prefix: str, wanted: str) -> None:
        have = self._labels.setdefault(issue, set())
        for label in sorted(have):
            if label.startswith(prefix) and label != wanted:
                have.discard(label)
                self._add(issue, LabelRemoved(label))
        if wanted not in have:
            have.add(wanted)
            self._add(issue, LabelAdded(wanted))

    def _add(self, issue: str, kind: Kind) -> None:
        self.drafts.append(Draft(IssueId(issue), kind))


def _concerned(board: Board, facts: tuple[Fact, ...]) -> tuple[Convoy, ...]:
    """The convoys that the facts are about; of a long log, hardly any."""
    issues = {fact.issue for fact in facts} | {fact.convoy for fact in facts if isinstance(fact, TaskAdded)}
    issues |= {task.convoy for convoy in board.convoys for task in convoy.tasks if task.issue in issues}
    return tuple([convoy for convoy in board.convoys if convoy.issue in issues])


def _remark(text: str) -> str:
    """A person's words, signed as they are, must never read as a decision: quoted, a block is none."""
    return "\n".join(f"> {line}" for line in text.splitlines()) if looks_like_block(text) else text
