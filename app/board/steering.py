"""What a person may say to convoys and tasks: a wish becomes facts, or is refused with the reason. Pure."""

from __future__ import annotations

from app.board.evidence import cap
from app.board.model import Convoy, ConvoyStatus, Task, TaskStatus
from app.errors import UserError
from app.ports import (
    ConvoyCancelled,
    ConvoyPaused,
    ConvoyResumed,
    Fact,
    HoldPlaced,
    HoldReleased,
    PlanApproved,
    PriorityChanged,
    ReplanAsked,
    StrategyChanged,
    TaskCommented,
    TaskDropped,
    TaskRetried,
)

__all__ = [
    "answer_questions",
    "approve_plan",
    "ask_to_split",
    "begun",
    "cancel_convoy",
    "change_priority",
    "change_strategy",
    "comment_on",
    "drop_task",
    "hold_task",
    "pause_convoy",
    "paused_because",
    "release_task",
    "replan",
    "resume_convoy",
    "retry_task",
    "split_task",
]

_SHORTEST_HEAD = 7
"""Letters of a commit that name it well enough to release it."""


def approve_plan(convoy: Convoy, *, by: str, digest: str = "") -> tuple[Fact, ...]:
    """Approval of exactly the recorded plan, and of the issue as it reads now (its `digest`).

    None when it is approved already.
    """
    _still_open(convoy)
    if convoy.plan is None:
        raise UserError(
            f"convoy {convoy.slug} has no plan to approve yet", remedy=f"brat convoy show {convoy.slug}"
        )
    return () if convoy.approved_by else (PlanApproved(convoy.issue, convoy.plan.hash, by, digest),)


def replan(convoy: Convoy, *, by: str, text: str) -> tuple[Fact, ...]:
    """Another plan, with the person's words; only while no task of the present one has begun."""
    _still_open(convoy)
    if begun(convoy):
        raise UserError(
            f"work on {convoy.slug} has begun, so its plan stands",
            remedy="add a task, drop one, or cancel and ask again",
        )
    return (ReplanAsked(convoy.issue, by, cap(text)),)


def begun(convoy: Convoy) -> bool:
    """Whether a task was started: then the plan stands."""
    return any(_started(task) for task in convoy.tasks)


def _started(task: Task) -> bool:
    return bool(task.sessions) or task.status is not TaskStatus.QUEUED


def answer_questions(convoy: Convoy, *, by: str, text: str) -> tuple[Fact, ...]:
    """Into the next plan while nothing has begun; after that, into the prompts of all that is still open."""
    _still_open(convoy)
    if not begun(convoy):
        return replan(convoy, by=by, text=f"Answer to your questions: {text}")
    still_open = [task for task in convoy.tasks if not task.status.final]
    return tuple(fact for task in still_open for fact in comment_on(convoy, task, by=by, text=text))


def change_strategy(convoy: Convoy, *, by: str, strategy: str) -> tuple[Fact, ...]:
    """How the next landings are made; none when that is so already."""
    _still_open(convoy)
    return () if convoy.strategy == strategy else (StrategyChanged(convoy.issue, by, strategy),)


def change_priority(convoy: Convoy, *, by: str, level: int) -> tuple[Fact, ...]:
    """Who goes first when several could; none when that is so already."""
    _still_open(convoy)
    return () if convoy.priority == level else (PriorityChanged(convoy.issue, by, level),)


def paused_because(convoy: Convoy) -> str:
    """Why nothing starts or lands: in the words of what paused it, where there are any."""
    why = convoy.paused.why if convoy.paused is not None else ""
    return f"the convoy is paused: {why}" if why else "the convoy is paused"


def pause_convoy(convoy: Convoy, *, by: str) -> tuple[Fact, ...]:
    """Nothing new starts or lands until it is resumed; none when it is paused already."""
    _still_open(convoy)
    return () if convoy.status is ConvoyStatus.PAUSED else (ConvoyPaused(convoy.issue, by),)


def resume_convoy(convoy: Convoy, *, by: str) -> tuple[Fact, ...]:
    """A paused convoy goes on; none when it was not paused."""
    _still_open(convoy)
    return (ConvoyResumed(convoy.issue, by),) if convoy.status is ConvoyStatus.PAUSED else ()


def cancel_convoy(convoy: Convoy, *, by: str, reason: str = "") -> tuple[Fact, ...]:
    """The convoy ends here; what has landed stays landed."""
    _still_open(convoy)
    return (ConvoyCancelled(convoy.issue, by, cap(reason)),)


def retry_task(convoy: Convoy, task: Task, *, by: str, engine: str | None = None) -> tuple[Fact, ...]:
    """A fresh set of attempts for a blocked task; a queued one may only change its engine."""
    _still_open(convoy)
    changes_engine = engine is not None and task.status is TaskStatus.QUEUED
    if task.status is not TaskStatus.BLOCKED and not changes_engine:
        raise UserError(
            f"task {task.number} of {convoy.slug} is {task.status}; only a blocked task is retried",
            remedy=f"brat task show {convoy.slug}/{task.number}",
        )
    return (TaskRetried(task.issue, by, engine),)


