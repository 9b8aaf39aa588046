"""The end of a convoy on a code host."""

from __future__ import annotations

from app.board import Convoy, Look, TaskStatus
from app.ports import (
    ConvoyCompleted,
    ConvoyFailed,
    Decision,
    PullState,
    RestoreRef,
    Verdict,
    VerdictState,
)
from app.refinery.home import bring_home, says, target_refused
from app.refinery.places import own_branch, pull_for, pushed_last, short_branch, watched

__all__ = ["ensure_target", "finish_hosted", "land_again"]


def ensure_target(convoy: Convoy, look: Look) -> Decision:
    """The convoy's own branch is there before anything is to land on it."""
    if not own_branch(convoy) or convoy.target in look.seen.refs or convoy.approved_by is None:
        return Decision()
    made = RestoreRef(convoy.target, None, convoy.base_commit)
    return Decision(actions=(made,), verdicts=target_refused(convoy, look))


def land_again(convoy: Convoy, look: Look) -> Decision | None:
    """A landing by push that is in the log alone (the host died between two refs) is pushed again.

    The pull request tells it from a branch that a person set back: where the push arrived, it is merged.
    """
    task = pushed_last(convoy)
    hub, merge = look.seen.hub, task.merge if task else None
    if task is None or merge is None or merge.commit is None or hub is None:
        return None
    present = look.seen.refs.get(convoy.target)
    pull = pull_for(hub, task.work.branch if task.work else "", task.pull_ended)
    if (convoy.target, merge.commit) in look.seen.contains or (pull and pull.state is not PullState.OPEN):
        return None
    branch, commit = short_branch(convoy.target), merge.commit[:12]
    if present == merge.base:
        again = (RestoreRef(convoy.target, present, merge.commit),) if pull else ()
        because = f"{commit} has landed by the log, and {branch} does not show it: it is pushed again"
        return Decision(actions=again, verdicts=(*target_refused(convoy, look), says(convoy, because)))
    if pull is None:
        return None
    because = f"{commit} has landed by the log, but {branch} moved on without it: no fast-forward"
    by_hand = f"git merge {commit}"
    who = f"whoever may push to {branch}"
    stuck = Verdict(convoy.issue, "landed-commit-missing", VerdictState.BLOCKED, because, who, by_hand)
    return Decision(verdicts=(stuck,))


def finish_hosted(convoy: Convoy, look: Look) -> Decision:
    """When every task is merged or dropped: the convoy's own pull request, if it has one; then complete."""
    if not convoy.tasks or not all(task.status.final for task in convoy.tasks):
        return Decision()
    if not any(task.status is TaskStatus.MERGED for task in convoy.tasks):
        return Decision(facts=(ConvoyFailed(convoy.issue, "every task was dropped: nothing landed"),))
    if not own_branch(convoy) or convoy.taken_over is not None:
        if watched(convoy):
            return Decision()
        head = look.seen.refs.get(f"refs/heads/{convoy.base}", convoy.base_commit)
        return Decision(facts=(ConvoyCompleted(convoy.issue, head),))
    return bring_home(convoy, look)
