"""What each task is told and how it is judged, folded below the sticky comment."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum

from app.board import counted
from app.texts.markdown import code, folded, inline, quoted
from app.texts.view import StickyTask, StickyView

__all__ = ["Detail", "plan_details"]


class Detail(IntEnum):
    """How much of a plan a comment holds; each step drops something and says so."""

    FULL = 0
    ACCEPTANCE = 1
    TITLES = 2
    STATES = 3
    COUNTS = 4


def plan_details(view: StickyView, detail: Detail) -> str:
    """Folded: summary and tasks with instructions, then engines, branches and costs."""
    if not view.tasks or detail >= Detail.STATES:
        return ""
    parts = []
    if detail < Detail.TITLES:
        tasks = "\n\n".join(_task(task, detail) for task in view.tasks)
        parts.append(
            folded("What each task does, and how it is judged", "\n\n".join([*_summary(view), tasks]))
        )
    parts.append(folded("Engines, branches and cost", "\n".join(_work(task) for task in view.tasks)))
    return "\n\n".join(parts)


def _summary(view: StickyView) -> Iterator[str]:
    convoy = view.convoy
    plan = convoy.plan.plan if convoy.plan else None
    if plan is not None and plan.summary and convoy.approved_by:
        yield quoted(plan.summary)
    target = convoy.target.removeprefix("refs/heads/")
    where = code(target) if target == convoy.base else f"{code(target)}, then on {code(convoy.base)}"
    approved = f", approved by {inline(convoy.approved_by)}" if convoy.approved_by else ""
    hash = f" Plan {code(convoy.plan.hash[:12])}{approved}." if convoy.plan else ""
    yield f"Lands on {where} ({convoy.strategy}).{hash}"
    if plan is not None and plan.notes:
        yield "\n".join(f"- {inline(note)}" for note in plan.notes)


def _task(task: StickyTask, detail: Detail) -> str:
    spec = task.spec
    lines = [f"**{task.number}. {inline(spec.title)}**"]
    if spec.instructions and detail is Detail.FULL:
        lines += ["", quoted(spec.instructions)]
    if task.depends_on:
        word = "task" if len(task.depends_on) == 1 else "tasks"
        lines += ["", f"After {word} {', '.join(map(str, task.depends_on))}"]
    if spec.criteria or spec.commands:
        lines += ["", "Done when:", ""]
        lines += [f"- {inline(text)}" for text in spec.criteria]
        lines += [f"- {code(command)} exits 0" for command in spec.commands]
    if spec.paths:
        lines += ["", f"May write: {', '.join(code(path) for path in spec.paths)}"]
    return "\n".join(lines)


def _work(task: StickyTask) -> str:
    tries = f", {counted(task.attempts, 'attempt')}" if task.attempts else ""
    held = f", {task.money.reserved:.2f} USD reserved" if task.money.reserved else ""
    line = f"- **{task.number}** {inline(task.engine)}{tries}{_cost(task)}{held}"
    return f"{line}\n  {code(task.branch)}"


def _cost(task: StickyTask) -> str:
    if task.money.spent:
        return f", {task.money.spent:.2f} USD"
    return ", cost not said" if task.money.unmetered else ""
