"""Work that may not land now, whatever keeps it: what becomes of its pull request all the same.

Worked example: task 1 is in GitHub's merge queue when somebody holds it. `set_aside` answers `Dequeue`;
once it is seen outside, `MergeFailed` as withdrawn, and the next work of that base has its turn. Had it
been merged by then, that is recorded; so is what a person merges by hand.
"""

from __future__ import annotations

from app.board import Convoy, ConvoyStatus, Look, Task
from app.ports import Decision, PullState
from app.refinery.hosted import in_order
from app.refinery.merging import go_on, take_back
from app.refinery.places import running
from app.refinery.pulls import merged_by_hand, merged_early

__all__ = ["set_aside"]


def set_aside(convoy: Convoy, look: Look) -> Decision:
    """One step for each task that is held, blocked, dropped, back with an agent, or of a paused convoy."""
    landing = () if convoy.status is ConvoyStatus.PAUSED else in_order(convoy)
    numbers = {task.number for task in landing}
    rest = (task for task in convoy.tasks if task.number not in numbers)
    return sum((_step(convoy, task, look) for task in rest), Decision())


def _step(convoy: Convoy, task: Task, look: Look) -> Decision:
    hub, work, merge = look.seen.hub, task.work, running(task)
    assert hub is not None
    # Also one that was closed before: who reopened it may merge it.
    pull = hub.pull_of(work.branch) if work is not None else None
    if pull is None or (task.status.final and merge is None) or merged_early(task, pull):
        return Decision()
    if pull.state is PullState.MERGED:
        return merged_by_hand(task, pull) or go_on(convoy, task, pull, look=look)
    return take_back(task, merge, pull, look=look) if merge is not None else Decision()
