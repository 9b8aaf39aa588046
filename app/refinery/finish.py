"""The end of a convoy: the base has what landed, then it is complete."""

from __future__ import annotations

from app.board import Convoy, TaskStatus
from app.ports import (
    BaseTakenOver,
    ConvoyCompleted,
    ConvoyFailed,
    Decision,
    RefusedMove,
    RestoreRef,
    Seen,
    Setting,
    TakeOver,
    Verdict,
    VerdictState,
)

__all__ = ["finish", "refused_verdict", "restore_target"]


def restore_target(convoy: Convoy, seen: Seen) -> Decision:
    """A recorded landing whose ref did not move is pushed again (the server died between two refs)."""
    landed = [task.merge for task in convoy.tasks if task.status is TaskStatus.MERGED and task.merge]
    last = max(landed, key=lambda merge: (merge.started_ts, merge.attempt), default=None)
    if last is None or last.commit is None or (convoy.target, last.commit) in seen.contains:
        return Decision()
    present = seen.refs.get(convoy.target)
    if present in (last.base, None):
        return Decision(actions=(RestoreRef(convoy.target, present, last.commit),))
    verdict = Verdict(
        convoy.issue,
        "landed-commit-missing",
        VerdictState.BLOCKED,
        f"{_short(convoy.target)} is at {present[:12] if present else 'nothing'} and no longer holds "
        f"{last.commit[:12]}, which was landed there",
        who="whoever moved the branch",
        unblock=f"git branch -f {_short(convoy.target)} {last.commit[:12]}",
    )
    return Decision(verdicts=(verdict,))


def finish(convoy: Convoy, seen: Seen, setting: Setting) -> Decision:
    """When every task is merged or dropped: take the base over if it is elsewhere, then complete."""
    if not convoy.tasks or not all(task.status.final for task in convoy.tasks):
        return Decision()
    if not any(task.status is TaskStatus.MERGED for task in convoy.tasks):
        return Decision(facts=(ConvoyFailed(convoy.issue, "every task was dropped: nothing landed"),))
    base = f"refs/heads/{convoy.base}"
    head = seen.refs.get(convoy.target, convoy.base_commit)
    if convoy.target == base or (base, head) in seen.contains:
        return Decision(facts=(ConvoyCompleted(convoy.issue, head),))
    return _take_over(convoy, seen, setting, head=head)


def _take_over(convoy: Convoy, seen: Seen, setting: Setting, *, head: str) -> Decision:
    base = seen.refs.get(f"refs/heads/{convoy.base}")
    by_hand = f"git merge --ff-only {_short(convoy.target)}"
    if base is None:
        return _waits(convoy, f"the branch {convoy.base} is gone", f"git branch {convoy.base} {head[:12]}")
    if (convoy.target, base) not in seen.contains:
        why = f"{convoy.base} has commits that {_short(convoy.target)} does not hold: no fast-forward"
        return _waits(convoy, why, f"git merge {_short(convoy.target)}")
    checkout = seen.checkouts.get(convoy.base)
    if checkout is not None and not checkout.clean:
        why = f"{convoy.base} is checked out and not clean: {checkout.detail or 'uncommitted changes'}"
        return _waits(convoy, why, f"commit or stash, then `brat mayor resume` (or {by_hand})")
    if checkout is not None and not setting.take_over:
        return _waits(convoy, f"{convoy.base} is checked out; its fast-forward is yours to say", by_hand)
    taken = BaseTakenOver(convoy.issue, convoy.base, base, head)
    refused = seen.refused.get(f"refs/heads/{convoy.base}")
    told = (refused_verdict(convoy.issue, f"refs/heads/{convoy.base}", refused),) if refused else ()
    return Decision(actions=(TakeOver(convoy.base, base, head, (taken,)),), verdicts=told)


def refused_verdict(subject: str, ref: str, refused: RefusedMove, *, hosted: bool = False) -> Verdict:
    """A ref that cannot be moved: it is tried again in each pass, and somebody has to clear the way."""
    remedy = f"let the App push to {_short(ref)}" if hosted else "brat mayor resume"
    return Verdict(
        subject,
        "refused",
        VerdictState.BLOCKED,
        f"{_short(ref)} cannot be moved: {refused.reason}",
        who="a maintainer" if hosted else "whoever works in the repository",
        unblock=refused.remedy or remedy,
    )


def _waits(convoy: Convoy, why: str, command: str) -> Decision:
    verdict = Verdict(
        convoy.issue,
        "takeover",
        VerdictState.BLOCKED,
        why,
        who="whoever works in the checkout",
        unblock=command,
    )
    return Decision(verdicts=(verdict,))


def _short(ref: str) -> str:
    return ref.removeprefix("refs/heads/")
