"""Convoys as shown by `brat convoy list` and `show`."""

from __future__ import annotations

from collections.abc import Iterator

from app.board import Convoy, TaskStatus, spent_usd
from app.cli.call import Call
from app.cli.naming import find_convoy
from app.cli.observing import Observation, Observer
from app.cli.status_json import convoy_json
from app.cli.status_view import Styled, convoy_lines, trust_lines
from app.cli.tables import Column, columns_of, indented, put, table
from app.cli.times import ago

__all__ = ["list_convoys", "show_convoy"]

CLOSED_SHOWN = 10
_COLUMNS = (
    Column("convoy"),
    Column("state"),
    Column("merged", right=True),
    Column("waits"),
    Column("changed"),
    Column("title", shrinks=True),
)


def list_convoys(call: Call, *, everything: bool) -> None:
    """`brat convoy list`; with `--json` all of them."""
    look = Observer(call.workshop()).look()
    if call.json:
        call.answer({"convoys": [convoy_json(look, each) for each in look.board.convoys]})
        return
    closed = [each for each in look.board.convoys if each.status.final]
    closed.sort(key=lambda each: each.updated_ts, reverse=True)
    shown = (*look.board.open_convoys, *(closed if everything else closed[:CLOSED_SHOWN]))
    if not shown:
        put(call, 'No convoy yet. brat mayor start --task "…" opens one.')
        return
    for line in table(_COLUMNS, (_row(look, each) for each in shown), room=columns_of(call)):
        put(call, line)
    left = len(look.board.convoys) - len(shown)
    if left:
        put(call, f"and {left} more that are closed (--all)")


def show_convoy(call: Call, name: str | None) -> None:
    """`brat convoy show`."""
    look = Observer(call.workshop()).look()
    convoy = find_convoy(look.board, name)
    if call.json:
        call.answer({"convoy": {**convoy_json(look, convoy), **_more(convoy)}})
        return
    for text, style in _lines(look, convoy, room=columns_of(call)):
        put(call, text, style=style)


def _row(look: Observation, convoy: Convoy) -> tuple[str, ...]:
    merged = sum(task.status is TaskStatus.MERGED for task in convoy.tasks)
    waits = sum(look.waiting(task) is not None for task in convoy.tasks) + (look.waiting(convoy) is not None)
    return (
        convoy.slug,
        "landed" if convoy.status.value == "complete" else convoy.status.value,
        f"{merged}/{len(convoy.tasks)}",
        str(waits or "-"),
        ago(convoy.updated_ts, now=look.now),
        convoy.title,
    )


def _more(convoy: Convoy) -> dict[str, object]:
    plan = convoy.plan.plan if convoy.plan else None
    return {
        "goal": convoy.goal,
        "by": convoy.by,
        "planner": convoy.planner,
        "plan_hash": convoy.plan.hash if convoy.plan else None,
        "summary": plan.summary if plan else None,
        "notes": list(plan.notes) if plan else [],
        "assumptions": list(plan.assumptions) if plan else [],
        "open_questions": list(plan.open_questions) if plan else [],
        "taken_over": convoy.taken_over.new if convoy.taken_over else None,
    }


def _lines(look: Observation, convoy: Convoy, *, room: int) -> Iterator[Styled]:
    yield from convoy_lines(look, convoy, room=room)
    yield "", ""
    facts = [
        ("id", f"{convoy.id} (issue {convoy.issue[:12]})"),
        ("opened", f"{ago(convoy.opened_ts, now=look.now)} by {convoy.by}, planned by {convoy.planner}"),
        ("base", f"{convoy.base} at {convoy.base_commit[:12]}"),
    ]
    if convoy.plan:
        facts.append(("plan", f"{convoy.plan.hash[:12]}, approved by {convoy.approved_by or 'nobody yet'}"))
    if convoy.taken_over:
        facts.append(("landed", f"{convoy.base} is at {convoy.taken_over.new[:12]}"))
    if (cost := spent_usd(look.board, convoy=convoy.issue)) > 0:
        facts.append(("cost", f"{cost:.2f} USD spent or reserved"))
    if convoy.reason:
        facts.append(("ended", convoy.reason))
    yield from ((f"{name:<8}{value}", "") for name, value in facts)
    if convoy.goal.strip() != convoy.title:
        yield "goal", ""
        yield from ((line, "") for line in indented(convoy.goal.strip(), by=2, room=room))
    for note in convoy.plan.plan.notes if convoy.plan else ():
        yield from ((line, "dim") for line in indented(f"note: {note}", by=0, room=room))
    yield from trust_lines(look, room=room)
