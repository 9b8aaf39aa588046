"""Sessions that were started: run them, notice how they ended, try again or give up loudly."""

from __future__ import annotations

from app.board import (
    Convoy,
    Look,
    Session,
    Task,
    TaskStatus,
    cap,
    ended_fact,
    failures,
    finished_work,
    lost_fact,
    unbegun_fact,
)
from app.config import Config
from app.ports import (
    Decision,
    Fact,
    Finding,
    Life,
    SessionSeen,
    StartSession,
    StopSession,
    TaskBlocked,
    TaskRequeued,
)
from app.witness.specs import work_spec

__all__ = ["after_failure", "watch"]

OVERTIME_MS = 60_000
"""The runner ends a late session itself; this long after its deadline the Witness does it for a stuck one."""


def watch(convoy: Convoy, task: Task, look: Look) -> Decision:
    """One look at each open work session of the task."""
    decision = Decision()
    for session in task.sessions:
        if session.open and session.started.purpose == "work":
            decision += _Watch(convoy, task, session, look=look).decide()
    return decision


class _Watch:
    """One open session of one task."""

    def __init__(self, convoy: Convoy, task: Task, session: Session, *, look: Look) -> None:
        self.convoy, self.task, self.session, self.look = convoy, task, session, look
        self.unwanted = _unwanted(convoy, task, session)
        # What ended well goes to the Refinery, which keeps it while the task is held.
        self.stopping = self.unwanted or ("the task is being split" if task.splitting else "")

    def decide(self) -> Decision:
        view = self.look.session(self.session.id) or SessionSeen(Life.UNKNOWN)
        if view.result is not None:
            if view.result.finding is Finding.DONE and not self.unwanted:
                return Decision()
            minimal = self.look.setting.minimal
            return Decision(facts=(ended_fact(self.session, view.result, minimal=minimal),))
        match view.life:
            case Life.DEAD:
                told = view.last_line and not self.look.setting.minimal
                last = f"; last line: {view.last_line}" if told else ""
                return self._lost(f"its runner died in phase {view.phase or 'unknown'}{last}")
            case Life.ABSENT if self.session.actor == self.look.setting.me:
                return self._absent()
            case Life.ALIVE:
                return self._alive()
        late = self.session.started.deadline_ts + self.look.config.swarm.idle_timeout_ms
        return self._lost("no sign of its runner since its deadline") if self.look.now > late else Decision()

    def _alive(self) -> Decision:
        overdue = self.look.now > self.session.started.deadline_ts + OVERTIME_MS
        reason = self.stopping or ("its deadline has passed" if overdue else "")
        return Decision(actions=(StopSession(self.session.id, reason),)) if reason else Decision()

    def _absent(self) -> Decision:
        """Recorded but never begun here: begin it, or close it when it is not wanted any more."""
        if self.stopping or not self.look.setting.start:
            why = self.stopping or "stopped before it began"
            return Decision(facts=(unbegun_fact(self.session, now=self.look.now, why=why),))
        return Decision(
            actions=(StartSession(work_spec(self.convoy, self.task, self.session, look=self.look)),)
        )

    def _lost(self, why: str) -> Decision:
        return Decision(facts=(lost_fact(self.session, now=self.look.now, why=why),))


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
