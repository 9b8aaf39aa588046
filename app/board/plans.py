"""A valid plan as a fact: its task issues and short ids, derived so that a repeated decision repeats them."""

from __future__ import annotations

from app.board.board import Board
from app.board.ids import derived_issue, short_id
from app.ports import Plan, PlanRecorded

__all__ = ["convoy_facts_of_plan"]


def convoy_facts_of_plan(board: Board, convoy: str, plan: Plan, *, hash: str, now: int) -> PlanRecorded:
    """`PlanRecorded` for this convoy (its issue id); an earlier plan's numbers are never used again."""
    known = board.convoy(convoy)
    issues = tuple(derived_issue(convoy, hash, task.id) for task in plan.tasks)
    drawn: list[str] = []
    for issue in issues:
        drawn.append(short_id("t", issue, now=now, taken=lambda name: name in board.taken or name in drawn))
    first = known.first_number if known else 1
    return PlanRecorded(convoy, hash, plan, issues, tuple(drawn), first)
