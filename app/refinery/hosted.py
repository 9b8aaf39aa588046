"""Landing on a code host: one merge at a time per base, by its API or its queue, after policy allows it.

Worked example: task 2 is published. `land_hosted` answers `OpenPull`; once it is seen, `PullOpened`; while
checks run, a verdict that says which; when all pass, `MergeStarted` and then `MergePull` with the head as
guard; once it is seen as merged and the landed tree is the tested one, `MergeSucceeded`.
"""

from __future__ import annotations

from app.board import Convoy, Look, Task, TaskStatus
from app.ports import (
    Decision,
    HoldReleased,
    Land,
    PullSeen,
    PullState,
    Verdict,
    VerdictState,
    WorkPublished,
)
from app.refinery.aftermath import stopped, stopped_verdict
from app.refinery.feedback import conflict_back, red_back, review_back
from app.refinery.finish import refused_verdict
from app.refinery.judging import judged, say_on_head
from app.refinery.merging import PATIENCE, go_on, start, take_back, withdrawn
from app.refinery.places import pull_for, running, unsaid
from app.refinery.pulls import introduced, notice, retold
from app.refinery.updating import brought_up, told_behind, update_key

__all__ = ["in_order", "land_hosted"]


def in_order(convoy: Convoy) -> tuple[Task, ...]:
    """Published work that nothing holds back: what is landing first, then by age."""
    ready = [task for task in convoy.tasks if _ready(task)]
    return tuple(sorted(ready, key=lambda task: (running(task) is None, task.work_ts, task.number)))


def _ready(task: Task) -> bool:
    published = task.status is TaskStatus.NEEDS_REVIEW and task.work is not None
    return published and task.hold is None and task.follow_up is None


def land_hosted(convoy: Convoy, look: Look, *, busy: bool) -> tuple[Decision, bool]:
    """One step for every published task; at most one of them lands. Also whether one is landing."""
    decision = Decision()
    busy = busy or stopped(look.board, convoy.target) is not None
    for task in in_order(convoy):
        one, landing = _one(convoy, task, look, busy=busy)
        decision += one
        # Who gives a turn back gives it to all: the next round decides, when other convoys are seen too.
        busy = busy or landing or running(task) is not None
    return decision, busy


def _one(convoy: Convoy, task: Task, look: Look, *, busy: bool) -> tuple[Decision, bool]:
    hub, merge = look.seen.hub, running(task)
    assert hub is not None
    noticed = notice(convoy, task, look)
    if noticed is not None:
        return noticed, merge is not None
    pull = pull_for(hub, _branch(task), task.pull_ended)
    if pull is None:
        return Decision(), merge is not None
    if merge is not None and pull.state is PullState.MERGED:
        return go_on(convoy, task, pull, look=look), True
    verdict = judged(convoy, task, pull, look=look)
    said = retold(convoy, task, pull) + introduced(convoy, task, pull, look=look)
    said += say_on_head(convoy, task.issue, pull, verdict=verdict, look=look)
    back = _back(convoy, task, pull, look=look)
    if back is not None:
        return said + back, merge is not None and not back.facts
    if verdict.state is VerdictState.DONE:
        one, landing = _allowed(convoy, task, pull, look=look, busy=busy)
    else:
        one, landing = _not_allowed(convoy, task, pull, look=look, busy=busy)
        one += Decision(verdicts=(verdict,))
    return said + one, landing


def _allowed(convoy: Convoy, task: Task, pull: PullSeen, *, look: Look, busy: bool) -> tuple[Decision, bool]:
    """Policy says yes: go on with the landing, begin one, or wait for the one before."""
    merge = running(task)
    if told_behind(pull, look):
        if merge is not None:
            return Decision(facts=(withdrawn(task, merge, "the base has to be in it first"),)), False
        update, updating = _update(convoy, task, pull, look=look, busy=busy)
        if update != Decision():
            return update, updating
    if unsaid(pull, look):
        return Decision(verdicts=(_introducing(task),)), merge is not None
    stop = stopped(look.board, convoy.target)
    if merge is not None:
        on = take_back(task, merge, pull, look=look) if stop else go_on(convoy, task, pull, look=look)
        return on, True
    if busy:
        waits = _queued(task) if stop is None else stopped_verdict(task.issue, stop)
        return Decision(verdicts=(waits,)), False
    return start(convoy, task, pull, look=look), True


def _not_allowed(
    convoy: Convoy, task: Task, pull: PullSeen, *, look: Look, busy: bool
) -> tuple[Decision, bool]:
    """Policy says no: a landing that was begun is put off, and a branch that is behind is brought up."""
    merge = running(task)
    if merge is not None and pull.queue is not None:
        # GitHub's own queue judges it now, and its pull request changes state on the way.
        return go_on(convoy, task, pull, look=look), True
    if merge is not None:
        return Decision(facts=(withdrawn(task, merge, "policy allows it no more"),)), False
    return _update(convoy, task, pull, look=look, busy=busy)


def _back(convoy: Convoy, task: Task, pull: PullSeen, *, look: Look) -> Decision | None:
    """What an agent has to mend, in the order of what it costs to ignore it."""
    found = None
    if pull.mergeable is False:
        found = conflict_back(task, look.seen.candidates.get(update_key(convoy, task, look.seen.refs)), look)
    return found or review_back(task, pull, look) or red_back(convoy, task, pull, look=look)


def _branch(task: Task) -> str:
    assert task.work is not None
    return task.work.branch


def _queued(task: Task) -> Verdict:
    because = "policy allows it; another one lands first, one merge at a time"
    return Verdict(task.issue, "queue", VerdictState.WAITING, because, who="the Refinery")


def _introducing(task: Task) -> Verdict:
    because = "policy allows it; its label, its reviewers and the check run come first"
    return Verdict(task.issue, "landing", VerdictState.WORKING, because, who="the Refinery")


def _update(convoy: Convoy, task: Task, pull: PullSeen, *, look: Look, busy: bool) -> tuple[Decision, bool]:
    """Behind a base that has to be in it: merged here and pushed, then its checks run again.

    A branch that refuses it is tried again in each pass, and has no turn meanwhile.
    """
    work = task.work
    assert work is not None
    commit = brought_up(pull, update_key(convoy, task, look.seen.refs), look=look)
    if commit is None:
        return Decision(), False
    ref = f"refs/heads/{work.branch}"
    refused = look.seen.refused.get(ref)
    stuck = refused is not None and refused.times >= PATIENCE
    told = (refused_verdict(task.issue, ref, refused, hosted=True),) if refused and stuck else ()
    if busy:
        return Decision(verdicts=told), False
    published = WorkPublished(
        task.issue, work.session, work.branch, commit, work.base, work.touched, work.strayed
    )
    # Who released the work released it on any base: their release goes on to the merge.
    goes_on = HoldReleased(task.issue, commit, f"the release of {work.head[:12]}")
    facts = (published, goes_on) if work.head in task.released else (published,)
    update = Land(ref, look.seen.refs.get(ref), commit, facts)
    return Decision(actions=(update,), verdicts=told), not stuck
