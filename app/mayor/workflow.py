"""Workflow templates: a plan kept in a file, with inputs filled in at each run."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel

from app.errors import PlanError
from app.mayor.fields import duration_ms
from app.mayor.inputs import Filling, fill_in
from app.mayor.order import shortest_cycle
from app.mayor.problems import Source, check
from app.mayor.workflow_model import Input, Step, Synthesis, Template
from app.ports import Plan, PlannedTask
from app.values import dataclass

__all__ = ["InputDescription", "WorkflowDescription", "describe_workflow", "plan_from_workflow"]

SYNTHESIS = "synthesis"


@dataclass(frozen=True, slots=True)
class InputDescription:
    """One input as people are shown it; `default` is None where there is none."""

    name: str
    description: str
    required: bool
    default: str | None


@dataclass(frozen=True, slots=True)
class WorkflowDescription:
    """A template as people are shown it; `steps` are (id, title) as written, in order."""

    name: str
    description: str
    type: str
    inputs: tuple[InputDescription, ...]
    steps: tuple[tuple[str, str], ...]


def describe_workflow(text: str, name: str = "workflow") -> WorkflowDescription:
    """What a template is and asks for. `name` is the file's name for messages. Raises PlanError."""
    template, _ = _read(text, name)
    inputs = tuple(
        InputDescription(key, each.description, each.required, each.default)
        for key, each in template.inputs.items()
    )
    steps = tuple((step.id, step.title) for step in _steps(template))
    return WorkflowDescription(template.name, template.description, _type(template), inputs, steps)


def plan_from_workflow(text: str, inputs: Mapping[str, str], name: str = "workflow") -> Plan:
    """The plan of one run of a template. Raises PlanError with file and line.

    `{{name}}` in titles and bodies becomes the input's value, which is not looked at again. Step ids become
    lower case with `-` for `_` and `.`. Labels have no place in a plan; a note names them.
    """
    template, _ = _read(text, name)
    filling = fill_in(template.inputs, inputs, place=name)
    steps = _steps(template)
    tasks = tuple(_task(step, filling) for step in steps)
    if filling.problems:
        raise PlanError(*dict.fromkeys(filling.problems), place=name)
    labels = dict.fromkeys(label for step in steps for label in step.labels)
    unused = (f"labels are not used: {', '.join(labels)}"[:1_000],) if labels else ()
    return Plan(
        summary=template.description.strip() or template.name,
        tasks=tasks,
        notes=(*unused, *dict.fromkeys(filling.left)),
    )


def _task(step: Step, filling: Filling) -> PlannedTask:
    return PlannedTask(
        id=_plan_id(step.id),
        title=" ".join(filling.text(step.title, step.id).split()),
        kind=step.kind,
        instructions=filling.text(step.body, step.id).strip("\n"),
        commands=tuple(step.run),
        paths=tuple(step.paths),
        reads=tuple(step.reads),
        depends_on=tuple(_plan_id(name) for name in dict.fromkeys((*step.needs, *step.after))),
        engine=step.engine,
        size=step.size,
        timeout_ms=duration_ms(step.timeout) if step.timeout else None,
    )


def _read(text: str, place: str) -> tuple[Template, Source]:
    from app.mayor.yaml_text import read_yaml

    data, lines = read_yaml(text, place)
    items: dict[str, tuple[str, type[BaseModel]]]
    items = {"steps": ("step", Step), "legs": ("leg", Step), "inputs": ("input", Input)}
    source = Source(
        place=place, whole="the template", items=items, nested={"synthesis": Synthesis}, lines=lines
    )
    template = check(Template, data, source)
    problems = _form(template, source) or _references(template, source)
    if problems:
        raise PlanError(*problems)
    return template, source


def _form(template: Template, source: Source) -> list[str]:
    if template.steps and template.legs:
        return [f"{source.at(('legs',))}has both steps and legs: a workflow has steps, a convoy has legs"]
    if not template.steps and not template.legs:
        return [f"{source.at(())}has no steps and no legs: nothing would be done"]
    wrong = {"workflow": "legs", "convoy": "steps"}.get(template.type or "")
    if wrong and getattr(template, wrong):
        return [f"{source.at(('type',))}type is {template.type}, but it has {wrong}"]
    if template.synthesis and template.steps:
        return [f"{source.at(('synthesis',))}has a synthesis, which only a convoy with legs can have"]
    return []


def _references(template: Template, source: Source) -> list[str]:
    key = "legs" if template.legs else "steps"
    steps = _steps(template)
    ids = [_plan_id(step.id) for step in steps]
    problems: list[str] = []
    for index, step in enumerate(steps):
        last = template.synthesis is not None and index == len(steps) - 1
        at = source.at((SYNTHESIS,) if last else (key, index))
        if ids.index(ids[index]) < index:
            problems.append(f"{at}step {step.id}: the id is used twice")
        others = ", ".join(name for name in ids if name != ids[index])
        for name in dict.fromkeys((*step.needs, *step.after)):
            if _plan_id(name) == ids[index]:
                problems.append(f"{at}step {step.id}: needs itself")
            elif _plan_id(name) not in ids:
                problems.append(f"{at}step {step.id}: needs {name!r}, which is no step (allowed: {others})")
    return problems or _circle(steps, source)


def _circle(steps: tuple[Step, ...], source: Source) -> list[str]:
    waits = {
        _plan_id(step.id): tuple(_plan_id(name) for name in (*step.needs, *step.after)) for step in steps
    }
    cycle = shortest_cycle(waits)
    if not cycle:
        return []
    return [f"{source.at(('steps',))}steps wait for each other in a circle: {' → '.join((*cycle, cycle[0]))}"]


def _steps(template: Template) -> tuple[Step, ...]:
    """All tasks of either form; the synthesis is one more step after the legs."""
    if template.synthesis is None:
        return tuple(template.legs or template.steps)
    fields = {
        name: getattr(template.synthesis, name) for name in Synthesis.model_fields if name != "depends_on"
    }
    wanted = template.synthesis.depends_on
    needs = [leg.id for leg in template.legs] if wanted is None else wanted
    return (*template.legs, Step(id=SYNTHESIS, needs=needs, **fields))


def _plan_id(name: str) -> str:
    return name.lower().replace("_", "-").replace(".", "-")


def _type(template: Template) -> str:
    return "convoy" if template.legs else "workflow"
