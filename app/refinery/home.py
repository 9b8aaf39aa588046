"""The convoy's own pull request: what was gathered on its branch comes home to the base."""

from __future__ import annotations

from app.board import Convoy, Effort, Look, convoy_main, step
from app.ports import (
    BaseTakenOver,
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
    Verdict,
    VerdictState,
)
from app.refinery.aftermath import after_landing
from app.refinery.finish import refused_verdict
from app.refinery.judging import judged, say_on_head
from app.refinery.merging import PUT_OUT, in_queue, put_out
from app.refinery.places import UPDATE, home_landing_key, pull_for, unsaid
from app.refinery.pulls import introduced
from app.refinery.updating import brought_up, home_key
from app.texts import convoy_pull_body, convoy_pull_title

__all__ = ["bring_home", "says", "target_refused"]


def bring_home(convoy: Convoy, look: Look) -> Decision:
    """Opened, landed and recorded."""
    hub = look.seen.hub
    assert hub is not None
    pull = pull_for(hub, convoy_main(convoy.slug), convoy.pull_ended)
    if pull is None:
        return _open(convoy)
    if convoy.pull is None or convoy.pull.number != pull.number:
        return Decision(facts=(PullOpened(convoy.issue, pull.number, pull.url, pull.head),))
    if pull.state is PullState.MERGED:
        return _landed(convoy, pull, look)
    if pull.state is PullState.CLOSED:
        by = pull.ended_by.login if pull.ended_by else ""
        told = f"its pull request was closed by {by or 'somebody'}"
        return Decision(
            facts=(PullEnded(convoy.issue, pull.number, by), ConvoyFailed(convoy.issue, told)),
        )
    return _land_home(convoy, pull, look)


def _open(convoy: Convoy) -> Decision:
    action = OpenPull(
        head=convoy_main(convoy.slug),
        base=convoy.base,
        title=convoy_pull_title(convoy),
        body=convoy_pull_body(convoy),
    )
    return Decision(actions=(action,), verdicts=(says(convoy, "its pull request is being opened"),))


def _landed(convoy: Convoy, pull: PullSeen, look: Look) -> Decision:
    """What landed is held against what was tested, as a task's landing is."""
    new = pull.merge_commit or pull.head
    taken = BaseTakenOver(convoy.issue, convoy.base, convoy.base_commit, new)
    key = home_landing_key(convoy, pull)
    if key is None:
        return Decision(facts=(taken,))
    trees = look.seen.landings.get(key)
    if trees is None:
        return Decision(verdicts=(says(convoy, "it is merged; the landed commit is being fetched"),))
    return Decision(facts=(taken, *after_landing(convoy, pull, trees)))


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
        return said + Decision(verdicts=(says(convoy, "its label and check run come first"),))
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
    return said + Decision(actions=(action,), verdicts=(says(convoy, told),))


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
    return step(look, effort) + Decision(verdicts=(says(convoy, told),))


def _update(convoy: Convoy, pull: PullSeen, commit: str, *, look: Look) -> Decision:
    """The base is merged into the convoy's own branch, whose checks run again then."""
    told = target_refused(convoy, look) or (
        says(convoy, f"{convoy.base} is merged into its branch, and that is tested again"),
    )
    push = Land(convoy.target, pull.head, commit, (FeedbackGiven(convoy.issue, UPDATE, commit),))
    return Decision(actions=(push,), verdicts=told)


def target_refused(convoy: Convoy, look: Look) -> tuple[Verdict, ...]:
    """Why the target does not move, where the host said no."""
    refused = look.seen.refused.get(convoy.target)
    return (refused_verdict(convoy.issue, convoy.target, refused, hosted=True),) if refused else ()


def says(convoy: Convoy, because: str) -> Verdict:
    """What the Refinery is doing with the convoy as a whole."""
    return Verdict(convoy.issue, "landing", VerdictState.WORKING, because, who="the Refinery")
