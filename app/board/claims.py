"""Whether the branch of a task is free for its work: git moves refs, but it does not ask whose they are."""

from __future__ import annotations

from collections.abc import Mapping

from app.board.ids import task_branch
from app.board.model import Convoy, Task
from app.values import dataclass

__all__ = ["Claim", "claim_on", "names_in_the_way"]

_HEADS = "refs/heads/"


@dataclass(frozen=True, slots=True)
class Claim:
    """Why work cannot go to its branch, and the command that makes room."""

    because: str
    unblock: str


def names_in_the_way(convoy: Convoy) -> tuple[str, ...]:
    """Branches beside which git can have none of the convoy's: a name is a branch or a folder of branches."""
    return (f"{_HEADS}convoy", f"{_HEADS}convoy/{convoy.slug}")


def claim_on(convoy: Convoy, task: Task, refs: Mapping[str, str], *, head: str | None = None) -> Claim | None:
    """Somebody else's branch where this task's should be; never overwritten. `head` is about to go there."""
    branch = task_branch(convoy.slug, task.number)
    for name in names_in_the_way(convoy):
        if name in refs:
            short = name.removeprefix(_HEADS)
            return Claim(
                f"the branch {short} leaves no room for {branch}", f"git branch -m {short} {short}-branch"
            )
    there = refs.get(f"{_HEADS}{branch}")
    ours = {head, task.work.head if task.work else None}
    ours |= {each.ended.head for each in task.sessions if each.ended is not None}
    if there is None or there in ours:
        return None
    because = f"the branch {branch} is at {there[:12]}, which is not this convoy's work"
    return Claim(because, f"git branch -m {branch} {branch.replace('/', '-')}")
