"""A plan on paper: its tasks as a table, its graph, and what validation has to say about it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import replace

from app.board import Convoy
from app.cli.progress import one_line
from app.config import Config
from app.mayor import render_graph
from app.ports import Plan, PlannedTask

__all__ = ["plan_lines", "plan_of"]

_NARROWEST = 12


def plan_lines(plan: Plan, config: Config, *, columns: int, ascii_only: bool = False) -> Iterator[str]:
    """The plan in lines of at most `columns`; the graph only where there is more than one task."""
    yield from _table(plan, config, columns)
    if len(plan.tasks) > 1:
        yield ""
        yield from render_graph(plan, columns=columns, ascii_only=ascii_only).rstrip("\n").split("\n")
    for head, texts in (
        ("Notes", plan.notes),
        ("Assumptions", plan.assumptions),
        ("Open questions", plan.open_questions),
    ):
        if texts:
            yield ""
            yield f"{head}:"
            for text in texts:
                yield from textwrap.wrap(
                    one_line(text),
                    columns,
                    initial_indent="- ",
                    subsequent_indent="  ",
                    break_long_words=False,
                )


def _wrapped(text: str, columns: int) -> list[str]:
    return textwrap.wrap(text, columns, initial_indent="- ", subsequent_indent="  ", break_long_words=False)


def plan_of(convoy: Convoy) -> Plan:
    """The recorded plan with its tasks, which the log keeps as issues of their own."""
    assert convoy.plan is not None
    return replace(convoy.plan.plan, tasks=tuple(task.spec for task in convoy.tasks))


def _table(plan: Plan, config: Config, columns: int) -> Iterator[str]:
    numbers = {task.id: str(number) for number, task in enumerate(plan.tasks, 1)}
    rows = [("#", "task", "engine", "after", "verified by")]
    rows += [
        (
            numbers[task.id],
            one_line(task.title),
            _engine(task, config),
            ", ".join(numbers[each] for each in task.depends_on) or "-",
            one_line("; ".join(task.commands)) or "nothing",
        )
        for task in plan.tasks
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    room = columns - widths[0] - widths[2] - widths[3] - 8
    title = min(widths[1], max(_NARROWEST, room - min(widths[4], max(_NARROWEST, room * 2 // 5))))
    checked = max(_NARROWEST, room - title)
    for row in rows:
        cells = (
            row[0].rjust(widths[0]),
            _cut(row[1], title).ljust(title),
            row[2].ljust(widths[2]),
            row[3].ljust(widths[3]),
            _cut(row[4], checked),
        )
        yield "  ".join(cells).rstrip()


def _engine(task: PlannedTask, config: Config) -> str:
    named = config.engine_named(task.engine, kind=task.kind) if task.engine else None
    return (named or config.engine_for(task.kind)).type


def _cut(text: str, columns: int) -> str:
    return text if len(text) <= columns else text[: columns - 3].rstrip() + "..."
