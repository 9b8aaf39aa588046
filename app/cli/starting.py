"""What somebody asks for on the command line, made into a request that may run. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field

from app.config import ENGINES, Config, nearest
from app.errors import OperatorError, UserError
from app.mayor import (
    ValidPlan,
    plan_from_checklist,
    plan_from_json,
    plan_from_workflow,
    plan_from_yaml,
    planner_for,
    rules_of,
    validate,
)
from app.ports import Operator, Plan
from app.values import dataclass

__all__ = ["Asked", "Prepared", "budget_refusal", "engines_of", "engines_of_plan", "notices", "prepare"]


@dataclass(frozen=True, slots=True)
class Asked:
    """One of the three is given: `text` (a request), `plan` (an edited plan), `workflow` (a template's text).

    `place` names the file it came from.
    """

    text: str | None = None
    plan: str | None = None
    workflow: str | None = None
    place: str | None = None
    inputs: Mapping[str, str] = field(default_factory=dict)
    planner: str | None = None
    engine: str | None = None


@dataclass(frozen=True, slots=True)
class Prepared:
    """The goal and its plan; without a plan an engine writes one."""

    goal: str
    planner: str
    plan: ValidPlan | None
    engine: str | None = None


def prepare(asked: Asked, config: Config, allow_engines: tuple[str, ...]) -> Prepared:
    """Raises PlanError for a plan that may not run, UserError for a request that says nothing."""
    rules = rules_of(config, allow_engines)
    if asked.plan is not None:
        plan = _edited(asked.plan, asked.place)
        return Prepared(plan.summary, "plan", validate(plan, rules))
    if asked.workflow is not None:
        plan = plan_from_workflow(asked.workflow, asked.inputs, asked.place or "workflow")
        return Prepared(plan.summary, "workflow", validate(plan, rules))
    text = (asked.text or "").strip()
    if not text:
        raise UserError("the request is empty", remedy='say what shall be done: --task "…"')
    planner = planner_for(text, asked.planner or config.mayor.planner)
    if planner == "workflow":
        raise UserError(
            "the planner is `workflow`, and no template is named",
            remedy="name one with --workflow NAME, or choose another with --planner",
        )
    engine = _chosen_engine(asked.engine, config, allow_engines)
    if planner == "checklist":
        return Prepared(text, planner, validate(plan_from_checklist(text, engine=engine), rules))
    return Prepared(text, planner, None, engine)


def engines_of(prepared: Prepared, config: Config) -> tuple[str, ...]:
    """Engine types that the plan will use; before an engine has planned, all that it may choose from."""
    if prepared.plan is not None:
        return engines_of_plan(prepared.plan.plan, config)
    planner = prepared.engine or config.planner_engine().type
    kinds = ("default", *(kind for kind, _ in config.engines))
    return tuple(dict.fromkeys((planner, *(config.engine_for(kind).type for kind in kinds))))


def engines_of_plan(plan: Plan, config: Config) -> tuple[str, ...]:
    """Engine types of the plan's tasks, in plan order, each once."""
    chosen = (
        (config.engine_named(task.engine, kind=task.kind) if task.engine else None)
        or config.engine_for(task.kind)
        for task in plan.tasks
    )
    return tuple(dict.fromkeys(each.type for each in chosen))


def budget_refusal(
    config: Config, engines: Iterable[str], metered: Mapping[str, bool]
) -> OperatorError | None:
    """A cap that nothing counts against is refused before anything is spent."""
    budget = config.budget
    caps = {"convoy_usd": budget.convoy_usd, "session_usd": budget.session_usd, "day_usd": budget.day_usd}
    key = next((name for name, value in caps.items() if value is not None), None)
    blind = [each for each in engines if not metered.get(each, False)]
    if key is None or not blind:
        return None
    remedy = f"choose another engine, or remove [budget] {key}"
    if blind[0] in ("codex", "aider"):
        prices = f"input_usd_per_mtok and output_usd_per_mtok under [engines.{blind[0]}]"
        remedy = f"set {prices} in the operator's file, or remove [budget] {key}"
    return OperatorError(
        f"[budget] {key} is set, but what {blind[0]} spends cannot be metered",
        place=f"engine {blind[0]}",
        remedy=remedy,
    )


def notices(
    config: Config, operator: Operator, *, remote: str | None, uncommitted: str | None
) -> Iterator[str]:
    """What a person should know before it begins, a line each."""
    if remote is None:
        yield "Results stay in this repository (no --remote and no [log] remote)."
    if uncommitted is not None:
        yield f"{uncommitted} is not committed; it counts only here until it is."
    for lowered in config.lowered:
        yield f"Lowered {lowered}."
    if config.refinery.require_ci and not config.refinery.checks:
        yield (
            "require_ci = true, and no [[refinery.check]] is configured: nothing is checked before it lands."
        )
    if operator.isolation == "process":
        yield "Isolation: process (UNSAFE): agents run with all your rights on this machine."
    else:
        yield f"Isolation: {operator.isolation}."


def _edited(text: str, place: str | None) -> Plan:
    """JSON where it looks so, else YAML."""
    return (
        plan_from_json(text, place=place)
        if text.lstrip().startswith("{")
        else plan_from_yaml(text, place=place)
    )


def _chosen_engine(name: str | None, config: Config, allow_engines: tuple[str, ...]) -> str | None:
    if name is None:
        return None
    known = config.engine_named(name)
    if known is None:
        near = nearest(name, ENGINES)
        said = f"; did you mean {near}?" if near else ""
        raise UserError(f"there is no engine {name!r}{said}", remedy=f"one of: {', '.join(ENGINES)}")
    if known.type not in (allow_engines or ENGINES):
        raise UserError(
            f"the engine {known.type!r} is not allowed here by the operator's settings",
            remedy=f"one of: {', '.join(allow_engines)}",
        )
    return known.type
