"""What the second act has to have shown, read from the log's board and from the code host; pure."""

from __future__ import annotations

from collections.abc import Sequence

from app.board import Convoy, ConvoyStatus, TaskStatus, counted
from app.demo.proof import Point, crash, isolated
from app.values import dataclass

__all__ = ["HostSeen", "hosted_points"]


@dataclass(frozen=True, slots=True)
class HostSeen:
    """The code host at the end. `merged` are pull requests in the order in which they landed.

    `together` agents were at work at once, `early` sessions began before the approval; `red` is the last line
    of each failed check.
    """

    closed: bool
    pulls: tuple[int, ...]
    merged: tuple[int, ...]
    red: tuple[str, ...]
    unchecked: tuple[int, ...]
    comments: tuple[str, ...]
    problems: tuple[str, ...]
    together: int
    early: int


def hosted_points(convoy: Convoy, seen: HostSeen, *, writer: str, isolation: str) -> tuple[Point, ...]:
    """Every point, in the order of the story."""
    by = convoy.request.by if convoy.request else "nobody"
    return (
        Point("the convoy was asked for by the label of a person who may write", by == writer, by),
        _approved(convoy, seen, writer),
        Point("agents worked at the same time", seen.together > 1, f"{seen.together} at once"),
        crash(convoy),
        _repaired(convoy, seen),
        _pulls(convoy, seen),
        _in_order(convoy, seen),
        Point("no pull request landed without a green check", not seen.unchecked, _numbers(seen.unchecked)),
        _comments(seen),
        isolated(convoy, isolation),
        Point(
            "the stand-in took nothing amiss: every request is in GitHub's own description",
            not seen.problems,
            "; ".join(seen.problems[:2]),
        ),
    )


def _approved(convoy: Convoy, seen: HostSeen, writer: str) -> Point:
    held = convoy.approved_by == writer and not seen.early
    what = "no agent ran before a permitted person approved; a stranger's word changed nothing"
    return Point(what, held, f"approved by {convoy.approved_by}")


def _repaired(convoy: Convoy, seen: HostSeen) -> Point:
    what = "a red check went back to an agent, whose repair turned it green"
    merged = (task for task in convoy.tasks if task.status is TaskStatus.MERGED)
    repaired = [task.number for task in merged if any(each.reason == "check" for each in task.merges)]
    if not seen.red or not repaired:
        return Point(what, False, "no check was red" if not seen.red else "none was repaired")
    return Point(what, True, f"task {repaired[0]}: {seen.red[0]}")


def _pulls(convoy: Convoy, seen: HostSeen) -> Point:
    tasks = len(convoy.tasks)
    held = tasks == len(seen.pulls) == len(seen.merged) > 0 and convoy.status is ConvoyStatus.COMPLETE
    text = (
        f"{len(seen.merged)} of {len(seen.pulls)} merged, the issue is {'closed' if seen.closed else 'open'}"
    )
    return Point("a pull request per task, all merged, and the issue closed", held and seen.closed, text)


def _in_order(convoy: Convoy, seen: HostSeen) -> Point:
    """No task landed before what it depends on."""
    turns = {number: at for at, number in enumerate(seen.merged)}
    places = {task.number: turns.get(task.pull.number) for task in convoy.tasks if task.pull}
    pairs = [(places.get(one), places.get(task.number)) for task in convoy.tasks for one in task.depends_on]
    held = bool(pairs) and all(one is not None and other is not None and one < other for one, other in pairs)
    return Point("they landed in the order of the plan", held, _numbers(seen.merged))


def _comments(seen: HostSeen) -> Point:
    kept = sum("brat:sticky:" in each for each in seen.comments)
    told = f"{kept} of {counted(len(seen.comments), 'comment')}"
    return Point("one comment in the issue was kept up to date", kept == 1, told)


def _numbers(numbers: Sequence[int]) -> str:
    return ", ".join(f"#{each}" for each in numbers)
