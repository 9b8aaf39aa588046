"""A board without what may differ between two equal ends: ids, times, numbers of attempts."""

from __future__ import annotations

from dataclasses import dataclass

from app.board import Board, Convoy, Task

__all__ = ["Ended", "Summary", "TaskEnd", "summary"]


@dataclass(frozen=True, slots=True)
class TaskEnd:
    """How a task ended."""

    number: int
    title: str
    status: str
    depends_on: tuple[int, ...]
    touched: tuple[str, ...]
    merge: tuple[str, tuple[str, ...]] | None
    successes: int
    open_sessions: int
    labels: tuple[str, ...]
    blocked: str


@dataclass(frozen=True, slots=True)
class Ended:
    """How a convoy ended."""

    slug: str
    title: str
    status: str
    base: str
    target: str
    approved: bool
    taken_over: bool
    tasks: tuple[TaskEnd, ...]


Summary = tuple[Ended, ...]


def summary(board: Board) -> Summary:
    """Every convoy, oldest first."""
    return tuple(_ended(each) for each in board.convoys)


def _ended(convoy: Convoy) -> Ended:
    return Ended(
        convoy.slug,
        convoy.title,
        convoy.status.value,
        convoy.base,
        convoy.target,
        convoy.approved_by is not None,
        convoy.taken_over is not None,
        tuple(_task(each) for each in convoy.tasks),
    )


def _task(task: Task) -> TaskEnd:
    merge = task.merge
    return TaskEnd(
        task.number,
        task.title,
        task.status.value,
        task.depends_on,
        task.work.touched if task.work else (),
        (merge.result, merge.checked) if merge else None,
        sum(each.result == "succeeded" for each in task.merges),
        sum(each.open for each in task.sessions),
        tuple(sorted(each for each in task.labels if each.startswith(("status:", "merge:", "type:")))),
        task.blocked.reason if task.blocked else "",
    )
