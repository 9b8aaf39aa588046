"""Work that may not land now, whatever keeps it: what becomes of its pull request all the same.

Worked example: task 1 is blocked, as somebody else moved its branch. Its pull request stays theirs to
merge; once it is seen as merged, `set_aside` answers what records that, and the task is done.
"""

from __future__ import annotations

from app.board import Convoy, ConvoyStatus, Look, Task
from app.ports import Decision, PullState
from app.refinery.hosted import in_order
from app.refinery.pulls import merged_by_hand

__all__ = ["set_aside"]


def set_aside(convoy: Convoy, look: Look) -> Decision:
    """One step for each task that is held, blocked, given back to an agent, or of a paused convoy."""
    landing = () if convoy.status is ConvoyStatus.PAUSED else in_order(convoy)
    numbers = {task.number for task in landing}
    rest = (task for task in convoy.tasks if task.number not in numbers and not task.status.final)
    return sum((_step(task, look) for task in rest), Decision())


def _step(task: Task, look: Look) -> Decision:
    hub, work = look.seen.hub, task.work
    assert hub is not None
    # Also one that was closed before: who reopened it may merge it.
    pull = hub.pull_of(work.branch) if work is not None else None
    if pull is None or pull.state is not PullState.MERGED:
        return Decision()
    return merged_by_hand(task, pull) or Decision()
