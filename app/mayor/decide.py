"""The Mayor's part of a pass: planning sessions, the recorded plan, the approval gate."""

from __future__ import annotations

from app.board import (
    Board,
    Convoy,
    ConvoyStatus,
    Look,
    Purse,
    Session,
    convoy_facts_of_plan,
    counted,
    ended_fact,
    lost_fact,
    occupied_slots,
    short_id,
)
from app.errors import PlanError
from app.mayor.answer import parse_answer
from app.mayor.prompts import correction_prompt, planning_prompt
from app.mayor.rulebook import repository_facts, rules_of
from app.mayor.validate import validate
from app.ports import (
    ConvoyFailed,
    Decision,
    EngineCall,
    Finding,
    Life,
    Limits,
    PlanApproved,
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
    Wanted,
)

__all__ = ["decide", "wanted"]

CORRECTIONS = 2
"""How often a planner gets its errors back before the request fails."""
SETUP_GRACE_MS = 120_000


def wanted(board: Board) -> Wanted:
    """The last planning session of every convoy without a plan: its answer is in its result."""
    last = (convoy.sessions[-1].id for convoy in board.open_convoys if convoy.sessions and not convoy.plan)
    return Wanted(sessions=tuple(last))


def decide(look: Look) -> Decision:
    """Per open convoy: get a plan, have it approved."""
    decision = Decision()
    for convoy in look.board.convoys:
        if convoy.status.final:
            decision += _close(convoy, look)
        elif convoy.plan is None:
            decision += _Planning(convoy, look).step()
        elif convoy.approved_by is None:
            decision += _gate(convoy)
    return decision


def _gate(convoy: Convoy) -> Decision:
    """`approval = "auto"` approves by policy; else a person does, and until then nothing runs."""
    assert convoy.plan is not None
    if convoy.approval == "auto":
        return Decision(facts=(PlanApproved(convoy.issue, convoy.plan.hash, "policy"),))
    verdict = Verdict(
        convoy.issue,
        "approval",
        VerdictState.BLOCKED,
        f"the plan of {counted(len(convoy.tasks), 'task')} waits for approval"
        + (f": {convoy.voided}" if convoy.voided else ""),
        who="a maintainer",
        unblock=f"brat convoy approve {convoy.slug}",
    )
    return Decision(verdicts=(verdict,))


def _close(convoy: Convoy, look: Look) -> Decision:
    """Planning sessions of a convoy that is over are stopped and closed."""
    decision = Decision()
    for session in convoy.sessions:
        view = look.session(session.id)
        if not session.open or view is None:
            continue
        if view.result is not None:
            decision += Decision(facts=(ended_fact(session, view.result, minimal=look.setting.minimal),))
        elif view.life is Life.ALIVE:
            decision += Decision(actions=(StopSession(session.id, "the convoy is over"),))
        elif view.life in (Life.DEAD, Life.ABSENT):
            decision += Decision(facts=(lost_fact(session, now=look.now, why="the convoy is over"),))
    return decision


