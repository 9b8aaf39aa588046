"""What policy says of a pull request, and the check run that says it on the head."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from app.board import Convoy, Effort, Look, Task, step
from app.config import Strategy
from app.policy import PolicyCase, judge, runs_ci
from app.ports import CheckSeen, Decision, PostCheck, PullSeen, Verdict
from app.refinery.places import check_key, short_branch
from app.texts import check_text

__all__ = ["judged", "own_check", "say_on_head"]


def judged(convoy: Convoy, task: Task | None, pull: PullSeen, *, look: Look) -> Verdict:
    """The result tree for a task's pull request, or with no task for the convoy's own."""
    hub = look.seen.hub
    assert hub is not None
    number = convoy.request.number if convoy.request else 0
    mine = (task,) if task else _unreleased(convoy)
    issue = hub.issues.get(number)
    target = short_branch(convoy.target) if task else convoy.base
    case = PolicyCase(
        subject=task.issue if task else convoy.issue,
        pull=pull,
        policy=replace(look.config.refinery, strategy=cast(Strategy, convoy.strategy)),
        now=look.now,
        head_since_ts=task.work_ts if task else pull.updated_ts,
        target=target,
        checks=hub.checks.get(pull.head),
        rules=hub.rules.get(target),
        paths=_paths(mine),
        labels=issue.labels | pull.labels if issue else pull.labels,
        access=hub.access,
        allow_bots=frozenset(look.config.mayor.allow_bots),
        holds=(task.hold,) if task and task.hold else (),
        released=task.released if task else frozenset(() if mine else (pull.head,)),
        app=hub.app,
        task=task.number if task else 0,
        unreleased=tuple(each.number for each in mine),
        ci_runs=_ci_runs(convoy, pull, look),
    )
    return judge(case)


def _unreleased(convoy: Convoy) -> tuple[Task, ...]:
    """Landed tasks whose work nobody released: what was, is not asked for again in the convoy's own."""
    landed = (each for each in convoy.tasks if each.merge_commit)
    return tuple(each for each in landed if each.work is None or each.work.head not in each.released)


def _paths(tasks: tuple[Task, ...]) -> tuple[str, ...] | None:
    """Files that these change; None: not known."""
    found = [each.work for each in tasks]
    if any(work is None for work in found):
        return None
    return tuple(dict.fromkeys(path for work in found if work is not None for path in work.touched))


def _ci_runs(convoy: Convoy, pull: PullSeen, look: Look) -> bool:
    """Whether a workflow runs for the branch at all; where that cannot be read, it is taken to."""
    hub = look.seen.hub
    assert hub is not None
    workflows = hub.workflows.get(look.seen.refs.get(f"refs/heads/{convoy.base}", ""))
    return workflows is None or runs_ci(workflows, pull.head_branch, pull.base_branch)


def own_check(checks: tuple[CheckSeen, ...], key: str) -> CheckSeen | None:
    """Our check run on a head; of doubled ones the oldest."""
    mine = [each for each in checks if each.ours and each.key == key]
    return min(mine, key=lambda each: each.id, default=None)


def say_on_head(convoy: Convoy, issue: str, pull: PullSeen, *, verdict: Verdict, look: Look) -> Decision:
    """The check run `brat` on the head says what the verdict says; changed only when that changes."""
    hub = look.seen.hub
    assert hub is not None
    title, summary, conclusion = check_text(verdict, convoy=convoy)
    key = check_key(pull)
    checks = hub.checks.get(pull.head)
    if checks is None:
        return Decision()
    present = own_check(checks, key)
    action = PostCheck(pull.head, key, title, summary, conclusion, check=present.id if present else 0)
    once = step(look, Effort(issue, key, action, present.id if present else None))
    if present is None or present.summary == summary:
        return once
    return once + Decision(actions=(action,))
