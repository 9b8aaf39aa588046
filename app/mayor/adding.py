"""One task more in a convoy that has its plan: held against the same rules, in the plan's context. Pure."""

from __future__ import annotations

from dataclasses import replace

from app.board import Board, Convoy, derived_issue, short_id
from app.errors import PlanError, UserError
from app.mayor.nearest import did_you_mean
from app.mayor.rules import PlanRules
from app.mayor.validate import validate
from app.ports import Plan, PlannedTask, TaskAdded
from app.values import dataclass

__all__ = ["Addition", "add_task", "allowed_engine"]

REMEDY = "change the options of the command"


@dataclass(frozen=True, slots=True)
class Addition:
    """What is asked for. `depends_on` are plan ids of the convoy's tasks; `issue` one that exists already."""

    spec: PlannedTask
    by: str
    issue: str | None = None


def add_task(board: Board, convoy: Convoy, asked: Addition, *, rules: PlanRules, now: int) -> TaskAdded:
    """The task with the next number and the edges that its write globs need.

    Raises UserError for a convoy that takes none, PlanError with every rule that it breaks.
    """
    if convoy.status.final or convoy.plan is None:
        why = f"is over: {convoy.status}" if convoy.status.final else "has no plan yet"
        raise UserError(
            f"convoy {convoy.slug} {why}, so no task can be added", remedy=f"brat convoy show {convoy.slug}"
        )
    number = max((task.number for task in convoy.tasks), default=0) + 1
    ids = {task.spec.id for task in convoy.tasks}
    name = next(each for n in range(number, number + len(ids) + 1) if (each := f"task-{n}") not in ids)
    plan = _checked(convoy, replace(asked.spec, id=name), rules)
    issue = asked.issue or derived_issue(convoy.issue, "added", str(number), board.head or "")
    id = short_id("t", issue, now=now, taken=board.taken.__contains__)
    return TaskAdded(issue, convoy.issue, number, id, plan, asked.by)


def allowed_engine(name: str, rules: PlanRules) -> str:
    """The engine's name. Raises UserError when there is no such engine, or the operator forbids it."""
    allowed = ", ".join(rules.allowed) or "none"
    if name in rules.allowed:
        return name
    if name in rules.engines:
        raise UserError(
            f"the engine {name!r} is not allowed here by the operator's settings",
            remedy=f"allowed: {allowed}",
        )
    raise UserError(
        f"there is no engine {name!r}{did_you_mean(name, rules.allowed)}", remedy=f"allowed: {allowed}"
    )


def _checked(convoy: Convoy, spec: PlannedTask, rules: PlanRules) -> Plan:
    """A plan of this one task, validated among those that are still to be done."""
    wanted = {task.spec.id for task in convoy.tasks if not task.status.final} | set(spec.depends_on)
    others = tuple(
        replace(
            task.spec,
            engine=None,
            timeout_ms=None,
            depends_on=tuple(each for each in task.spec.depends_on if each in wanted),
        )
        for task in convoy.tasks
        if task.spec.id in wanted
    )
    try:
        valid = validate(Plan(convoy.title, (*others, spec)), rules).plan
    except PlanError as error:
        raise PlanError(*error.problems, remedy=REMEDY) from None
    notes = (_note_on(spec.id, each) for each in valid.notes)
    return Plan(convoy.title, valid.tasks[-1:], notes=tuple(each for each in notes if each))


def _note_on(name: str, note: str) -> str:
    """The note as far as it speaks of this task; empty when it does not."""
    names, _, said = note.partition(": ")
    if names.startswith(f"{name} waits for "):
        return note
    return f"{name}: {said}" if name in names.split(", ") else ""
