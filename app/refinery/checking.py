"""The repository's checks as sessions of role refinery: no engine, exactly one commit, no keys."""

from __future__ import annotations

from app.board import Look, Merge, Session, Task, ended_fact, lost_fact, short_id
from app.config import Config
from app.ports import Decision, Life, Limits, Role, SessionSpec, SessionStarted, StartSession, StopSession

__all__ = ["check_of", "start_check", "tries", "watch_check"]

SETUP_GRACE_MS = 120_000
"""What a session may need beside its own limits: workspace and sandbox."""
OVERTIME_MS = 60_000
"""The runner ends a late check itself; this long after its deadline a stuck one is asked to end."""


def check_of(task: Task, merge: Merge) -> Session | None:
    """The newest check of this very commit since a person last retried the task."""
    mine = (each for each in reversed(task.sessions) if _checks(each, merge))
    return next((each for each in mine if each.started_ts > task.since_ts), None)


def tries(task: Task, merge: Merge) -> int:
    """How often this very commit was checked."""
    return sum(_checks(each, merge) for each in task.sessions)


def _checks(session: Session, merge: Merge) -> bool:
    return session.started.purpose == "check" and session.started.commit == merge.commit


def start_check(task: Task, merge: Merge, look: Look) -> Decision:
    """The intent to check the commit of a running merge."""
    if not look.setting.start or merge.commit is None:
        return Decision()
    seed = f"{task.issue}:check:{merge.commit}:{len(task.sessions)}"
    started = SessionStarted(
        issue=task.issue,
        session=short_id("s", seed, now=look.now, taken=look.taken),
        role=Role.REFINERY,
        purpose="check",
        attempt=merge.attempt,
        base=merge.commit,
        deadline_ts=look.now + _wall_ms(look.config) + SETUP_GRACE_MS,
        commit=merge.commit,
        isolation=look.setting.isolation,
    )
    return Decision(facts=(started,))


def watch_check(session: Session, look: Look) -> Decision:
    """An open check: begin it here if it is ours, record its end, close it when its runner is gone."""
    view = look.session(session.id)
    mine = session.actor == look.setting.me
    overdue = look.now > session.started.deadline_ts
    if view is not None and view.result is not None:
        return Decision(facts=(ended_fact(session, view.result, minimal=look.setting.minimal),))
    if (view is not None and view.life is Life.DEAD) or (overdue and not mine):
        why = "the check's runner died without a result"
        return Decision(facts=(lost_fact(session, now=look.now, why=why),))
    if view is not None and view.life is Life.ALIVE and look.now > session.started.deadline_ts + OVERTIME_MS:
        return Decision(actions=(StopSession(session.id, "its deadline has passed"),))
    if view is not None and view.life is Life.ABSENT and mine:
        return Decision(actions=(StartSession(_spec(session, look)),))
    return Decision()


def _wall_ms(config: Config) -> int:
    """All checks, one after the other."""
    return sum(check.timeout_ms for check in config.refinery.checks) + SETUP_GRACE_MS


def _spec(session: Session, look: Look) -> SessionSpec:
    """The configured checks on exactly the tree that would land."""
    wall = _wall_ms(look.config)
    return SessionSpec(
        id=session.id,
        role=Role.REFINERY,
        attempt=session.started.attempt,
        repository=look.setting.repository,
        base=session.started.base,
        branch="brat-check",
        limits=Limits(wall_ms=wall, idle_ms=wall),
        checks=look.config.refinery.checks,
    )
