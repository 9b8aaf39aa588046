"""One thing that a planner is asked for: its sessions, one after another, until an answer may stand."""

from __future__ import annotations

from typing import Protocol

from app.board import (
    Convoy,
    ConvoyStatus,
    Look,
    Purse,
    Session,
    ended_fact,
    lost_fact,
    short_id,
    unbegun_fact,
)
from app.errors import PlanError
from app.mayor.answer import parse_answer
from app.ports import (
    Decision,
    EngineCall,
    Fact,
    Finding,
    Life,
    Limits,
    Plan,
    PlanRefused,
    Role,
    SessionResult,
    SessionSeen,
    SessionSpec,
    SessionStarted,
    StartSession,
    StopSession,
    Verdict,
    VerdictState,
)

__all__ = ["CORRECTIONS", "Job", "PlannerRun", "close_sessions", "last_answer"]

CORRECTIONS = 2
"""How often a planner gets its errors back before the request fails."""
SETUP_GRACE_MS = 120_000


class Job(Protocol):
    """What is asked of the planner, and what becomes of its answer. `issue` is what its sessions stand on."""

    @property
    def issue(self) -> str: ...

    @property
    def purpose(self) -> str: ...

    @property
    def sessions(self) -> tuple[Session, ...]:
        """Those of this very wish; what failed before it counts no more."""
        ...

    @property
    def begun(self) -> int:
        """Sessions of this purpose that ever began."""
        ...

    @property
    def refusals(self) -> tuple[PlanRefused, ...]: ...

    @property
    def doing(self) -> str:
        """What its engine does meanwhile, after the engine's name."""
        ...

    def prompt(self) -> str: ...

    def taken(self, plan: Plan) -> tuple[Fact, ...]:
        """What an answer comes to. Raises PlanError with what goes back to the planner."""
        ...

    def given_up(self, reason: str) -> tuple[Fact, ...]:
        """What follows when no answer may stand."""
        ...


