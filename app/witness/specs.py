"""The session of a task as the runner gets it, made again from the log whenever it is needed."""

from __future__ import annotations

from app.board import Convoy, Look, Session, Task, failures, task_branch
from app.config import Config, EngineChoice
from app.ports import CheckSpec, EngineCall, FollowUpWanted, Limits, Role, SessionSpec
from app.prompts import Carried, Failure, Remark, Work, defused, work_prompt

__all__ = ["engine_of", "wall_ms", "work_spec"]


def engine_of(task: Task, config: Config) -> EngineChoice:
    """The engine that the task names, by type or by kind of work, else the one for its kind."""
    named = config.engine_named(task.engine, kind=task.spec.kind) if task.engine else None
    return named or config.engine_for(task.spec.kind)


def wall_ms(task: Task, config: Config) -> int:
    """The task's own wall clock, never above the repository's."""
    limit = config.swarm.session_timeout_ms
    return min(task.spec.timeout_ms or limit, limit)


def work_spec(convoy: Convoy, task: Task, session: Session, *, look: Look) -> SessionSpec:
    """What the recorded session `session` shall do."""
    started, config = session.started, look.config
    checks = tuple(
        CheckSpec(f"acceptance {number}", command, wall_ms(task, config))
        for number, command in enumerate(task.spec.commands, 1)
    )
    return SessionSpec(
        id=started.session,
        role=Role.WITNESS,
        attempt=started.attempt,
        repository=look.setting.repository,
        base=started.base,
        branch=task_branch(convoy.slug, task.number),
        limits=Limits(
            wall_ms=wall_ms(task, config), idle_ms=config.swarm.idle_timeout_ms, usd=started.reserved_usd
        ),
        engine=EngineCall(
            started.engine or engine_of(task, config).type, started.model, _prompt(convoy, task, session)
        ),
        carry=started.carry,
        checks=checks,
        subject=defused(task.title),
        trailers=(
            ("Brat-Convoy", convoy.id),
            ("Brat-Task", task.id),
            ("Brat-Session", started.session),
        ),
    )


def _prompt(convoy: Convoy, task: Task, session: Session) -> str:
    follow_up = task.follow_up
    before = tuple(
        Failure(each.started.attempt, each.ended.finding.value, each.ended.evidence)
        for each in failures(task)
        if each.ended is not None
    )
    sent_back = (_sent_back(follow_up),) if follow_up else ()
    return work_prompt(
        Work(
            convoy=convoy.title,
            goal=convoy.goal,
            task=task.spec,
            branch=task_branch(convoy.slug, task.number),
            attempt=session.started.attempt,
            commands=task.spec.commands,
            failures=sent_back + before,
            remarks=tuple(Remark("maintainer", text) for text in task.remarks),
            carried=Carried(session.started.base, follow_up.paths if follow_up else ())
            if session.started.carry
            else None,
        )
    )


def _sent_back(follow_up: FollowUpWanted) -> Failure:
    reason = {"conflict": "merge conflict with what landed meanwhile", "check": "the repository's checks"}
    return Failure(0, reason.get(follow_up.reason, follow_up.reason), follow_up.evidence)