def drop_task(convoy: Convoy, task: Task, *, by: str, reason: str = "") -> tuple[Fact, ...]:
    """The convoy goes on without it; tasks that depend on it may start.

    Not while a code host may be merging its pull request: what has landed is not dropped.
    """
    _still_open(convoy)
    _not_final(convoy, task)
    if task.pull is not None:
        _not_landing(convoy, task)
    return (TaskDropped(task.issue, by, cap(reason)),)


def ask_to_split(convoy: Convoy, task: Task, *, by: str) -> tuple[Fact, ...]:
    """The task becomes several: alone, where work has begun, else by another plan. Raises UserError."""
    wish = f"Split task {task.number} ({task.title}) into smaller tasks"
    if begun(convoy):
        return split_task(convoy, task, by=by, text=wish)
    return replan(convoy, by=by, text=f"{wish}; keep the others as they are.")


def split_task(convoy: Convoy, task: Task, *, by: str, text: str) -> tuple[Fact, ...]:
    """The Mayor cuts it into smaller ones while the rest goes on; none when that is so already.

    The task is held until then: an end of the hold is the end of the wish.
    """
    _still_open(convoy)
    if task.status is TaskStatus.MERGED:
        raise UserError(
            f"task {task.number} of {convoy.slug} has landed: nothing of it is left to split",
            remedy="ask for what is missing in an issue of its own",
        )
    _not_final(convoy, task)
    _not_landing(convoy, task)
    why = f"the Mayor cuts it into smaller tasks, as {by} asked"
    return () if task.splitting else (HoldPlaced(task.issue, None, None, why, by=by, split=cap(text)),)


def hold_task(convoy: Convoy, task: Task, *, by: str, reason: str = "") -> tuple[Fact, ...]:
    """Nothing of it starts, is published or lands until it is released; none when it is held already."""
    _still_open(convoy)
    _not_final(convoy, task)
    why = cap(f"held by {by}" + (f": {reason}" if reason else ""))
    return () if task.hold else (HoldPlaced(task.issue, None, None, why, by=by),)


def release_task(convoy: Convoy, task: Task, *, by: str, head: str | None = None) -> tuple[Fact, ...]:
    """The end of a hold. One on a head is released for exactly that head, named by 7 letters or more.

    So is published work that nothing holds: rules may ask for it in its pull request, or in the convoy's own.
    """
    _still_open(convoy)
    name = f"task {task.number} of {convoy.slug}"
    hold = task.hold
    if hold is None and head is not None and task.work is not None and _names(head, task.work.head):
        if task.status is not TaskStatus.MERGED or convoy.target == f"refs/heads/{convoy.base}":
            _not_final(convoy, task)
        return () if task.work.head in task.released else (HoldReleased(task.issue, task.work.head, by),)
    if hold is None:
        raise UserError(f"{name} is not held", remedy=f"brat task show {convoy.slug}/{task.number}")
    if hold.head is None:
        if head is not None:
            raise UserError(
                f"{name} is held as a whole, not at a head",
                remedy=f"brat task release {convoy.slug}/{task.number}",
            )
        return (HoldReleased(task.issue, None, by),)
    command = f"brat task release {convoy.slug}/{task.number} --head {hold.head[:12]}"
    if head is None:
        raise UserError(f"{name} is held at {hold.head[:12]}; say that you mean this head", remedy=command)
    if not _names(head, hold.head):
        raise UserError(
            f"{name} is not held at {head} but at {hold.head[:12]}: look at that one first", remedy=command
        )
    return (HoldReleased(task.issue, hold.head, by),)


def _names(head: str, commit: str) -> bool:
    return len(head) >= _SHORTEST_HEAD and commit.startswith(head.lower())


def comment_on(convoy: Convoy, task: Task, *, by: str, text: str) -> tuple[Fact, ...]:
    """A remark; agents of later sessions read it."""
    if not text.strip():
        raise UserError("the comment is empty", remedy=f'brat task comment {convoy.slug}/{task.number} "…"')
    return (TaskCommented(task.issue, by, cap(text.strip())),)


def _still_open(convoy: Convoy) -> None:
    if convoy.status.final:
        why = convoy.reason or convoy.status
        raise UserError(f"convoy {convoy.slug} is over: {why}", remedy=f"brat convoy show {convoy.slug}")


def _not_final(convoy: Convoy, task: Task) -> None:
    if task.status.final:
        raise UserError(
            f"task {task.number} of {convoy.slug} is {task.status}; that is final",
            remedy=f"brat task show {convoy.slug}/{task.number}",
        )


def _not_landing(convoy: Convoy, task: Task) -> None:
    if task.merge is not None and task.merge.result == "running":
        raise UserError(
            f"task {task.number} of {convoy.slug} is landing right now; a hold takes it back",
            remedy=f"brat task hold {convoy.slug}/{task.number}",
        )
