"""What a plan is held against, and the rules that can refuse it; each names the task and what is allowed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from app.config import PROTECTED
from app.globs import glob_problem
from app.mayor.nearest import did_you_mean, misspelt
from app.mayor.order import layers, shortest_cycle, waits_of, width
from app.ports import Plan, PlannedTask
from app.values import dataclass

__all__ = ["PlanRules", "refusals", "too_wide"]


@dataclass(frozen=True, slots=True)
class PlanRules:
    """Limits and facts of one repository, as config and operator settings give them.

    `engines` are all engine types there are, `allowed` those the operator lets run, `kinds` the names of
    `[engine.<kind>]` tables, `checks` the repository's own commands, `max_width` bounds tasks at one time.
    """

    engines: tuple[str, ...]
    allowed: tuple[str, ...]
    kinds: tuple[str, ...] = ("default",)
    checks: tuple[str, ...] = ()
    protected: tuple[str, ...] = PROTECTED
    max_tasks: int = 20
    max_depth: int = 12
    max_width: int = 16
    max_timeout_ms: int = 4 * 3_600_000


def refusals(plan: Plan, rules: PlanRules) -> tuple[str, ...]:
    """Every rule that the plan breaks, in plan order; none for a plan that may run."""
    if len(plan.tasks) > rules.max_tasks:
        return (
            f"the plan has {len(plan.tasks)} tasks; at most {rules.max_tasks} allowed ([mayor] max_tasks)",
        )
    problems = [*_ids(plan)]
    for task in plan.tasks:
        problems += [
            *_dependencies(task, plan),
            *_engine(task, rules),
            *_kind(task, rules),
            *_limits(task, rules),
        ]
        problems += [*_globs(task)]
    return (*problems, *_shape(plan, rules))


def too_wide(plan: Plan, rules: PlanRules) -> tuple[str, ...]:
    """Held against the plan with its added edges, since those make it narrower."""
    most = width(waits_of(plan))
    if most <= rules.max_width:
        return ()
    return (
        f"{most} tasks could run at the same time; at most {rules.max_width} allowed: add"
        " dependencies or merge tasks",
    )


def _ids(plan: Plan) -> Iterator[str]:
    counts = Counter(task.id for task in plan.tasks)
    for name, count in counts.items():
        if count > 1:
            yield f"task {name}: the id is used {count} times; each task needs its own"


def _dependencies(task: PlannedTask, plan: Plan) -> Iterator[str]:
    names = [other.id for other in plan.tasks if other.id != task.id]
    for name in dict.fromkeys(task.depends_on):
        if name == task.id:
            yield f"task {task.id}: depends_on: names itself"
        elif name not in names:
            known = ", ".join(names) or "none, it is the only task"
            yield (
                f"task {task.id}: depends_on: {name!r} is not in the"
                f" plan{did_you_mean(name, names)} (allowed: {known})"
            )


def _engine(task: PlannedTask, rules: PlanRules) -> Iterator[str]:
    if task.engine is None or task.engine in rules.allowed:
        return
    allowed = ", ".join(rules.allowed) or "none"
    if task.engine in rules.engines:
        yield (
            f"task {task.id}: engine: {task.engine!r} is not allowed here by the operator's"
            f" settings (allowed: {allowed})"
        )
    else:
        near = did_you_mean(task.engine, rules.allowed)
        yield f"task {task.id}: engine: there is no engine {task.engine!r}{near} (allowed: {allowed})"


def _kind(task: PlannedTask, rules: PlanRules) -> Iterator[str]:
    near = None if task.kind in rules.kinds else misspelt(task.kind, rules.kinds)
    if near:
        kinds = ", ".join(rules.kinds)
        yield (
            f"task {task.id}: kind: {task.kind!r} has no engine of its own; did you mean"
            f" {near!r}? (configured: {kinds})"
        )


def _limits(task: PlannedTask, rules: PlanRules) -> Iterator[str]:
    if task.timeout_ms is not None and task.timeout_ms > rules.max_timeout_ms:
        most = rules.max_timeout_ms // 1000
        yield f"task {task.id}: timeout: is {task.timeout_ms // 1000} s; at most {most} s allowed"


def _globs(task: PlannedTask) -> Iterator[str]:
    for name, globs in (("paths", task.paths), ("reads", task.reads)):
        for glob in globs:
            if reason := glob_problem(glob):
                yield f"task {task.id}: {name}: {glob[:60]!r} {reason}"


def _shape(plan: Plan, rules: PlanRules) -> Iterator[str]:
    waits = waits_of(plan)
    if cycle := shortest_cycle(waits):
        yield (
            f"tasks wait for each other in a circle: {' → '.join((*cycle, cycle[0]))} (each waits"
            " for the next)"
        )
    elif (deep := len(layers(waits))) > rules.max_depth:
        yield (
            f"the longest chain has {deep} tasks; at most {rules.max_depth} allowed: merge tasks"
            " that only follow each other"
        )
