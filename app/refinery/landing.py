"""From a published branch to the target: one merge at a time, checked as exactly the tree that lands."""

from __future__ import annotations

from app.board import Convoy, Look, Merge, Task, TaskStatus, cap, counted, merge_failures
from app.globs import matches
from app.ports import (
    Candidate,
    CandidateKey,
    Decision,
    Fact,
    Finding,
    FollowUpWanted,
    Land,
    MergeFailed,
    MergeStarted,
    MergeSucceeded,
    TakeOver,
    TaskBlocked,
)
from app.prompts import defused
from app.refinery.checking import check_of, start_check, tries, watch_check

__all__ = ["candidate_key", "land_next", "message_of", "next_to_land", "strayed_into"]


def next_to_land(convoy: Convoy) -> Task | None:
    """The oldest published work that nothing holds back. A merge that is under way goes first."""
    ready = [task for task in convoy.tasks if _ready(convoy, task)]
    running = [task for task in ready if _running(task) is not None]
    return min(running or ready, key=lambda task: (task.work_ts, task.number), default=None)


def strayed_into(convoy: Convoy, task: Task) -> Task | None:
    """A running task whose paths this work touched outside its own; that one lands first."""
    strayed = task.work.strayed if task.work else ()
    return next(
        (
            other
            for other in convoy.tasks
            if other.status is TaskStatus.RUNNING and any(matches(other.spec.paths, path) for path in strayed)
        ),
        None,
    )


def _ready(convoy: Convoy, task: Task) -> bool:
    published = task.status is TaskStatus.NEEDS_REVIEW and task.work is not None
    free = task.hold is None and task.follow_up is None
    return published and free and strayed_into(convoy, task) is None


def _running(task: Task) -> Merge | None:
    return task.merge if task.merge is not None and task.merge.result == "running" else None


def candidate_key(convoy: Convoy, task: Task, target: str) -> CandidateKey:
    """The merge of this task's work onto the target's present head."""
    assert task.work is not None
    message = message_of(convoy, task, task.work.session)
    return CandidateKey(target, task.work.head, task.work.base, convoy.strategy, message, task.work_ts)


def message_of(convoy: Convoy, task: Task, session: str) -> str:
    """Of a commit that holds this session's work."""
    trailers = f"Brat-Convoy: {convoy.id}\nBrat-Task: {task.id}\nBrat-Session: {session}"
    words = defused(f"{task.title}\n\nTask {task.number} of {convoy.slug}: {convoy.title}")
    return f"{words}\n\n{trailers}\n"


def land_next(convoy: Convoy, look: Look) -> Decision:
    """One step for the task whose turn it is: build, check, land, or send back."""
    task = next_to_land(convoy)
    if task is None:
        return Decision()
    target = look.seen.refs.get(convoy.target, convoy.base_commit)
    merge = _running(task)
    if merge is not None and merge.commit and (convoy.target, merge.commit) in look.seen.contains:
        return Decision(facts=(_succeeded(task, merge, look),))
    key = candidate_key(convoy, task, target)
    candidate = look.seen.candidates.get(key)
    if candidate is None:
        return Decision()
    if merge is None or merge.base != target or merge.commit != candidate.commit:
        return Decision(facts=_start(task, key, candidate, look=look))
    return _go_on(convoy, task, merge, look=look)


def _start(task: Task, key: CandidateKey, candidate: Candidate, *, look: Look) -> tuple[Fact, ...]:
    """A new attempt on the present base; an attempt on an older one is closed first."""
    facts: list[Fact] = []
    attempt = task.merge.attempt + 1 if task.merge else 1
    if _running(task) is not None:
        facts.append(MergeFailed(task.issue, attempt - 1, key.strategy, "base-moved"))
    if candidate.empty:
        return (*facts, MergeSucceeded(task.issue, attempt, key.strategy, None, key.base))
    started = MergeStarted(
        issue=task.issue,
        attempt=attempt,
        strategy=key.strategy,
        base=key.base,
        head=key.head,
        commit=candidate.commit or "",
        tree=candidate.tree or "",
    )
    facts.append(started)
    if candidate.commit is None:
        evidence = cap(f"conflicts in {', '.join(candidate.conflicts)}\n{candidate.detail}")
        failed = MergeFailed(task.issue, attempt, key.strategy, "conflict", evidence)
        facts += _send_back(task, failed, look, paths=candidate.conflicts)
    return tuple(facts)


def _go_on(convoy: Convoy, task: Task, merge: Merge, *, look: Look) -> Decision:
    """The merge is built and its intent recorded: check it, then land it."""
    check = check_of(task, merge)
    if not look.config.refinery.checks or (check and check.ended and check.ended.finding is Finding.DONE):
        return _land(convoy, task, merge, look=look)
    if check is None:
        return start_check(task, merge, look)
    if check.ended is None:
        return watch_check(check, look)
    if check.ended.finding in (Finding.ACCEPTANCE, Finding.TIMEOUT):
        failed = MergeFailed(task.issue, merge.attempt, merge.strategy, "check", check.ended.evidence)
        return Decision(facts=_send_back(task, failed, look))
    if check.ended.finding is not Finding.SETUP and tries(task, merge) < look.config.swarm.attempts:
        return start_check(task, merge, look)
    why = cap(f"the checks could not be run: {check.ended.evidence or 'their runner died'}")
    return Decision(facts=(TaskBlocked(task.issue, why, f"brat task retry {task.id}"),))


def _land(convoy: Convoy, task: Task, merge: Merge, *, look: Look) -> Decision:
    """The target moves to exactly the checked commit; where a person has it checked out, with their tree."""
    assert merge.commit is not None
    facts = (_succeeded(task, merge, look),)
    old = look.seen.refs.get(convoy.target)
    branch = convoy.target.removeprefix("refs/heads/")
    if branch in look.seen.checkouts and old is not None:
        return Decision(actions=(TakeOver(branch, old, merge.commit, facts),))
    return Decision(actions=(Land(convoy.target, old, merge.commit, facts),))


def _send_back(
    task: Task, failed: MergeFailed, look: Look, *, paths: tuple[str, ...] = ()
) -> tuple[Fact, ...]:
    """The attempt failed: back to an agent with the evidence, or blocked at the limit."""
    assert task.work is not None
    before = merge_failures(task)
    if before >= look.config.refinery.merge_retry_limit:
        first = failed.evidence.partition("\n")[0]
        times = counted(before + 1, "try", "tries")
        why = f"did not land after {times}, the last for a {failed.reason}: {first}"
        return (failed, TaskBlocked(task.issue, cap(why), f"brat task retry {task.id}"))
    return (failed, FollowUpWanted(task.issue, failed.reason, failed.evidence, task.work.head, paths))


def _succeeded(task: Task, merge: Merge, look: Look) -> MergeSucceeded:
    checks = tuple(check.name for check in look.config.refinery.checks)
    return MergeSucceeded(task.issue, merge.attempt, merge.strategy, merge.commit, merge.base, checks)
