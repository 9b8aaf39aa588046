"""The plan as outsiders write it: one strict model, with what each field means and may hold."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from app.mayor.fields import (
    COMMANDS,
    GLOBS,
    MAX_TASKS,
    Command,
    Commit,
    Duration,
    GlobText,
    Instructions,
    Line,
    Name,
    Prose,
    Size,
    Title,
    duration_ms,
    duration_text,
)
from app.ports import Plan, PlannedTask

__all__ = ["PlanModel", "TaskModel", "plan_data", "plan_json_schema", "task_data"]


class TaskModel(BaseModel):
    """One unit of work for one agent on one branch."""

    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)

    id: Name = Field(description="Unique in the plan: a-z, 0-9 and -, at most 40 characters.")
    title: Title = Field(description="One line in the imperative; it becomes the commit's subject.")
    kind: Name = Field(
        "default", description="Kind of work, which chooses the engine: default, tests, docs, ..."
    )
    instructions: Instructions = Field(
        "", description="What to do, complete in itself: the agent sees no other task."
    )
    criteria: list[Line] = Field(
        [], max_length=20, description="What must be true when it is done, in words."
    )
    commands: list[Command] = Field(
        [],
        max_length=COMMANDS,
        description="Shell commands run at the top of the repository; each must exit 0.",
    )
    paths: list[GlobText] = Field(
        [],
        max_length=GLOBS,
        description="Globs of the files it may write, gitignore style, like src/auth/**.",
    )
    reads: list[GlobText] = Field([], max_length=GLOBS, description="Files worth reading first; only a hint.")
    depends_on: list[Name] = Field(
        [], max_length=MAX_TASKS, description="Ids of tasks that must be merged before."
    )
    engine: Name | None = Field(None, description="Only to overrule the engine that the kind chooses.")
    size: Size = Field("M", description="Rough effort: S, M or L.")
    timeout: Duration | None = Field(
        None, description="Wall clock for one attempt, like 20m; null: the default."
    )


class PlanModel(BaseModel):
    """What shall be done, in which order, and how it is verified."""

    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)

    schema_version: Literal[1] = Field(1, description="Version of this format.")
    summary: Prose = Field(description="What the plan does, in one to five sentences.")
    assumptions: list[Line] = Field([], max_length=50, description="What was taken for granted.")
    open_questions: list[Line] = Field([], max_length=50, description="What a person should decide.")
    base_commit: Commit | None = Field(None, description="Full id of the commit it was made for.")
    tasks: list[TaskModel] = Field(
        min_length=1, max_length=MAX_TASKS, description="In the order of the work."
    )
    notes: list[Line] = Field(
        [], max_length=2_000, description="What validation changed or could not verify."
    )

    def to_plan(self) -> Plan:
        """The value that rooms pass on."""
        return Plan(
            summary=self.summary,
            tasks=tuple(_planned(task) for task in self.tasks),
            assumptions=tuple(self.assumptions),
            open_questions=tuple(self.open_questions),
            base_commit=self.base_commit,
            notes=tuple(self.notes),
        )


def plan_json_schema() -> dict[str, Any]:
    """JSON Schema of the plan, for editors and for engines."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **PlanModel.model_json_schema()}


def plan_data(plan: Plan) -> dict[str, Any]:
    """The plan in outside words; every key is present, in the order of the model."""
    return {
        "schema_version": 1,
        "summary": plan.summary,
        "assumptions": list(plan.assumptions),
        "open_questions": list(plan.open_questions),
        "base_commit": plan.base_commit,
        "tasks": [task_data(task) for task in plan.tasks],
        "notes": list(plan.notes),
    }


def _planned(task: TaskModel) -> PlannedTask:
    return PlannedTask(
        id=task.id,
        title=task.title,
        kind=task.kind,
        instructions=task.instructions,
        criteria=tuple(task.criteria),
        commands=tuple(task.commands),
        paths=tuple(task.paths),
        reads=tuple(task.reads),
        depends_on=tuple(task.depends_on),
        engine=task.engine,
        size=task.size,
        timeout_ms=duration_ms(task.timeout) if task.timeout else None,
    )


def task_data(task: PlannedTask) -> dict[str, Any]:
    """One task in outside words."""
    return {
        "id": task.id,
        "title": task.title,
        "kind": task.kind,
        "instructions": task.instructions,
        "criteria": list(task.criteria),
        "commands": list(task.commands),
        "paths": list(task.paths),
        "reads": list(task.reads),
        "depends_on": list(task.depends_on),
        "engine": task.engine,
        "size": task.size,
        "timeout": None if task.timeout_ms is None else duration_text(task.timeout_ms),
    }