class PlannerRun:
    """One job of one convoy."""

    def __init__(self, convoy: Convoy, job: Job, look: Look) -> None:
        self.convoy, self.job, self.look = convoy, job, look
        self.config, self.setting = look.config, look.setting
        self._purse = Purse(look)

    def step(self) -> Decision:
        open_session = next((each for each in self.job.sessions if each.open), None)
        if open_session is not None:
            return self._watch(open_session)
        if self.convoy.status is ConvoyStatus.PAUSED:
            return Decision()
        if reason := self._given_up():
            return Decision(facts=self.job.given_up(reason))
        wait = self._why_not()
        return Decision(facts=(self._start(),)) if wait is None else Decision(verdicts=(wait,))

    def _why_not(self) -> Verdict | None:
        """What a session waits for, and what helps."""
        issue = self.job.issue
        if because := self.setting.without_key(self._engine()):
            unblock = "choose another by [mayor] engine in .brat/config.toml"
            return Verdict(issue, "key", VerdictState.BLOCKED, because, who="a maintainer", unblock=unblock)
        if (short := self._purse.short(self.convoy.issue)) is not None:
            state = VerdictState.WAITING if short.settles else VerdictState.BLOCKED
            unblock = f"raise [budget] {short.key} in .brat/config.toml"
            return Verdict(issue, "budget", state, short.because, who="a maintainer", unblock=unblock)
        if not self.setting.start or self.look.occupied_slots >= self.config.swarm.max_polecats:
            because = "the Mayor waits for a session slot"
            return Verdict(issue, "slots", VerdictState.WAITING, because, who="the Mayor")
        return None

    def _engine(self) -> str:
        return self.convoy.engine or self.config.planner_engine().type

    def _given_up(self) -> str:
        """Why planning ends without a plan; empty: it goes on."""
        sessions, refusals = self.job.sessions, self.job.refusals
        last = sessions[-1].ended if sessions else None
        if len(refusals) > CORRECTIONS:
            errors = "; ".join(refusals[-1].errors[:3])
            return f"the planner's answer was refused {len(refusals)} times: {errors}"
        if last is not None and last.finding is Finding.SETUP:
            return f"planning could not begin: {last.evidence}"
        failed = [
            each.ended
            for each in sessions
            if each.ended and each.ended.finding not in (Finding.DONE, Finding.STOPPED)
        ]
        if len(failed) >= self.config.swarm.attempts:
            told = failed[-1].evidence.partition("\n")[0] or failed[-1].finding.value
            return f"{len(failed)} planning sessions failed, the last: {told}"
        return ""

    def _watch(self, session: Session) -> Decision:
        view = self.look.session(session.id) or SessionSeen(Life.UNKNOWN)
        if view.result is not None:
            return self._ended(session, view.result)
        if _gone(session, view, self.look):
            why = f"its runner died in phase {view.phase or 'unknown'}"
            return Decision(facts=(lost_fact(session, now=self.setting.now, why=why),))
        verdict = Verdict(
            self.job.issue,
            "planning",
            VerdictState.WORKING,
            f"{session.started.engine} {self.job.doing}",
            who="the Mayor",
            next_look_ts=session.started.deadline_ts,
        )
        unbegun = _unbegun(session, view, self.look)
        actions = (StartSession(self._spec(session)),) if unbegun else ()
        return Decision(actions=actions, verdicts=(verdict,))

    def _ended(self, session: Session, result: SessionResult) -> Decision:
        """A good answer counts; a bad one goes back with its errors."""
        ended = ended_fact(session, result, minimal=self.setting.minimal)
        if result.finding is not Finding.DONE:
            return Decision(facts=(ended,))
        try:
            taken = self.job.taken(parse_answer(result.answer))
        except PlanError as error:
            errors = tuple(line.strip() for line in error.reason.splitlines() if line.strip())
            return Decision(facts=(ended, PlanRefused(self.job.issue, session.id, errors[:20])))
        return Decision(facts=(ended, *taken))

    def _start(self) -> SessionStarted:
        attempt = self.job.begun + 1
        return SessionStarted(
            issue=self.job.issue,
            session=short_id(
                "s",
                f"{self.job.issue}:{self.job.purpose}:{attempt}",
                now=self.setting.now,
                taken=self.look.taken,
            ),
            role=Role.MAYOR,
            purpose=self.job.purpose,
            attempt=attempt,
            base=self._base(),
            deadline_ts=self.setting.now + self.config.swarm.session_timeout_ms + SETUP_GRACE_MS,
            engine=self._engine(),
            model=self.config.planner_engine().model,
            reserved_usd=self._purse.cap(self.convoy.issue),
            isolation=self.setting.isolation,
        )

    def _base(self) -> str:
        """What it reads: what has landed by now, where there is a plan already."""
        convoy = self.convoy
        landed = self.look.seen.refs.get(convoy.target) if convoy.plan else None
        return landed or convoy.base_commit

    def _spec(self, session: Session) -> SessionSpec:
        started, swarm = session.started, self.config.swarm
        return SessionSpec(
            id=session.id,
            role=Role.MAYOR,
            attempt=started.attempt,
            repository=self.setting.repository,
            base=started.base,
            branch="brat-plan",
            limits=Limits(swarm.session_timeout_ms, swarm.idle_timeout_ms, usd=started.reserved_usd),
            engine=EngineCall(started.engine or "", started.model, self.job.prompt()),
            read_only=True,
            subject=self.convoy.title,
        )


def _gone(session: Session, view: SessionSeen, look: Look) -> bool:
    """Whether its runner is dead: seen here, or silent elsewhere for long after its deadline."""
    late = look.now > session.started.deadline_ts + look.config.swarm.idle_timeout_ms
    return view.life is Life.DEAD or (late and session.actor != look.setting.me)


def last_answer(look: Look, refusal: PlanRefused) -> str:
    """What was refused, as far as this machine has it."""
    view = look.session(refusal.session)
    return view.result.answer if view is not None and view.result is not None else ""


def _unbegun(session: Session, view: SessionSeen, look: Look) -> bool:
    """Whether this machine is to begin it, and has not."""
    return view.life is Life.ABSENT and session.actor == look.setting.me


def close_sessions(sessions: tuple[Session, ...], look: Look, *, why: str) -> Decision:
    """Sessions whose answer nobody waits for any more are stopped and closed."""
    decision = Decision()
    for session in sessions:
        view = look.session(session.id)
        if not session.open or view is None:
            continue
        if view.result is not None:
            decision += Decision(facts=(ended_fact(session, view.result, minimal=look.setting.minimal),))
        elif view.life is Life.ALIVE:
            decision += Decision(actions=(StopSession(session.id, why),))
        elif _unbegun(session, view, look):
            decision += Decision(facts=(unbegun_fact(session, now=look.now, why=why),))
        elif _gone(session, view, look):
            decision += Decision(facts=(lost_fact(session, now=look.now, why=why),))
    return decision
