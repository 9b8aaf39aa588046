"""Blocks → facts: what a comment in the log says happened."""

from __future__ import annotations

from app.board.blocks import read_block
from app.board.codec import decode, decode_planned
from app.board.sessions import read_merge, read_session
from app.grite import CommentAdded, Event
from app.ports import Fact, Plan, PlannedTask, PlanRecorded

__all__ = ["fact_in", "fact_of"]


def fact_of(event: Event) -> Fact | PlannedTask | None:
    """What the event says happened, for showing: a fact, or the task that was planned or added.

    None for an event that says nothing by itself, like the labels that go with a fact. Raises ValueError for
    a block that cannot be read. Whether it counts is another question, see `fold`.
    """
    if not isinstance(event.kind, CommentAdded):
        return None
    block = read_block(event.kind.body)
    if block is None:
        return None
    name, values = block
    spec = values.get("spec")
    if values.get("fact") == "TaskPlanned" and isinstance(spec, dict):
        return decode_planned(spec)
    return fact_in(str(event.issue), name, values)


def fact_in(issue: str, name: str, values: dict[str, object]) -> Fact | None:
    """The fact of a block; None for one that this version does not know. Raises ValueError."""
    if name == "session":
        return read_session(issue, values)
    if name == "merge":
        return read_merge(issue, values)
    if values.get("fact") == "PlanRecorded":
        return _plan_recorded(issue, values)
    return decode(issue, values)


def _plan_recorded(issue: str, values: dict[str, object]) -> PlanRecorded:
    """The plan without its tasks, which are issues of their own."""
    plan = Plan(
        summary=_text(values, "summary"),
        tasks=(),
        assumptions=_texts(values, "assumptions"),
        open_questions=_texts(values, "open_questions"),
        base_commit=str(values["base_commit"]) if values.get("base_commit") else None,
        notes=_texts(values, "notes"),
    )
    first = values.get("first")
    return PlanRecorded(
        issue,
        _text(values, "hash"),
        plan,
        _texts(values, "issues"),
        _texts(values, "tasks"),
        first if isinstance(first, int) else 1,
    )


def _text(values: dict[str, object], key: str) -> str:
    value = values.get(key)
    if not isinstance(value, str):
        raise ValueError(f"{key} is not a text")
    return value


def _texts(values: dict[str, object], key: str) -> tuple[str, ...]:
    value = values.get(key, [])
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise ValueError(f"{key} is not a list of texts")
    return tuple(value)