class _Planning:
    """One convoy without a plan, planned by an engine."""

    def __init__(self, convoy: Convoy, look: Look) -> None:
        self.convoy, self.look = convoy, look
        self.board, self.config, self.setting = look.board, look.config, look.setting
        self._purse = Purse(self.board, self.config.budget, now=self.setting.now)

    def step(self) -> Decision:
        open_session = next((each for each in self.convoy.sessions if each.open), None)
        if open_session is not None:
            return self._watch(open_session)
        if self.convoy.status is ConvoyStatus.PAUSED:
            return Decision()
        if reason := self._given_up():
            return Decision(facts=(ConvoyFailed(self.convoy.issue, reason),))
        if (short := self._purse.short(self.convoy.issue)) is not None:
            state = VerdictState.WAITING if short.settles else VerdictState.BLOCKED
            unblock = f"raise [budget] {short.key} in .brat/config.toml"
            verdict = Verdict(
                self.convoy.issue, "budget", state, short.because, who="a maintainer", unblock=unblock
            )
            return Decision(verdicts=(verdict,))
        if not self.setting.start or occupied_slots(self.board) >= self.config.swarm.max_polecats:
            because = "the Mayor waits for a session slot"
            return Decision(
                verdicts=(
                    Verdict(self.convoy.issue, "slots", VerdictState.WAITING, because, who="the Mayor"),
                )
            )
        return Decision(facts=(self._start(),))

    def _given_up(self) -> str:
        """Why planning ends without a plan; empty: it goes on."""
        last = self.convoy.sessions[-1].ended if self.convoy.sessions else None
        if len(self.convoy.refusals) > CORRECTIONS:
            errors = "; ".join(self.convoy.refusals[-1].errors[:3])
            return f"the planner's answer was refused {len(self.convoy.refusals)} times: {errors}"
        if last is not None and last.finding is Finding.SETUP:
            return f"planning could not begin: {last.evidence}"
        failed = [
            each.ended
            for each in self.convoy.sessions
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
        mine = session.actor == self.setting.me
        late = self.setting.now > session.started.deadline_ts + self.config.swarm.idle_timeout_ms
        if view.life is Life.DEAD or (late and not mine):
            why = f"its runner died in phase {view.phase or 'unknown'}"
            return Decision(facts=(lost_fact(session, now=self.setting.now, why=why),))
        verdict = Verdict(
            self.convoy.issue,
            "planning",
            VerdictState.WORKING,
            f"{session.started.engine} reads the code and writes the plan",
            who="the Mayor",
            next_look_ts=session.started.deadline_ts,
        )
        actions = (StartSession(self._spec(session)),) if view.life is Life.ABSENT and mine else ()
        return Decision(actions=actions, verdicts=(verdict,))

    def _ended(self, session: Session, result: SessionResult) -> Decision:
        """A good answer becomes the recorded plan; a bad one goes back with its errors."""
        ended = ended_fact(session, result, minimal=self.setting.minimal)
        if result.finding is not Finding.DONE:
            return Decision(facts=(ended,))
        try:
            plan = parse_answer(result.answer)
            valid = validate(plan, rules_of(self.config, self.setting.allow_engines))
        except PlanError as error:
            errors = tuple(line.strip() for line in error.reason.splitlines() if line.strip())
            return Decision(facts=(ended, PlanRefused(self.convoy.issue, session.id, errors[:20])))
        recorded = convoy_facts_of_plan(
            self.board, self.convoy.issue, valid.plan, hash=valid.hash, now=self.setting.now
        )
        return Decision(facts=(ended, recorded))

    def _start(self) -> SessionStarted:
        attempt = len(self.convoy.sessions) + 1
        engine = self.config.planner_engine()
        return SessionStarted(
            issue=self.convoy.issue,
            session=short_id(
                "s",
                f"{self.convoy.issue}:plan:{attempt}",
                now=self.setting.now,
                taken=self.board.taken.__contains__,
            ),
            role=Role.MAYOR,
            purpose="plan",
            attempt=attempt,
            base=self.convoy.base_commit,
            deadline_ts=self.setting.now + self.config.swarm.session_timeout_ms + SETUP_GRACE_MS,
            engine=self.convoy.engine or engine.type,
            model=engine.model,
            reserved_usd=self._purse.reserve(self.convoy.issue),
            isolation=self.setting.isolation,
        )

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
            engine=EngineCall(started.engine or "", started.model, self._prompt()),
            read_only=True,
            subject=self.convoy.title,
        )

    def _prompt(self) -> str:
        facts = repository_facts(self.convoy, self.config, self.setting.allow_engines)
        if not self.convoy.refusals:
            return planning_prompt(self.convoy.goal, facts)
        last = self.convoy.refusals[-1]
        view = self.look.session(last.session)
        answer = view.result.answer if view is not None and view.result is not None else ""
        return correction_prompt(self.convoy.goal, facts, answer=answer, problems=last.errors)
