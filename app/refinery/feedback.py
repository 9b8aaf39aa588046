"""What says that the work on a pull request is not good yet goes back to an agent: once each, and bounded."""

from __future__ import annotations

from app.board import Convoy, Effort, Look, Task, cap, counted, merge_failures, step
from app.policy import red_checks, review_evidence, worth_rerun
from app.ports import (
    Candidate,
    CheckSeen,
    Decision,
    Fact,
    FeedbackGiven,
    FollowUpWanted,
    MergeFailed,
    PullSeen,
    RerunCheck,
    ReviewSeen,
    TaskBlocked,
)
from app.refinery.places import short_branch

__all__ = ["conflict_back", "give_back", "red_back", "review_back"]


def red_back(convoy: Convoy, task: Task, pull: PullSeen, *, look: Look) -> Decision | None:
    """Red checks: re-run once where a flake is likely, then to an agent with the tails of their logs."""
    hub = look.seen.hub
    assert hub is not None
    checks = hub.checks.get(pull.head)
    if checks is None:
        return None
    rules = hub.rules.get(short_branch(convoy.target))
    red = red_checks(checks, rules, look.config.refinery, app=hub.app)
    if not red or ("checks", pull.head) in task.feedback:
        return None
    if any(each.id and each.id not in hub.failures for each in red):
        # What failed is not read yet; without it the agent would guess.
        return None
    efforts = {each.id: Effort(task.issue, f"rerun:{each.id}", RerunCheck(each.id)) for each in red}
    asked = [each for each in efforts.values() if each.key in look.board.ledger.effects]
    if any(_under_way(each, look) for each in asked):
        return sum((step(look, each) for each in asked), Decision())
    again = worth_rerun(red, checks, hub.failures, rerun=("rerun", pull.head) in task.feedback)
    if again:
        once = Decision(facts=(FeedbackGiven(task.issue, "rerun", pull.head),))
        return sum((step(look, efforts[each.id]) for each in again), once)
    told = "\n\n".join(_told(each, hub.failures.get(each.id, "")) for each in red)
    return _with_feedback(task, ("checks", pull.head), give_back(task, "check", told, look=look))


def review_back(task: Task, pull: PullSeen, look: Look) -> Decision | None:
    """Published words of people who may write: each review once."""
    hub = look.seen.hub
    assert hub is not None
    new = [each for each in pull.reviews if ("review", str(each.id)) not in task.feedback]
    allowed = frozenset(look.config.mayor.allow_bots)
    waking = review_evidence(new, hub.access, 0, allow_bots=allowed)
    if not waking:
        return None
    told = "\n\n".join(_review(each) for each in waking)
    facts = tuple(FeedbackGiven(task.issue, "review", str(each.id)) for each in waking)
    return Decision(facts=(*facts, *give_back(task, "review", told, look=look)))


def _review(review: ReviewSeen) -> str:
    """What a person said of the work, as data for the next prompt."""
    return "\n".join((f"@{review.author.login}: {review.body}".rstrip(), *review.lines))


def conflict_back(task: Task, candidate: Candidate | None, look: Look) -> Decision | None:
    """The code host sees a conflict, and so does the merge built here."""
    if candidate is None or not candidate.conflicts:
        return None
    told = f"conflicts in {', '.join(candidate.conflicts)}\n{candidate.detail}"
    return Decision(facts=give_back(task, "conflict", told, look=look, paths=candidate.conflicts))


def give_back(
    task: Task, reason: str, evidence: str, *, look: Look, paths: tuple[str, ...] = ()
) -> tuple[Fact, ...]:
    """To an agent with the evidence, or blocked at the limit."""
    assert task.work is not None
    running = task.merge is not None and task.merge.result == "running"
    attempt = (task.merge.attempt if task.merge else 0) + (0 if running else 1)
    strategy = task.merge.strategy if task.merge else ""
    failed = MergeFailed(task.issue, attempt, strategy, reason, cap(evidence))
    before = merge_failures(task)
    if before < look.config.refinery.merge_retry_limit:
        return (failed, FollowUpWanted(task.issue, reason, cap(evidence), task.work.head, paths))
    first = evidence.partition("\n")[0]
    times = counted(before + 1, "try", "tries")
    why = f"did not land after {times}, the last for a {reason}: {first}"
    return (failed, TaskBlocked(task.issue, cap(why), f"/brat retry {task.number}"))


def _with_feedback(task: Task, key: tuple[str, str], facts: tuple[Fact, ...]) -> Decision:
    return Decision(facts=(FeedbackGiven(task.issue, *key), *facts))


def _under_way(effort: Effort, look: Look) -> bool:
    """Asked for a moment ago: its new check run may not show yet."""
    effect = look.board.ledger.effects[effort.key]
    return effect.seen is None or look.now <= effect.intended.deadline_ts


def _told(check: CheckSeen, tail: str) -> str:
    head = f"{check.name}: {check.state}" + (f" ({check.url})" if check.url else "")
    return f"{head}\n{tail}".strip()
