"""A plan that may run: refused with every reason, or completed with edges, checks and notes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from app.errors import PlanError
from app.globs import overlap
from app.mayor.codec import plan_hash, plan_problems
from app.mayor.order import ancestors, waits_of
from app.mayor.rules import PlanRules, refusals, too_wide
from app.ports import Plan, PlannedTask
from app.values import dataclass

__all__ = ["ValidPlan", "validate"]

REMEDY = (
    "change the plan: `brat mayor plan --yaml` prints it, `brat mayor start --plan FILE` runs the edited one"
)


@dataclass(frozen=True, slots=True)
class ValidPlan:
    """A plan that passed, as it will run. `added` are the edges (task, waits for) that validation put in."""

    plan: Plan
    hash: str
    added: tuple[tuple[str, str], ...] = ()


def validate(plan: Plan, rules: PlanRules) -> ValidPlan:
    """Holds a plan against the rules. Raises PlanError with all problems.

    Afterwards the graph has no cycle, and any two tasks whose write globs overlap have a path between them.
    Doing it again changes nothing.
    """
    problems = plan_problems(plan) or refusals(plan, rules)
    if problems:
        raise PlanError(*problems, remedy=REMEDY)
    ordered, added = _serialised(plan)
    if wide := too_wide(ordered, rules):
        raise PlanError(*wide, remedy=REMEDY)
    notes = (
        *(_edge_note(ordered, edge) for edge in added),
        *_scope_notes(plan),
        *_check_notes(plan, rules),
        *_kind_notes(plan, rules),
        *_protected_notes(plan, rules),
    )
    complete = replace(
        ordered,
        tasks=tuple(replace(task, commands=task.commands or rules.checks) for task in ordered.tasks),
        notes=tuple(dict.fromkeys((*plan.notes, *notes))),
    )
    return ValidPlan(complete, plan_hash(complete), added)


def _serialised(plan: Plan) -> tuple[Plan, tuple[tuple[str, str], ...]]:
    """The plan with an edge, in plan order, between overlapping tasks that have no path; nearest pairs first.

    An edge between tasks without a path in either direction cannot close a cycle.
    """
    before = ancestors(waits_of(plan))
    added: list[tuple[str, str]] = []
    for place, later in enumerate(plan.tasks):
        for earlier in reversed(plan.tasks[:place]):
            apart = later.id not in before[earlier.id] and earlier.id not in before[later.id]
            if apart and _shared(earlier, later):
                added.append((later.id, earlier.id))
                gained = before[earlier.id] | {earlier.id}
                for name, known in before.items():
                    if name == later.id or later.id in known:
                        known |= gained
    more = {task.id: tuple(other for name, other in added if name == task.id) for task in plan.tasks}
    tasks = tuple(replace(task, depends_on=(*task.depends_on, *more[task.id])) for task in plan.tasks)
    return replace(plan, tasks=tasks), tuple(added)


def _shared(one: PlannedTask, other: PlannedTask) -> tuple[str, str] | None:
    """A pair of globs that overlap; tasks without globs are unknown, and unknown serialises nothing."""
    return next(((a, b) for a in one.paths for b in other.paths if overlap(a, b)), None)


def _edge_note(plan: Plan, edge: tuple[str, str]) -> str:
    tasks = {task.id: task for task in plan.tasks}
    later, earlier = edge
    shared = _shared(tasks[earlier], tasks[later])
    globs = " and ".join(dict.fromkeys(shared or ()))
    what = globs if shared and shared[0] == shared[1] else f"the same files ({globs} overlap)"
    return f"{later} waits for {earlier}: both may write {what}"


def _scope_notes(plan: Plan) -> Iterator[str]:
    open_ended = [task.id for task in plan.tasks if not task.paths]
    if open_ended and len(plan.tasks) > 1:
        yield (
            f"{_listed(open_ended)}: no write globs, so any file may be written; conflicts are"
            " resolved at landing"
        )


def _check_notes(plan: Plan, rules: PlanRules) -> Iterator[str]:
    bare = [task.id for task in plan.tasks if not task.commands]
    if bare and rules.checks:
        checks = "; ".join(rules.checks)
        yield f"{_listed(bare)}: no acceptance commands, so the repository's own checks decide: {checks}"[
            :1_000
        ]
    elif bare:
        yield (
            f"{_listed(bare)}: nothing will verify the work, neither acceptance commands nor checks are given"
        )


def _kind_notes(plan: Plan, rules: PlanRules) -> Iterator[str]:
    for kind in dict.fromkeys(task.kind for task in plan.tasks if task.engine is None):
        if kind != "default" and kind not in rules.kinds:
            who = _listed([task.id for task in plan.tasks if task.kind == kind and task.engine is None])
            yield f"{who}: there is no [engine.{kind}], so [engine.default] does it"


def _protected_notes(plan: Plan, rules: PlanRules) -> Iterator[str]:
    """Only for globs that name a folder: `**` may touch anything and promises nothing."""
    for task in plan.tasks:
        named = (glob for glob in task.paths if not glob.startswith("*"))
        found = next(((a, b) for a in named for b in rules.protected if _reaches(a, b)), None)
        if found:
            yield (
                f"{task.id}: {found[0]} is or holds a protected path ({found[1]}): such a change"
                " is held until a person releases it"
            )


def _reaches(glob: str, protected: str) -> bool:
    """`docs/**` could hold a CODEOWNERS too, and `test_*.py` lie in `.github`; without naming it that is no
    intention worth a note.
    """
    if protected.startswith("**/"):
        return glob.split("/")[-1] == protected[3:]
    at_any_depth = "/" not in glob and any(each in glob for each in "*?[")
    return not at_any_depth and overlap(glob, protected)


def _listed(names: Iterable[str]) -> str:
    """At most twelve names, so that a note stays one readable line."""
    every = list(names)
    return ", ".join(every[:12]) + (f" and {len(every) - 12} more" if len(every) > 12 else "")
