"""A branch that lacks commits of a base that has to be in it: which one, and what brings it up.

Worked example: `main` is strict and moved while the checks of pull request 3 ran. `updates_wanted` asks for
`main` merged into its branch; once that commit is built, `brought_up` names it, and it is pushed and tested.
"""

from __future__ import annotations

from collections.abc import Mapping

from app.board import Convoy, Look, Task
from app.ports import CandidateKey, PullSeen
from app.refinery.places import short_branch

__all__ = ["brought_up", "home_key", "told_behind", "update_key"]


def update_key(convoy: Convoy, task: Task, refs: Mapping[str, str]) -> CandidateKey:
    """The base merged into the task's branch."""
    assert task.work is not None
    target = refs.get(convoy.target, convoy.base_commit)
    message = f"Merge {short_branch(convoy.target)} into {task.work.branch}"
    return CandidateKey(task.work.head, target, task.work.base, "update", message, task.work_ts)


def home_key(convoy: Convoy, pull: PullSeen, refs: Mapping[str, str]) -> CandidateKey:
    """The base merged into the convoy's own branch, as its pull request shows it."""
    base = refs.get(f"refs/heads/{convoy.base}", convoy.base_commit)
    message = f"Merge {convoy.base} into {short_branch(convoy.target)}"
    newest = max(task.work_ts for task in convoy.tasks)
    return CandidateKey(pull.head, base, convoy.base_commit, "update", message, newest)


def told_behind(pull: PullSeen, look: Look) -> bool:
    """The host refused the merge as the base was not in it: a rule that only administrators may read."""
    refused = look.seen.refused.get(f"pull:{pull.number}")
    return bool(pull.behind) and refused is not None and refused.behind


def brought_up(pull: PullSeen, key: CandidateKey, *, look: Look) -> str | None:
    """The commit with the base in it; None where it need not be, may not be, or is not built."""
    rules = look.seen.hub.rules.get(pull.base_branch) if look.seen.hub else None
    strict = (rules is not None and bool(rules.strict)) or told_behind(pull, look)
    needed = strict or look.config.refinery.land == "push"
    if not (pull.behind and needed and look.config.refinery.update == "auto"):
        return None
    candidate = look.seen.candidates.get(key)
    return candidate.commit if candidate is not None else None
