"""The merge itself: intent, one guarded call, and what landed held against what was tested (P5)."""

from __future__ import annotations

from app.board import Convoy, Effort, Look, Merge, Task, cap, counted, step
from app.ports import (
    Decision,
    Dequeue,
    Enqueue,
    Land,
    MergeFailed,
    MergePull,
    MergeStarted,
    MergeSucceeded,
    PullSeen,
    PullState,
    RefusedMove,
    TaskBlocked,
    Verdict,
    VerdictState,
)
from app.refinery.aftermath import after_landing
from app.refinery.places import landing_key
from app.texts import merge_message

__all__ = ["PATIENCE", "PUT_OUT", "go_on", "in_queue", "put_out", "start", "take_back", "withdrawn"]

PUT_OUT = "GitHub's merge queue put it out"
PATIENCE = 3
"""Refusals in a row before the reason enters the log: the first ones are often a state that lags."""
AGAIN_MS = 15_000
"""How soon a merge is tried again whose answer left open what became of it."""


def start(convoy: Convoy, task: Task, pull: PullSeen, *, look: Look) -> Decision:
    """The intent to land this head; the call follows once it is in the log."""
    attempt = task.merge.attempt + 1 if task.merge else 1
    target = look.seen.refs.get(convoy.target, "")
    started = MergeStarted(task.issue, attempt, convoy.strategy, target, pull.head, pull.head, "")
    return Decision(facts=(started,))


def go_on(convoy: Convoy, task: Task, pull: PullSeen, *, look: Look) -> Decision:
    """A landing under way: call, wait, or record."""
    assert task.merge is not None
    if pull.state is PullState.MERGED:
        return _merged(convoy, task, pull, look=look)
    if task.merge.head != pull.head:
        return Decision(facts=(withdrawn(task, task.merge, "its head moved"),))
    refused = _given_up(task, f"pull:{pull.number}", look)
    if refused is not None:
        return _refused(task, _words(refused))
    rules = look.seen.hub.rules.get(pull.base_branch) if look.seen.hub else None
    if rules is not None and rules.queue:
        return _by_queue(task, pull, look)
    if look.config.refinery.land == "push" and not pull.behind:
        return _by_push(convoy, task, pull, look=look)
    title, body = merge_message(convoy, task, pull=pull.number)
    action = MergePull(pull.number, pull.head, convoy.strategy, title, body, _attempt(task))
    asked = _asked(task, "it is being merged", f"pull:{pull.number}", look=look)
    return Decision(actions=(action,), verdicts=(asked,))


def take_back(task: Task, merge: Merge, pull: PullSeen, *, look: Look) -> Decision:
    """A landing that may not go on: the log says so once nothing can land it any more."""
    if pull.queue is not None:
        refused = look.seen.refused.get(f"queue:{pull.number}")
        told = _landing(task, "it is being taken out of GitHub's merge queue")
        if refused is not None:
            because = f"it cannot be taken out of GitHub's merge queue: {refused.reason}"
            told = Verdict(task.issue, "landing", VerdictState.BLOCKED, because, who="who may write")
        return Decision(actions=(Dequeue(pull.number),), verdicts=(told,))
    entered = look.board.ledger.effects.get(_queue_key(merge, pull))
    until = entered.intended.deadline_ts if entered is not None and entered.seen is None else 0
    if look.now <= until:
        because = "it may still show up in GitHub's merge queue, and is taken out of it then"
        told = Verdict(
            task.issue, "landing", VerdictState.WAITING, because, who="GitHub", next_look_ts=until + 1
        )
        return Decision(verdicts=(told,))
    return Decision(facts=(withdrawn(task, merge, "it may not land for now"),))


def withdrawn(task: Task, merge: Merge, why: str) -> MergeFailed:
    """The end of a landing that is nobody's failure."""
    return MergeFailed(task.issue, merge.attempt, merge.strategy, "withdrawn", why)


def _queue_key(merge: Merge, pull: PullSeen) -> str:
    """The effect of entering GitHub's own queue."""
    return f"queue:{pull.number}:{merge.attempt}"


