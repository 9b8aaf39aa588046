"""Sessions that were started: run them, notice how they ended, try again or give up loudly."""

from __future__ import annotations

from app.board import (
    Convoy,
    ConvoyStatus,
    Session,
    Task,
    TaskStatus,
    cap,
    ended_fact,
    failures,
    finished_work,
    lost_fact,
)
from app.config import Config
from app.ports import (
    Decision,
    Fact,
    Finding,
    Life,
    Seen,
    SessionEnded,
    SessionSeen,
    Setting,
    StartSession,
    StopSession,
    TaskBlocked,
    TaskRequeued,
)
from app.witness.specs import work_spec

__all__ = ["after_failure", "watch"]

OVERTIME_MS = 60_000
"""The runner ends a late session itself; this long after its deadline the Witness does it for a stuck runner."""


def watch(convoy: Convoy, task: Task, seen: Seen, config: Config, setting: Setting) -> Decision:
    """One look at each open work session of the task."""
    decision = Decision()
    for session in task.sessions:
        if session.open and session.started.purpose == "work":
            decision += _watch(convoy, task, session, seen, config, setting)
    return decision


def _watch(
    convoy: Convoy, task: Task, session: Session, seen: Seen, config: Config, setting: Setting
) -> Decision:
    view = seen.sessions.get(session.id, SessionSeen(Life.UNKNOWN))
    unwanted = _unwanted(convoy, task, session)
    match view.life:
        case Life.ENDED if view.result is not None:
            if view.result.finding is Finding.DONE and not unwanted:
                return Decision()
            return Decision(facts=(ended_fact(session, view.result, minimal=setting.minimal),))
        case Life.DEAD:
            why = f"its runner died in phase {view.phase or 'unknown'}; last line: {view.last_line or 'none'}"
            return Decision(facts=(lost_fact(session, now=setting.now, why=why),))
        case Life.ABSENT if session.actor == setting.me:
            return _absent(convoy, task, session, config, setting, unwanted=unwanted)
        case Life.ALIVE:
            if unwanted:
                return Decision(actions=(StopSession(session.id, unwanted),))
            if setting.now > session.started.deadline_ts + OVERTIME_MS:
                return Decision(actions=(StopSession(session.id, "its deadline has passed"),))
            return Decision()
    if setting.now > session.started.deadline_ts + config.swarm.idle_timeout_ms:
        why = "no sign of its runner since its deadline"
        return Decision(facts=(lost_fact(session, now=setting.now, why=why),))
    return Decision()


def _absent(
    convoy: Convoy, task: Task, session: Session, config: Config, setting: Setting, *, unwanted: str
) -> Decision:
    """Recorded but never begun on this machine: begin it, or close it when it is not wanted any more."""
    if unwanted or not setting.start:
        fact = lost_fact(session, now=setting.now, why=unwanted or "stopped before it began")
        return Decision(facts=(_stopped(fact),))
    return Decision(actions=(StartSession(work_spec(convoy, task, session, config, setting)),))


def _stopped(fact: SessionEnded) -> SessionEnded:
    return SessionEnded(
        fact.issue,
        fact.session,
        fact.role,
        fact.purpose,
        Finding.STOPPED,
        None,
        fact.ended_ts,
        evidence=fact.evidence,
    )


def _unwanted(convoy: Convoy, task: Task, session: Session) -> str:
    """Why this session should not go on; empty: it should."""
    if convoy.status.final:
        return "the convoy is over"
    if task.status.final:
        return f"the task is {task.status}"
    first = task.open_work
    return "" if first is not None and first.id == session.id else "another session works on the task"


def after_failure(task: Task, config: Config) -> tuple[Fact, ...]:
    """A running task without a session: another attempt, or blocked with the reason."""
    if task.status is not TaskStatus.RUNNING or task.open_work or finished_work(task):
        return ()
    last = next((each for each in reversed(task.sessions) if each.started.purpose == "work"), None)
    if last is None or last.ended is None:
        return (TaskRequeued(task.issue, "its session was lost"),)
    finding, evidence = last.ended.finding, last.ended.evidence
    first_line = evidence.partition("\n")[0]
    told = finding.value + (f": {first_line}" if first_line else "")
    if finding is Finding.SETUP:
        return (TaskBlocked(task.issue, cap(evidence or told), f"brat task retry {task.id}"),)
    failed = len(failures(task))
    if failed >= config.swarm.attempts:
        why = f"{failed} of {config.swarm.attempts} attempts failed, the last: {told}"
        return (TaskBlocked(task.issue, cap(why), f"brat task retry {task.id}"),)
    return (TaskRequeued(task.issue, cap(told)),)


def orphaned(convoy: Convoy) -> bool:
    """Whether the convoy is over while sessions of it are still open."""
    return convoy.status in (ConvoyStatus.COMPLETE, ConvoyStatus.FAILED) and any(
        each.open for each in convoy.all_sessions
    )
