"""What a person says to a plan: yes, or yes to a part."""

from __future__ import annotations

from app.board import Convoy, Task, approve_plan, counted, drop_task
from app.desk.asking import Asked
from app.desk.opening import changed_since, digest_of
from app.errors import UserError
from app.ports import Fact, HubSeen

__all__ = ["SKEW_MS", "approve"]

SKEW_MS = 10_000
"""Our clock and the code host's differ by less, or a person is asked to say it again."""


def approve(
    convoy: Convoy, hub: HubSeen, asked: Asked, *, numbers: tuple[int, ...]
) -> tuple[tuple[Fact, ...], str] | None:
    """Facts, and words where more was done than asked. None: the issue could not be read.

    Binds to the plan and to the issue as the person could see them when they wrote. Raises UserError.
    """
    if convoy.approved_by and numbers:
        raise UserError("the plan is approved already", remedy="a task is left out by /brat drop n")
    digest = ""
    if convoy.request is not None:
        issue = hub.issues.get(convoy.request.number)
        if issue is None:
            return None
        if changed_since(issue, asked.ts):
            raise UserError(
                "title or text of the issue changed after this comment: read it once more",
                remedy="/brat approve",
            )
        digest = digest_of(issue)
    if _planned_ts(convoy) > asked.ts + SKEW_MS:
        raise UserError("the plan is newer than this comment: read it first", remedy="/brat approve")
    facts = approve_plan(convoy, by=asked.by.login, digest=digest)
    if not numbers:
        return facts, ""
    left_out = [task for task in convoy.tasks if task.number not in numbers and not task.status.final]
    dropped = [fact for task in left_out for fact in drop_task(convoy, task, by=asked.by.login)]
    return (*facts, *dropped), _partly(convoy, numbers, left_out)


def _planned_ts(convoy: Convoy) -> int:
    """When the plan was written down; 0 without one."""
    issues = convoy.plan.issues if convoy.plan is not None else ()
    return max((task.created_ts for task in convoy.tasks if task.issue in issues), default=0)


def _partly(convoy: Convoy, numbers: tuple[int, ...], left_out: list[Task]) -> str:
    if not left_out:
        return ""
    dropped = {task.number for task in left_out}
    orphans = [
        str(task.number) for task in convoy.tasks if task.number in numbers and dropped & set(task.depends_on)
    ]
    alone = f"; {', '.join(orphans)} had to wait for one of these and does so no more" if orphans else ""
    names = ", ".join(map(str, sorted(dropped)))
    kept = counted(len(numbers), "task")
    return f"{kept} approved; {names} {'is' if len(dropped) == 1 else 'are'} dropped{alone}"
