"""The Witness's part of a pass."""

from __future__ import annotations

from app.board import (
    Board,
    Convoy,
    Look,
    Task,
    TaskStatus,
    counted,
    dependents,
    names_in_the_way,
    task_branch,
)
from app.ports import Decision, Verdict, VerdictState, Wanted
from app.witness.start import contains_wanted, start_sessions
from app.witness.watch import after_failure, watch

__all__ = ["decide", "wanted"]


def wanted(board: Board) -> Wanted:
    """Every open session, the names of branches, and whether landed dependencies are in their target."""
    sessions = tuple(each.id for convoy in board.moving for each in convoy.all_sessions if each.open)
    names = (
        (convoy.target, *names_in_the_way(convoy), *(_branch(convoy, task) for task in convoy.tasks))
        for convoy in board.open_convoys
    )
    refs = tuple(dict.fromkeys(name for each in names for name in each))
    contains = tuple(pair for convoy in board.open_convoys for pair in contains_wanted(convoy))
    return Wanted(refs=refs, sessions=sessions, contains=contains)


def _branch(convoy: Convoy, task: Task) -> str:
    return f"refs/heads/{task_branch(convoy.slug, task.number)}"


def decide(look: Look) -> Decision:
    """Watch what runs, give failed tasks another attempt or up, start what is ready."""
    decision = Decision()
    for convoy in look.board.moving:
        for task in convoy.tasks:
            decision += watch(convoy, task, look)
            if not convoy.status.final:
                decision += Decision(facts=after_failure(task, look.config))
                decision += Decision(verdicts=tuple(_verdicts(convoy, task)))
    return decision + start_sessions(look)


def _verdicts(convoy: Convoy, task: Task) -> list[Verdict]:
    if task.status is TaskStatus.RUNNING and (session := task.open_work):
        because = f"attempt {session.started.attempt} works on it with {session.started.engine}"
        return [
            Verdict(
                task.issue,
                "session",
                VerdictState.WORKING,
                because,
                who="the Witness",
                next_look_ts=session.started.deadline_ts,
            )
        ]
    if task.status is not TaskStatus.BLOCKED:
        return []
    reason = task.blocked.reason if task.blocked else "blocked"
    unblock = task.blocked.unblock if task.blocked else f"brat task retry {task.id}"
    held_up = dependents(convoy, task.number)
    more = f" ({counted(held_up, 'task waits', 'tasks wait')} for it)" if held_up else ""
    return [
        Verdict(
            task.issue, "blocked", VerdictState.BLOCKED, reason + more, who="a maintainer", unblock=unblock
        )
    ]
