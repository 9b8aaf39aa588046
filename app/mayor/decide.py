"""The Mayor's part of a pass: planning sessions, the recorded plan, the approval gate."""

from __future__ import annotations

from collections.abc import Iterator

from app.board import Board, Convoy, Look, Session, convoy_facts_of_plan, counted, in_turn
from app.mayor.prompts import correction_prompt, planning_prompt
from app.mayor.rulebook import repository_facts, rules_of
from app.mayor.running import PlannerRun, close_sessions, last_answer
from app.mayor.splitting import split_sessions, split_tasks
from app.mayor.validate import validate
from app.ports import (
    ConvoyFailed,
    Decision,
    Fact,
    Plan,
    PlanApproved,
    PlanRefused,
    Verdict,
    VerdictState,
    Wanted,
)

__all__ = ["decide", "wanted"]


def wanted(board: Board) -> Wanted:
    """Planning sessions that are open, the last ones, and those whose refused answer goes back."""
    return Wanted(sessions=tuple(dict.fromkeys(_wanted(board))))


def _wanted(board: Board) -> Iterator[str]:
    for convoy in board.open_convoys:
        yield from (each.id for each in convoy.overtaken if each.open)
        if convoy.plan is None:
            yield from (each.id for each in convoy.sessions[-1:])
            yield from (each.session for each in convoy.refusals[-1:])
        for task in convoy.tasks:
            if task.splitting:
                yield from (each.id for each in split_sessions(task)[-1:])
                yield from (each.session for each in task.refusals[-1:])


def decide(look: Look) -> Decision:
    """Close what nobody waits for; then per open convoy, in its turn: get a plan, have it approved, cut what
    is to be cut.
    """
    decision = Decision()
    for convoy in look.board.moving:
        if convoy.status.final:
            sessions = (*convoy.sessions, *(each for task in convoy.tasks for each in split_sessions(task)))
            decision += close_sessions(sessions, look, why="the convoy is over")
        else:
            decision += close_sessions(convoy.overtaken, look, why="another plan was asked for")
    for convoy in in_turn(look.board):
        if convoy.plan is None:
            decision += PlannerRun(convoy, _WholePlan(convoy, look), look.after(decision)).step()
        elif convoy.approved_by is None:
            decision += _gate(convoy)
        else:
            decision += split_tasks(convoy, look.after(decision))
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


class _WholePlan:
    """The plan of a convoy that has none, with all that was asked of it."""

    purpose, doing = "plan", "reads the code and writes the plan"

    def __init__(self, convoy: Convoy, look: Look) -> None:
        self._convoy, self._look = convoy, look
        self.issue = convoy.issue

    @property
    def sessions(self) -> tuple[Session, ...]:
        return self._convoy.planners

    @property
    def begun(self) -> int:
        return len(self._convoy.sessions)

    @property
    def refusals(self) -> tuple[PlanRefused, ...]:
        return self._convoy.refusals

    def prompt(self) -> str:
        convoy, look = self._convoy, self._look
        facts = repository_facts(convoy, look.config, look.setting.allow_engines)
        if not convoy.refusals:
            return planning_prompt(convoy.goal, facts)
        last = convoy.refusals[-1]
        return correction_prompt(convoy.goal, facts, answer=last_answer(look, last), problems=last.errors)

    def taken(self, plan: Plan) -> tuple[Fact, ...]:
        look = self._look
        valid = validate(plan, rules_of(look.config, look.setting.allow_engines))
        now = look.setting.now
        return (convoy_facts_of_plan(look.board, self.issue, valid.plan, hash=valid.hash, now=now),)

    def given_up(self, reason: str) -> tuple[Fact, ...]:
        return (ConvoyFailed(self.issue, reason),)
