"""The form of a workflow template, as people keep it in `.brat/workflows/*.yaml`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from app.mayor.fields import COMMANDS, GLOBS, MAX_TASKS, Command, Duration, GlobText, Name, Size

__all__ = ["Input", "Step", "Synthesis", "Template"]


def _as_text(value: object) -> object:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int | float) else value


StepId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]{1,40}$")]
Default = Annotated[str, BeforeValidator(_as_text), Field(max_length=4_000)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)


class Input(_Strict):
    """One value that a run may or must be given."""

    description: str = ""
    required: bool = False
    default: Default | None = None


class Synthesis(_Strict):
    """The last task of a convoy template: it brings the legs together. No `depends_on` means all of them."""

    title: str = Field(min_length=1)
    body: str = ""
    labels: list[str] = []
    kind: Name = "default"
    paths: list[GlobText] = Field([], max_length=GLOBS)
    reads: list[GlobText] = Field([], max_length=GLOBS)
    run: list[Command] = Field([], max_length=COMMANDS)
    engine: Name | None = None
    size: Size = "M"
    timeout: Duration | None = None
    depends_on: list[StepId] | None = None


class Step(_Strict):
    """A step of a workflow or a leg of a convoy; `needs` and `after` mean the same."""

    id: StepId
    title: str = Field(min_length=1)
    body: str = ""
    needs: list[StepId] = []
    after: list[StepId] = []
    labels: list[str] = []
    kind: Name = "default"
    paths: list[GlobText] = Field([], max_length=GLOBS)
    reads: list[GlobText] = Field([], max_length=GLOBS)
    run: list[Command] = Field([], max_length=COMMANDS)
    engine: Name | None = None
    size: Size = "M"
    timeout: Duration | None = None


class Template(_Strict):
    """A whole template: steps that need each other, or legs side by side with an optional synthesis."""

    name: str = Field(min_length=1, max_length=120)
    version: Literal[1] = 1
    description: str = Field("", max_length=4_000)
    type: Literal["workflow", "convoy"] | None = None
    inputs: dict[str, Input] = {}
    steps: list[Step] = Field([], max_length=MAX_TASKS)
    legs: list[Step] = Field([], max_length=MAX_TASKS)
    synthesis: Synthesis | None = None
