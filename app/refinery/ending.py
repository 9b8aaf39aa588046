"""The end of a convoy on a code host."""

from __future__ import annotations

from app.board import Convoy, Effort, Look, TaskStatus, convoy_main, step
from app.ports import (
    BaseTakenOver,
    ConvoyCompleted,
    ConvoyFailed,
    Decision,
    Enqueue,
    FeedbackGiven,
    Land,
    MergePull,
    OpenPull,
    PullEnded,
    PullOpened,
    PullSeen,
    PullState,
    RestoreRef,
    Verdict,
    VerdictState,
)
from app.refinery.finish import refused_verdict
from app.refinery.judging import judged, say_on_head
from app.refinery.merging import PUT_OUT, in_queue, put_out
from app.refinery.places import (
    UPDATE,
    own_branch,
    pull_for,
    pushed_last,
    short_branch,
    unsaid,
    watched,
)
from app.refinery.pulls import introduced
from app.refinery.updating import brought_up, home_key
from app.texts import (
    convoy_pull_body,
    convoy_pull_title,
)

__all__ = ["ensure_target", "finish_hosted", "land_again"]


def ensure_target(convoy: Convoy, look: Look) -> Decision:
    """The convoy's own branch is there before anything is to land on it."""
    if not own_branch(convoy) or convoy.target in look.seen.refs or convoy.approved_by is None:
        return Decision()
    made = RestoreRef(convoy.target, None, convoy.base_commit)
    return Decision(actions=(made,), verdicts=_refused(convoy, look))


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
        return Decision(actions=again, verdicts=(*_refused(convoy, look), _says(convoy, because)))
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
    if not own_branch(convoy) and watched(convoy):
        return Decision()
    if not own_branch(convoy) or convoy.taken_over is not None:
        head = look.seen.refs.get(f"refs/heads/{convoy.base}", convoy.base_commit)
        return Decision(facts=(ConvoyCompleted(convoy.issue, head),))
    hub = look.seen.hub
    assert hub is not None
    pull = pull_for(hub, convoy_main(convoy.slug), convoy.pull_ended)
    return _open(convoy) if pull is None else _bring_home(convoy, pull, look)


def _open(convoy: Convoy) -> Decision:
    action = OpenPull(
        head=convoy_main(convoy.slug),
        base=convoy.base,
        title=convoy_pull_title(convoy),
        body=convoy_pull_body(convoy),
    )
    return Decision(actions=(action,), verdicts=(_says(convoy, "its pull request is being opened"),))


def _bring_home(convoy: Convoy, pull: PullSeen, look: Look) -> Decision:
    if convoy.pull is None or convoy.pull.number != pull.number:
        return Decision(facts=(PullOpened(convoy.issue, pull.number, pull.url, pull.head),))
    if pull.state is PullState.MERGED:
        old = convoy.base_commit
        new = pull.merge_commit or pull.head
        return Decision(facts=(BaseTakenOver(convoy.issue, convoy.base, old, new),))
    if pull.state is PullState.CLOSED:
        by = pull.ended_by.login if pull.ended_by else ""
        told = f"its pull request was closed by {by or 'somebody'}"
        return Decision(
            facts=(PullEnded(convoy.issue, pull.number, by), ConvoyFailed(convoy.issue, told)),
        )
    return _land_home(convoy, pull, look)


def _land_home(convoy: Convoy, pull: PullSeen, look: Look) -> Decision:
    """Its own pull request is brought up to its base, waits for what policy wants, or is merged."""
    verdict = judged(convoy, None, pull, look=look)
    said = introduced(convoy, None, pull, look=look)
    said += say_on_head(convoy, convoy.issue, pull, verdict=verdict, look=look)
    if pull.queue is not None:
        return said + _by_queue(convoy, pull, look)
    commit = brought_up(pull, home_key(convoy, pull, look.seen.refs), look=look)
    # Until it shows what was pushed last, it may seem to lack what it has.
    if commit is not None and pull.head == look.seen.refs.get(convoy.target):
        return said + _update(convoy, pull, commit, look=look)
    if unsaid(pull, look) and verdict.state is VerdictState.DONE:
        return said + Decision(verdicts=(_says(convoy, "its label and check run come first"),))
    if verdict.state is not VerdictState.DONE:
        return said + Decision(verdicts=(verdict,))
    rules = look.seen.hub.rules.get(convoy.base) if look.seen.hub else None
    if rules is not None and rules.queue:
        return said + _by_queue(convoy, pull, look)
    refused = look.seen.refused.get(f"pull:{pull.number}")
    last = refused.reason if refused else look.seen.unsure.get(f"pull:{pull.number}", "")
    told = f"it is being merged; the last answer: {last}" if last else "it is being merged"
    title = f"{convoy_pull_title(convoy)} (#{pull.number})"
    action = MergePull(pull.number, pull.head, convoy.strategy, title, f"Brat-Convoy: {convoy.id}")
    return said + Decision(actions=(action,), verdicts=(_says(convoy, told),))


def _by_queue(convoy: Convoy, pull: PullSeen, look: Look) -> Decision:
    """GitHub's own queue: each head goes in once, and who may write puts in again what it put out."""
    key = f"queue:{pull.number}:{pull.head}"
    if put_out(key, pull, look):
        again = "put it in again on its page, or push what mends it"
        out = Verdict(
            convoy.issue, "landing", VerdictState.BLOCKED, PUT_OUT, who="who may write", unblock=again
        )
        return Decision(verdicts=(out,))
    effort = Effort(convoy.issue, key, Enqueue(pull.number, pull.head), 1 if pull.queue is not None else None)
    refused = look.seen.refused.get(f"pull:{pull.number}")
    told = f"{in_queue(pull)}; the last answer: {refused.reason}" if refused else in_queue(pull)
    return step(look, effort) + Decision(verdicts=(_says(convoy, told),))


def _update(convoy: Convoy, pull: PullSeen, commit: str, *, look: Look) -> Decision:
    """The base is merged into the convoy's own branch, whose checks run again then."""
    told = _refused(convoy, look) or (
        _says(convoy, f"{convoy.base} is merged into its branch, and that is tested again"),
    )
    push = Land(convoy.target, pull.head, commit, (FeedbackGiven(convoy.issue, UPDATE, commit),))
    return Decision(actions=(push,), verdicts=told)


def _refused(convoy: Convoy, look: Look) -> tuple[Verdict, ...]:
    """Why the target does not move, where the host said no."""
    refused = look.seen.refused.get(convoy.target)
    return (refused_verdict(convoy.issue, convoy.target, refused, hosted=True),) if refused else ()


def _says(convoy: Convoy, because: str) -> Verdict:
    return Verdict(convoy.issue, "landing", VerdictState.WORKING, because, who="the Refinery")
