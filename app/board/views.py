"""Questions that several roles ask the board; all pure."""

from __future__ import annotations

from app.board.board import Board
from app.board.model import Convoy, Session, Task, TaskStatus
from app.globs import overlap
from app.ports import DiffKey, Finding

__all__ = [
    "dependents",
    "failures",
    "finished_work",
    "held_work",
    "in_turn",
    "last_failure",
    "merge_failures",
    "open_sessions",
    "overlaps",
    "settled",
    "spent_usd",
    "stuck",
]

AGING_MS = 3_600_000
"""One level of priority is worth this much waiting, so that nothing starves."""
_PUT_OFF = ("base-moved", "withdrawn")
_NOT_A_FAILURE = (Finding.DONE, Finding.STOPPED)


def _episode_start(task: Task) -> int:
    """Failures count since the last published work or the last retry by a person, whichever is later."""
    return max(task.since_ts, task.work_ts)


def failures(task: Task) -> tuple[Session, ...]:
    """Work sessions of the present set of attempts that ended without work."""
    since = _episode_start(task)
    return tuple(
        each
        for each in task.sessions
        if each.started.purpose == "work"
        and each.ended is not None
        and each.ended.finding not in _NOT_A_FAILURE
        and each.started_ts > since
    )


def last_failure(task: Task) -> Session | None:
    """The newest of `failures`."""
    return next(iter(reversed(failures(task))), None)


def merge_failures(task: Task) -> int:
    """Failed landings since the last retry by a person; what was only put off is nobody's failure."""
    return sum(
        each.result == "failed" and each.reason not in _PUT_OFF and each.started_ts > task.since_ts
        for each in task.merges
    )


def finished_work(task: Task) -> Session | None:
    """The work session that ended well and whose work is not on the branch yet."""
    published = task.work.session if task.work else None
    last = next((each for each in reversed(task.sessions) if each.started.purpose == "work"), None)
    if last is None or last.ended is None or last.id == published:
        return None
    return last if last.ended.finding is Finding.DONE else None


def open_sessions(board: Board) -> tuple[tuple[str, Session], ...]:
    """`(issue, session)` of every session that has not ended, also of convoys that are over."""
    return tuple(
        (each.started.issue, each) for convoy in board.moving for each in convoy.all_sessions if each.open
    )


def dependents(convoy: Convoy, number: int) -> int:
    """How many unfinished tasks wait for this one, directly or through others."""
    waiting: set[int] = set()
    frontier = {number}
    while frontier:
        frontier = {
            task.number
            for task in convoy.tasks
            if not task.status.final and task.number not in waiting and frontier & set(task.depends_on)
        }
        waiting |= frontier
    return len(waiting)


def spent_usd(board: Board, *, convoy: str | None = None, since_ts: int = 0) -> float:
    """Spent and reserved, for one convoy (its issue) or all, for sessions started since then."""
    return sum(
        session.cost_usd
        for each in board.convoys
        if convoy in (None, each.issue)
        for session in each.all_sessions
        if session.started_ts >= since_ts
    )


def in_turn(board: Board) -> tuple[Convoy, ...]:
    """Open convoys as they start and land: oldest first, where a priority counts as time of waiting."""
    return tuple(
        sorted(board.open_convoys, key=lambda each: (each.opened_ts - each.priority * AGING_MS, each.issue))
    )


def settled(task: Task | None) -> bool:
    """Whether a dependency no longer holds anything back: merged, or dropped by a person."""
    return task is None or task.status in (TaskStatus.MERGED, TaskStatus.DROPPED)


def held_work(task: Task) -> DiffKey | None:
    """What waits for a release of exactly that commit, since its session began."""
    hold = task.hold
    if hold is None or hold.head is None or task.status.final:
        return None
    bases = (each.started.base for each in task.sessions if each.id == hold.session)
    since = next(bases, None)
    return DiffKey(since, hold.head) if since else None


def stuck(convoy: Convoy) -> bool:
    """Whether nothing of the convoy can move without a person:

    Each open task is blocked or waits for one that is.
    """
    open_tasks = [task for task in convoy.tasks if not task.status.final]
    dead = {
        task.number
        for task in open_tasks
        if not task.splitting and (task.status is TaskStatus.BLOCKED or task.hold)
    }
    grown = True
    while grown:
        grown = False
        for task in open_tasks:
            if task.number not in dead and any(
                number in dead and not settled(convoy.task(number)) for number in task.depends_on
            ):
                dead.add(task.number)
                grown = True
    return bool(open_tasks) and len(dead) == len(open_tasks)


def overlaps(some: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Whether any path is covered by globs of both;

    No globs are an unknown scope, which overlaps with nothing.
    """
    return any(overlap(one, other) for one in some for other in others)
