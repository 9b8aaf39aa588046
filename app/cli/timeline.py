"""Events in words: what each says happened, to whom, signed by whom. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any

from app.board import Board, Trust, counted, fact_of
from app.cli.hub_words import HUB_WORDS
from app.cli.progress import one_line
from app.grite import CommentAdded, Event, IssueCreated
from app.ports import (
    BaseTakenOver,
    ConvoyCancelled,
    ConvoyCompleted,
    ConvoyFailed,
    ConvoyOpened,
    ConvoyPaused,
    ConvoyResumed,
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
    TaskDropped,
    TaskRequeued,
    TaskRetried,
    TaskSplit,
    WorkPublished,
)
from app.values import dataclass

__all__ = ["Entry", "raw_json", "subjects", "timeline"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened. `counted`: signed by a key that counts here."""

    event: Event
    subject: str
    what: str
    text: str
    counted: bool
    fact: Fact | PlannedTask | None = None

    def to_json(self) -> dict[str, Any]:
        """For programs, with the fact's own fields."""
        return {
            "ts": self.event.ts,
            "event": self.event.id,
            "actor": self.event.actor,
            "counted": self.counted,
            "issue": self.event.issue,
            "subject": self.subject,
            "what": self.what,
            "text": self.text,
            "fact": None if self.fact is None else asdict(self.fact),
        }


def timeline(events: Iterable[Event], trusted: Trust, names: Mapping[str, str]) -> Iterator[Entry]:
    """Those events that say something by themselves; labels and states that follow from them are left out."""
    for event in events:
        counted = trusted(event)
        found = _told(event, counted)
        if found is not None:
            what, text, fact = found
            name = names.get(str(event.issue), str(event.issue)[:8])
            yield Entry(event, name, what, one_line(text), counted, fact)


def subjects(board: Board) -> dict[str, str]:
    """How issues are called: `auth-jwt` and `auth-jwt/3`."""
    found = {each.issue: each.slug for each in board.convoys}
    if board.ledger.issue is not None:
        found[board.ledger.issue] = "ledger"
    tasks = ((task.issue, f"{each.slug}/{task.number}") for each in board.convoys for task in each.tasks)
    return found | dict(tasks)


def raw_json(event: Event, *, counted: bool) -> dict[str, Any]:
    """An event as it stands in the log."""
    kind = {
        name: value.hex() if isinstance(value, bytes) else value for name, value in asdict(event.kind).items()
    }
    return {
        "ts": event.ts,
        "event": event.id,
        "actor": event.actor,
        "signed": event.sig is not None,
        "counted": counted,
        "issue": event.issue,
        "kind": type(event.kind).__name__,
        "values": kind,
    }


def _told(event: Event, counted: bool) -> tuple[str, str, Fact | PlannedTask | None] | None:
    if isinstance(event.kind, IssueCreated) and not counted:
        return "Proposed", f"proposed: {event.kind.title}", None
    if not isinstance(event.kind, CommentAdded):
        return None
    try:
        fact = fact_of(event)
    except ValueError as error:
        return "Unreadable", f"a block that cannot be read: {error}", None
    if fact is None:
        return "Remark", f"remark: {event.kind.body}", None
    return type(fact).__name__, _WORDS[type(fact)](fact), fact


def _opened(fact: ConvoyOpened) -> str:
    asked = f", asked for in {fact.request.url}" if fact.request else ""
    return f"opened by {fact.by}{asked}: {fact.title}"


def _started(fact: SessionStarted) -> str:
    by = f" by {fact.engine}" if fact.engine else ""
    return f"{fact.purpose} session {fact.session} started: attempt {fact.attempt}{by}"


def _ended(fact: SessionEnded) -> str:
    first = fact.evidence.partition("\n")[0]
    why = f" ({first})" if first and fact.finding.value != "done" else ""
    cost = "" if fact.usage.usd is None else f", {fact.usage.usd:.4f} USD"
    return f"{fact.purpose} session {fact.session} ended: {fact.finding.value}{why}{cost}"


def _landed(fact: MergeSucceeded) -> str:
    if fact.commit is None:
        return "nothing was left to land"
    checked = f", checked: {', '.join(fact.checked)}" if fact.checked else ", no check ran"
    return f"landed as {fact.commit[:12]} ({fact.strategy}{checked})"


def _because(reason: str) -> str:
    return f": {reason}" if reason else ""


def _at(head: str | None) -> str:
    return f" at {head[:12]}" if head else ""


_WORDS: dict[type[Any], Callable[[Any], str]] = {
    ConvoyOpened: _opened,
    PlanRecorded: lambda fact: f"plan {fact.hash[:12]} recorded: {counted(len(fact.issues), 'task')}",
    PlannedTask: lambda fact: f"task: {fact.title}",
    PlanRefused: lambda fact: f"plan refused: {'; '.join(fact.errors)}",
    PlanApproved: lambda fact: f"plan {fact.hash[:12]} approved by {fact.by}",
    ConvoyPaused: lambda fact: f"paused by {fact.by}" + (fact.why and f": {fact.why}"),
    ConvoyResumed: lambda fact: f"resumed by {fact.by}",
    ConvoyCancelled: lambda fact: f"cancelled by {fact.by}{_because(fact.reason)}",
    ConvoyFailed: lambda fact: f"failed: {fact.reason}",
    ConvoyCompleted: lambda fact: f"complete{_at(fact.head)}",
    BaseTakenOver: lambda fact: f"{fact.base} moved from {fact.old[:12]} to {fact.new[:12]}",
    SessionStarted: _started,
    SessionEnded: _ended,
    WorkPublished: lambda fact: f"work published on {fact.branch}{_at(fact.head)}",
    TaskRequeued: lambda fact: f"to be tried again: {fact.reason}",
    FollowUpWanted: lambda fact: f"sent back to an agent: {fact.reason}",
    TaskBlocked: lambda fact: f"blocked: {fact.reason}",
    TaskRetried: lambda fact: f"retried by {fact.by}" + (f" with {fact.engine}" if fact.engine else ""),
    TaskSplit: lambda fact: f"split into {counted(len(fact.into), 'task')}, as {fact.by} asked",
    TaskDropped: lambda fact: f"dropped by {fact.by}{_because(fact.reason)}",
    HoldPlaced: lambda fact: f"held{_at(fact.head)}: {fact.reason}",
    HoldReleased: lambda fact: f"released{_at(fact.head)} by {fact.by}",
    MergeStarted: lambda fact: (
        f"landing {fact.attempt} began: {fact.strategy}"
        + (f" as {fact.commit[:12]}" if fact.commit else ", which conflicts")
    ),
    MergeFailed: lambda fact: f"landing {fact.attempt} failed: {fact.reason}",
    MergeSucceeded: _landed,
    **HUB_WORDS,
}