def _by_push(convoy: Convoy, task: Task, pull: PullSeen, *, look: Look) -> Decision:
    """The base moves to exactly the tested commit, with the event that says so."""
    assert task.merge is not None
    refused = _given_up(task, convoy.target, look)
    if refused is not None:
        return _refused(task, _words(refused))
    passed = _passed(pull, look)
    fact = MergeSucceeded(task.issue, task.merge.attempt, "push", pull.head, task.merge.base, passed)
    old = look.seen.refs.get(convoy.target)
    action = Land(convoy.target, old, pull.head, (fact,), _attempt(task))
    asked = _asked(task, "its tested commit is being pushed", convoy.target, look=look)
    return Decision(actions=(action,), verdicts=(asked,))


def _by_queue(task: Task, pull: PullSeen, look: Look) -> Decision:
    """GitHub's own queue: in once, followed, and an ejection in silence is noticed."""
    assert task.merge is not None
    key = _queue_key(task.merge, pull)
    enter = Enqueue(pull.number, pull.head, _attempt(task))
    effort = Effort(task.issue, key, enter, 1 if pull.queue is not None else None)
    if put_out(key, pull, look):
        return _refused(task, PUT_OUT, reason="ejected")
    return step(look, effort) + Decision(verdicts=(_landing(task, in_queue(pull)),))


def in_queue(pull: PullSeen) -> str:
    """How it stands with GitHub's own queue, in words."""
    return f"GitHub's merge queue has it ({pull.queue.state})" if pull.queue else "it enters the merge queue"


def put_out(key: str, pull: PullSeen, look: Look) -> bool:
    """Whether it was in the queue by the log and is not any more; GitHub's lists may lag."""
    entered = look.board.ledger.effects.get(key)
    known = pull.queue is None and entered is not None and entered.seen is not None
    return entered is not None and known and look.now > entered.intended.deadline_ts


def _merged(convoy: Convoy, task: Task, pull: PullSeen, *, look: Look) -> Decision:
    assert task.merge is not None
    key = landing_key(task, pull)
    trees = look.seen.landings.get(key) if key is not None else None
    if key is None or trees is None:
        return Decision(verdicts=(_landing(task, "it is merged; the landed commit is being fetched"),))
    merge = task.merge
    passed = _passed(pull, look)
    done = MergeSucceeded(task.issue, merge.attempt, merge.strategy, key.commit, merge.base, passed)
    return Decision(facts=(done, *after_landing(convoy, pull, trees)))


def _attempt(task: Task) -> str:
    assert task.merge is not None
    return f"{task.issue}:{task.merge.attempt}"


def _given_up(task: Task, key: str, look: Look) -> RefusedMove | None:
    """A refusal that counts for this attempt, and that has come often enough to be believed."""
    refused = look.seen.refused.get(key)
    believed = refused is not None and refused.attempt == _attempt(task) and refused.times >= PATIENCE
    return refused if believed else None


def _words(refused: RefusedMove) -> str:
    return f"{refused.reason}; {refused.remedy}" if refused.remedy else refused.reason


def _asked(task: Task, because: str, key: str, *, look: Look) -> Verdict:
    """What settled nothing is said with its reason: the call is made again."""
    unsure, refused = look.seen.unsure.get(key), look.seen.refused.get(key)
    if unsure is None:
        return _landing(task, f"{because}; the last answer: {_words(refused)}" if refused else because)
    told, again = f"{because}; the last answer: {unsure}", look.now + AGAIN_MS
    return Verdict(task.issue, "landing", VerdictState.WAITING, told, who="GitHub", next_look_ts=again)


def _passed(pull: PullSeen, look: Look) -> tuple[str, ...]:
    """Names of the checks that were green on the head that lands; our own says nothing of it."""
    checks = look.seen.hub.checks.get(pull.head, ()) if look.seen.hub else ()
    return tuple(sorted({each.name for each in checks if each.state.passes and not each.ours}))


def _refused(task: Task, why: str, *, reason: str = "refused") -> Decision:
    assert task.merge is not None
    failed = MergeFailed(task.issue, task.merge.attempt, task.merge.strategy, reason, cap(why))
    tries = sum(each.reason == reason and each.started_ts > task.since_ts for each in task.merges) + 1
    if tries < PATIENCE:
        return Decision(facts=(failed,))
    told = cap(f"it was not merged after {counted(tries, 'try', 'tries')}: {why}")
    return Decision(facts=(failed, TaskBlocked(task.issue, told, f"/brat retry {task.number}")))


def _landing(task: Task, because: str) -> Verdict:
    return Verdict(task.issue, "landing", VerdictState.WORKING, because, who="the Refinery")
