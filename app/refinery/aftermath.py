"""After a landing on a base that had moved: its own checks are awaited, and a red one holds the queue."""

from __future__ import annotations

from app.board import Board, Convoy, Look, cap
from app.policy import LandedCase, landed_as_tested, red_checks, unheard_checks
from app.ports import (
    ConvoyPaused,
    Decision,
    FeedbackGiven,
    Landing,
    PullSeen,
    Verdict,
    VerdictState,
)
from app.refinery.places import CALM, REFINERY, WATCH, lands_on, short_branch, watched

__all__ = ["after_landing", "stopped", "stopped_verdict", "watch_landed"]


def watch_landed(convoy: Convoy, look: Look) -> Decision:
    """The checks of what landed are awaited; a red one stops all landings there until a person looked."""
    return sum((_watch(convoy, commit, look) for commit in watched(convoy)), Decision())


def after_landing(convoy: Convoy, pull: PullSeen, trees: Landing) -> tuple[FeedbackGiven | ConvoyPaused, ...]:
    """What landed is compared with what was tested (P5): the same, awaited, or for a person to look at."""
    landed = landed_as_tested(trees.landed, trees.tested, trees.merged)
    if landed.case is LandedCase.SAME:
        return ()
    if landed.case is LandedCase.BASE_MOVED:
        return (FeedbackGiven(convoy.issue, WATCH, pull.merge_commit or pull.head),)
    return (ConvoyPaused(convoy.issue, REFINERY, cap(f"#{pull.number}: {landed.words}")),)


def _watch(convoy: Convoy, commit: str, look: Look) -> Decision:
    hub, policy = look.seen.hub, look.config.refinery
    assert hub is not None
    branch = short_branch(lands_on(convoy))
    rules, checks = hub.rules.get(branch), hub.checks.get(commit, ())
    calm = FeedbackGiven(convoy.issue, CALM, commit)
    red = red_checks(checks, rules, policy, app=hub.app)
    if red:
        names = ", ".join(each.name for each in red)
        why = cap(f"the base moved while it landed, and {commit[:12]} is red there: {names}")
        return Decision(facts=(calm, ConvoyPaused(convoy.issue, REFINERY, why)))
    unheard = unheard_checks(checks, rules, policy, app=hub.app)
    due = _landed_ts(convoy, commit) + policy.silent_after_ms
    if not unheard.running and (not unheard.silent or look.now >= due):
        return Decision(facts=(calm,))
    names = ", ".join(unheard.running or unheard.silent)
    because = f"the base moved while {commit[:12]} landed; its checks on {branch} are awaited: {names}"
    again = None if unheard.running else due
    told = Verdict(convoy.issue, "watch", VerdictState.WAITING, because, who="CI", next_look_ts=again)
    return Decision(verdicts=(told,))


def _landed_ts(convoy: Convoy, commit: str) -> int:
    landed = (task.merge.ended_ts for task in convoy.tasks if task.merge and task.merge_commit == commit)
    return next(landed, convoy.updated_ts)


def stopped(board: Board, target: str) -> Convoy | None:
    """The convoy that landed there what is red or not what was tested: until it goes on, nothing lands."""
    return next((each for each in board.open_convoys if lands_on(each) == target and _stops(each)), None)


def _stops(convoy: Convoy) -> bool:
    return convoy.paused is not None and convoy.paused.by == REFINERY


def stopped_verdict(subject: str, stop: Convoy) -> Verdict:
    """Why what policy allows does not land, and where that is ended."""
    why = stop.paused.why if stop.paused is not None else ""
    because = f"nothing more lands on {short_branch(lands_on(stop))} before a person has looked: {why}"
    where = f"/brat resume in #{stop.request.number}" if stop.request else f"brat convoy resume {stop.slug}"
    return Verdict(subject, "queue", VerdictState.BLOCKED, because, who="a maintainer", unblock=where)
