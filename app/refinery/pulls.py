"""A task's pull request: opened for published work, and what people do with it is noticed."""

from __future__ import annotations

from app.board import Convoy, Effort, Look, Task, TaskStatus, cap, commented, step, task_branch
from app.policy import codeowners
from app.ports import (
    Decision,
    EditPull,
    Introduce,
    MergeStarted,
    MergeSucceeded,
    OpenPull,
    PullEnded,
    PullOpened,
    PullSeen,
    PullState,
    TaskBlocked,
    Verdict,
    VerdictState,
)
from app.refinery.places import intro_key, pull_for, running, short_branch
from app.texts import (
    merged_early_note,
    pull_body,
    pull_title,
    pull_view,
    sealed,
    unchanged_since,
)

__all__ = ["introduced", "merged_by_hand", "merged_early", "notice", "retold"]

TASK_LABEL = "brat:task"


def notice(convoy: Convoy, task: Task, look: Look) -> Decision | None:
    """What comes before any question of merging; None when the pull request is there, ours and current."""
    hub, work = look.seen.hub, task.work
    assert hub is not None
    assert work is not None
    branch = task_branch(convoy.slug, task.number)
    pull = pull_for(hub, branch, task.pull_ended)
    if pull is None:
        return _about_branch(task, look, branch=branch) or _open(convoy, task, look, branch=branch)
    if task.pull is None or task.pull.number != pull.number:
        return Decision(facts=(PullOpened(task.issue, pull.number, pull.url, pull.head),))
    if pull.state is PullState.MERGED:
        return _rest(task, pull, look) if merged_early(task, pull) else merged_by_hand(task, pull)
    if pull.state is PullState.CLOSED:
        return _closed(task, pull)
    lag = pull.head != work.head
    found = _about_branch(task, look, branch=branch)
    return found or (_waiting(task, f"#{pull.number} does not show {work.head[:12]} yet") if lag else None)


def _about_branch(task: Task, look: Look, *, branch: str) -> Decision | None:
    """None when the branch holds the published work."""
    assert task.work is not None
    there = look.seen.refs.get(f"refs/heads/{branch}")
    if there == task.work.head:
        return None
    if there is None:
        gone = task.pull is not None
        return (
            _blocked(task, f"somebody deleted {branch}")
            if gone
            else _waiting(task, f"{branch} is being pushed")
        )
    return _blocked(task, f"somebody else moved {branch} to {there[:12]}; their work is left alone")


def _open(convoy: Convoy, task: Task, look: Look, *, branch: str) -> Decision:
    view = pull_view(convoy, task)
    action = OpenPull(
        head=branch,
        base=short_branch(convoy.target),
        title=pull_title(view),
        body=sealed(pull_body(view)),
    )
    refused = look.seen.refused.get(f"pull:{branch}")
    # Once may be a list that lags: the host knows a pull request that no look has shown yet.
    if refused is not None and refused.times > 1:
        verdict = Verdict(
            task.issue,
            "pull",
            VerdictState.BLOCKED,
            f"its pull request cannot be opened: {refused.reason}",
            who="a maintainer",
            unblock=refused.remedy or "/brat merge",
        )
        return Decision(actions=(action,), verdicts=(verdict,))
    return Decision(actions=(action,), verdicts=_waiting(task, "its pull request is being opened").verdicts)


def retold(convoy: Convoy, task: Task, pull: PullSeen) -> Decision:
    """Evidence, attempts and cost in the description are those of the head that is there now."""
    body = sealed(pull_body(pull_view(convoy, task)))
    if pull.body == body or not unchanged_since(pull.body):
        return Decision()
    return Decision(actions=(EditPull(pull.number, body),))


def introduced(convoy: Convoy, task: Task | None, pull: PullSeen, *, look: Look) -> Decision:
    """Label and reviewers of a task's pull request, or of the convoy's own: once, as the log tells."""
    hub = look.seen.hub
    assert hub is not None
    owners = hub.owners.get(look.seen.refs.get(f"refs/heads/{convoy.base}", ""))
    if task is not None and owners is None:
        return Decision()
    reviewers = codeowners(owners or "", task.work.touched) if task is not None and task.work else ()
    action = Introduce(pull.number, intro_key(pull), (TASK_LABEL,), reviewers)
    # It is the last thing that an introduction does.
    found = 1 if TASK_LABEL in pull.labels else None
    return step(look, Effort(task.issue if task else convoy.issue, action.key, action, found))


def merged_early(task: Task, pull: PullSeen) -> bool:
    """Whether it was merged at the head that the session began with whose work is published since."""
    work = task.work
    if work is None or pull.state is not PullState.MERGED or pull.head == work.head:
        return False
    return any(each.id == work.session and each.started.carry == pull.head for each in task.sessions)


def _rest(task: Task, pull: PullSeen, look: Look) -> Decision:
    """What that session added gets a pull request of its own; said first."""
    hub, key = look.seen.hub, f"rest:{pull.number}"
    assert hub is not None
    assert task.work is not None
    if look.board.ledger.ref(key) is None:
        said = (key, merged_early_note(pull.head, task.work.head))
        return commented(look, hub, task.issue, number=pull.number, said=said)
    by = pull.ended_by.login if pull.ended_by else ""
    return Decision(facts=(PullEnded(task.issue, pull.number, by),))


def merged_by_hand(task: Task, pull: PullSeen) -> Decision | None:
    """A person merged it: that is their right, and it is recorded as what it is. None: we are merging it."""
    if running(task) is not None:
        return None
    attempt = task.merge.attempt + 1 if task.merge else 1
    commit = pull.merge_commit or pull.head
    started = MergeStarted(task.issue, attempt, "by-hand", "", pull.head, commit, "")
    return Decision(facts=(started, MergeSucceeded(task.issue, attempt, "by-hand", commit, "")))


def _closed(task: Task, pull: PullSeen) -> Decision:
    by = pull.ended_by.login if pull.ended_by else ""
    why = cap(f"its pull request was closed by {by or 'somebody'}")
    return Decision(
        facts=(
            PullEnded(task.issue, pull.number, by),
            TaskBlocked(task.issue, why, f"/brat retry {task.number}"),
        )
    )


def _blocked(task: Task, because: str) -> Decision:
    if task.status is TaskStatus.BLOCKED:
        return Decision()
    return Decision(facts=(TaskBlocked(task.issue, cap(because), f"/brat retry {task.number}"),))


def _waiting(task: Task, because: str) -> Decision:
    verdict = Verdict(task.issue, "pull", VerdictState.WAITING, because, who="the Refinery")
    return Decision(verdicts=(verdict,))
