"""What the sticky comment tells, as values: made from the board, without a clock."""

from __future__ import annotations

from collections.abc import Mapping

from app.board import Convoy, ConvoyStatus, Session, Task, TaskStatus, stuck, task_branch
from app.config import Config
from app.ports import Finding, PlannedTask, Verdict, VerdictState
from app.texts.twins import as_comment
from app.values import dataclass

__all__ = ["Money", "StickyTask", "StickyView", "Wait", "sticky_view"]


@dataclass(frozen=True, slots=True)
class Wait:
    """Why something waits, who can change that, and with which comment. `person`: nothing else will."""

    because: str
    who: str = ""
    command: str = ""
    person: bool = False


@dataclass(frozen=True, slots=True)
class Money:
    """USD. `unmetered` sessions ended without saying what they cost."""

    spent: float = 0.0
    reserved: float = 0.0
    limit: float | None = None
    unmetered: int = 0


@dataclass(frozen=True, slots=True)
class StickyTask:
    """One task as people see it. `pull` is number and address."""

    number: int
    state: str
    spec: PlannedTask
    engine: str
    branch: str
    depends_on: tuple[int, ...] = ()
    attempts: int = 0
    money: Money = Money()
    pull: tuple[int, str] | None = None
    wait: Wait | None = None
    parts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class StickyView:
    """A convoy for its issue. `state` is what the label says: planning, waiting, running, blocked or done.

    `doing` is what goes on in the convoy itself. `notes` are said on top: what the App may not do here,
    what changed under it.
    """

    convoy: Convoy
    state: str
    wait: Wait | None = None
    doing: str = ""
    tasks: tuple[StickyTask, ...] = ()
    money: Money = Money()
    pull: tuple[int, str] | None = None
    notes: tuple[str, ...] = ()


def sticky_view(
    convoy: Convoy,
    verdicts: Mapping[str, Verdict],
    *,
    pulls: Mapping[int, tuple[int, str]],
    config: Config,
    notes: tuple[str, ...] = (),
) -> StickyView:
    """The convoy as its issue shows it. `verdicts` are by subject; `pulls` overrule what the log has."""
    tasks = tuple(
        _task(convoy, task, verdicts.get(task.issue), pulls=pulls, config=config) for task in convoy.tasks
    )
    verdict = verdicts.get(convoy.issue)
    own = (convoy.pull.number, convoy.pull.url) if convoy.pull else None
    return StickyView(
        convoy=convoy,
        state=_with_tasks(_state(convoy, verdict), tasks),
        wait=_wait(convoy, verdict),
        doing=verdict.because if verdict is not None and verdict.state is VerdictState.WORKING else "",
        tasks=tasks,
        money=_money(convoy.all_sessions, config.budget.convoy_usd),
        pull=own,
        notes=notes,
    )


def _state(convoy: Convoy, verdict: Verdict | None) -> str:
    if convoy.status.final:
        return "done"
    person = verdict is not None and verdict.state is VerdictState.BLOCKED
    if convoy.status is ConvoyStatus.PAUSED or convoy.voided:
        return "waiting"
    if convoy.plan is None:
        return "blocked" if person else "planning"
    if not convoy.approved_by:
        return "waiting"
    return "blocked" if person or stuck(convoy) else "running"


def _with_tasks(state: str, tasks: tuple[StickyTask, ...]) -> str:
    """Nothing moves, and somebody has to do something: then a person is needed, whatever the tasks are."""
    waits = any(task.wait is not None and task.wait.person for task in tasks)
    moving = any(task.state in _MOVING or _reviewed(task) for task in tasks)
    return "blocked" if state == "running" and waits and not moving else state


_MOVING = ("running", "rework", "sent back", "landing", "being split")


def _reviewed(task: StickyTask) -> bool:
    return task.state == "in review" and not (task.wait is not None and task.wait.person)


def _task(
    convoy: Convoy,
    task: Task,
    verdict: Verdict | None,
    *,
    pulls: Mapping[int, tuple[int, str]],
    config: Config,
) -> StickyTask:
    recorded = (task.pull.number, task.pull.url) if task.pull else None
    wait = None if task.status.final or convoy.status.final else _wait(convoy, verdict)
    return StickyTask(
        number=task.number,
        state=_task_state(convoy, task),
        spec=task.spec,
        engine=_engine(task, config),
        branch=task.work.branch if task.work else task_branch(convoy.slug, task.number),
        depends_on=task.depends_on,
        attempts=task.attempts,
        money=_money(task.sessions, None),
        pull=pulls.get(task.number, recorded),
        wait=wait or _unsaid(convoy, task),
        parts=task.parts,
    )


def _wait(convoy: Convoy, verdict: Verdict | None) -> Wait | None:
    if verdict is None or verdict.state in (VerdictState.DONE, VerdictState.WORKING):
        return None
    person = verdict.state is VerdictState.BLOCKED
    return Wait(verdict.because, verdict.who, as_comment(verdict.unblock, convoy), person)


def _unsaid(convoy: Convoy, task: Task) -> Wait | None:
    """What the board alone knows of a blocked or held task, where no verdict came with it."""
    if task.status.final or convoy.status.final:
        return None
    if task.blocked is not None and task.status is TaskStatus.BLOCKED:
        return Wait(task.blocked.reason, "a maintainer", as_comment(task.blocked.unblock, convoy), True)
    if task.hold is not None and not task.splitting:
        word = "release" if task.hold.head else "unhold"
        return Wait(task.hold.reason, "a maintainer", f"/brat {word} {task.number}", True)
    return None


def _task_state(convoy: Convoy, task: Task) -> str:
    if task.status.final:
        return "split" if task.parts else task.status.value
    if convoy.status.final:
        return "not done"
    if task.hold is not None:
        return "being split" if task.splitting else "held"
    if task.status is TaskStatus.RUNNING:
        return "rework" if task.open_work and task.open_work.started.carry else "running"
    if task.status is TaskStatus.NEEDS_REVIEW:
        return _landing_state(task)
    planned = task.status is TaskStatus.QUEUED and not convoy.approved_by
    return "planned" if planned else task.status.value


def _landing_state(task: Task) -> str:
    if task.open_work is not None:
        return "rework"
    if task.follow_up is not None:
        return "sent back"
    return "landing" if task.merge is not None and task.merge.result == "running" else "in review"


def _engine(task: Task, config: Config) -> str:
    worked = (each.started.engine for each in reversed(task.sessions) if each.started.purpose == "work")
    named = task.engine or task.spec.engine
    chosen = config.engine_named(named, kind=task.spec.kind) if named else None
    return next((each for each in worked if each), "") or (chosen or config.engine_for(task.spec.kind)).type


def _money(sessions: tuple[Session, ...], limit: float | None) -> Money:
    """Checks cost nothing; a session that could not even be set up did not either."""
    ends = [each.ended for each in sessions if each.ended is not None and each.ended.purpose != "check"]
    return Money(
        spent=sum(each.cost_usd for each in sessions if not each.open),
        reserved=sum(each.cost_usd for each in sessions if each.open),
        limit=limit,
        unmetered=sum(each.usage.usd is None and each.finding is not Finding.SETUP for each in ends),
    )
