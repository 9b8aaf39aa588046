"""What a demo has to have shown, read from the log's board and the repository; pure."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from app.board import Convoy, ConvoyStatus, Session, Task, TaskStatus
from app.ports import Finding
from app.values import dataclass

__all__ = ["Point", "crash", "isolated", "points"]

CHAIN = ((), (1,), (2,), (3,), (3,), (3,))
"""What each of the six tasks waits for: a chain of three, then three side by side."""


@dataclass(frozen=True, slots=True)
class Point:
    """One thing that had to happen; `seen` says in words what did."""

    what: str
    held: bool
    seen: str = ""


def points(convoy: Convoy, *, isolation: str, scripted: bool = True) -> tuple[Point, ...]:
    """Every point, in the order of the story. A crash and a conflict are planned for scripted agents only."""
    held = isolated(convoy, isolation)
    found = [_plan(convoy), _parallel(convoy), _landed(convoy), _checked(convoy), held]
    if scripted:
        found[2:2] = [crash(convoy), _conflict(convoy)]
    return tuple(found)


def _plan(convoy: Convoy) -> Point:
    graph = tuple(task.depends_on for task in convoy.tasks)
    held = graph == CHAIN and convoy.approved_by is not None
    return Point(
        "a plan of six tasks: a chain of three, then three side by side", held, f"{len(graph)} tasks"
    )


def _parallel(convoy: Convoy) -> Point:
    worked = [
        (task, each) for task in convoy.tasks for each in task.sessions if each.started.purpose == "work"
    ]
    pairs = [
        f"tasks {one[0].number} and {other[0].number}"
        for one, other in combinations(worked, 2)
        if one[0] is not other[0] and _overlap(one[1], other[1])
    ]
    return Point("agents worked at the same time", bool(pairs), pairs[0] if pairs else "never two at once")


def _overlap(one: Session, other: Session) -> bool:
    if one.ended is None or other.ended is None:
        return False
    return max(one.started_ts, other.started_ts) < min(one.ended.ended_ts, other.ended.ended_ts)


def crash(convoy: Convoy) -> Point:
    """Whether a session died at work, and its task is merged nevertheless."""
    what = "an agent crashed, and another attempt did its task"
    for task in convoy.tasks:
        ends = [each.ended.finding for each in _work(task) if each.ended]
        if Finding.CRASHED in ends:
            again = Finding.DONE in ends[ends.index(Finding.CRASHED) :] and task.status is TaskStatus.MERGED
            return Point(what, again, f"task {task.number}: {', then '.join(ends)}")
    return Point(what, False, "no agent crashed")


def _conflict(convoy: Convoy) -> Point:
    what = "a merge conflicted, and a follow-up session resolved it"
    for task in convoy.tasks:
        conflicts = [each for each in task.merges if (each.result, each.reason) == ("failed", "conflict")]
        if conflicts:
            carried = [each for each in _work(task) if each.started.carry and each.ended]
            mended = any(each.ended and each.ended.finding is Finding.DONE for each in carried)
            first = conflicts[0].evidence.partition("\n")[0]
            return Point(what, mended and task.status is TaskStatus.MERGED, f"task {task.number}: {first}")
    return Point(what, False, "no merge conflicted")


def _landed(convoy: Convoy) -> Point:
    merged = sum(task.status is TaskStatus.MERGED and bool(task.merge_commit) for task in convoy.tasks)
    held = merged == len(convoy.tasks) > 0 and convoy.status is ConvoyStatus.COMPLETE
    taken = f", {convoy.base} taken over" if convoy.taken_over else ""
    return Point("all tasks are merged and the convoy is complete", held, f"{merged} merged{taken}")


def _checked(convoy: Convoy) -> Point:
    unchecked = list(_unchecked(convoy))
    named = ", ".join(unchecked) or "each passed them"
    return Point("no merge landed without the repository's checks", not unchecked, named)


def isolated(convoy: Convoy, isolation: str) -> Point:
    """Whether every session ran in what was there to keep it in."""
    used = sorted({each.started.isolation for each in convoy.all_sessions})
    what = "every session ran in a sandbox" if isolation == "bwrap" else "no session claims a sandbox"
    return Point(what, used == [isolation], f"{len(convoy.all_sessions)} sessions: {', '.join(used)}")


def _unchecked(convoy: Convoy) -> Iterator[str]:
    for task in convoy.tasks:
        for merge in task.merges:
            if merge.result == "succeeded" and merge.commit and not merge.checked:
                yield f"task {task.number}"


def _work(task: Task) -> Iterator[Session]:
    return (each for each in task.sessions if each.started.purpose == "work")
