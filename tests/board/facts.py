"""One of every fact, on the issues of a book with one convoy of two tasks."""

from __future__ import annotations

from app.board import Convoy
from app.ports import (
    Answered,
    BaseTakenOver,
    ConvoyCancelled,
    ConvoyCompleted,
    ConvoyFailed,
    ConvoyPaused,
    ConvoyResumed,
    EffectIntended,
    EffectSeen,
    Fact,
    FeedbackGiven,
    Finding,
    FollowUpWanted,
    HoldPlaced,
    HoldReleased,
    LedgerOpened,
    MergeFailed,
    MergeStarted,
    MergeSucceeded,
    Plan,
    PlanApproved,
    PlannedTask,
    PlanRefused,
    PriorityChanged,
    PullEnded,
    PullOpened,
    ReplanAsked,
    RequestVoided,
    Role,
    SessionEnded,
    SessionStarted,
    StrategyChanged,
    TaskAdded,
    TaskBlocked,
    TaskCommented,
    TaskDropped,
    TaskRequeued,
    TaskRetried,
    TaskSplit,
    Usage,
    WorkPublished,
)
from tests.book import BASE

HEAD, TREE = "b" * 40, "d" * 40


def every_fact(convoy: Convoy, text: str = "because") -> list[Fact]:
    """With `text` in each place that holds free text."""
    issue, task = convoy.issue, convoy.tasks[0].issue
    plan_hash = convoy.plan.hash if convoy.plan else ""
    added = Plan("", (PlannedTask("extra", text or "x", instructions=text),))
    return [
        PlanRefused(issue, "s-1", (text,)),
        PlanApproved(issue, plan_hash, text),
        ConvoyPaused(issue, text),
        ConvoyResumed(issue, text),
        ConvoyCancelled(issue, "ada", text),
        ConvoyFailed(issue, text),
        ConvoyCompleted(issue, HEAD),
        BaseTakenOver(issue, "main", BASE, HEAD),
        TaskAdded("98" * 16, issue, 3, "t-20260101-beef", added, "ada"),
        SessionStarted(
            task, "s-1", Role.WITNESS, "work", 1, BASE, 9, engine="codex", model=text, reserved_usd=0.25
        ),
        SessionEnded(
            task, "s-1", Role.WITNESS, "work", Finding.ACCEPTANCE, 1, 8, Usage(1, 2, 0.1), text, None, HEAD
        ),
        WorkPublished(task, "s-1", "convoy/jwt/task-1", HEAD, BASE, (text,), (text,)),
        TaskRequeued(task, text),
        FollowUpWanted(task, "conflict", text, HEAD, (text,)),
        TaskBlocked(task, text, "brat task retry 1"),
        TaskRetried(task, text, "codex"),
        TaskDropped(task, "ada", text),
        TaskSplit(task, ("98" * 16,), text),
        TaskCommented(task, "ada", text or "x"),
        HoldPlaced(task, "s-1", HEAD, text, (text,)),
        HoldReleased(task, HEAD, text),
        MergeStarted(task, 1, "squash", BASE, HEAD, HEAD, TREE),
        MergeFailed(task, 1, "squash", "check", text),
        MergeSucceeded(task, 1, "squash", HEAD, BASE, ("tests",)),
        LedgerOpened("97" * 16),
        Answered(issue, "comment:5", 7, text, "ada", 3, True, text, 9),
        EffectIntended(issue, "sticky", "process-1", 9),
        EffectSeen(issue, "sticky", 12, text),
        PullOpened(task, 8, "https://example.org/pull/8", HEAD),
        PullEnded(task, 8, text),
        FeedbackGiven(task, "checks", HEAD),
        RequestVoided(issue, text, "d" * 64),
        ReplanAsked(issue, "ada", text),
        StrategyChanged(issue, "ada", "merge"),
        PriorityChanged(issue, "ada", 2),
    ]
