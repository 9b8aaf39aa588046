"""A plan as it passes between rooms: what shall be done, in which order, and how it is verified."""

from __future__ import annotations

from app.values import dataclass

__all__ = ["Plan", "PlannedTask"]


@dataclass(frozen=True, slots=True)
class PlannedTask:
    """One unit of work for one agent on one branch.

    `paths` are write globs (gitignore style, empty: anywhere), `reads` are hints only, `commands` must
    exit 0 for the work to count, `criteria` are prose for the agent. `timeout_ms` is wall clock.
    """

    id: str
    title: str
    kind: str = "default"
    instructions: str = ""
    criteria: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    depends_on: tuple[str, ...] = ()
    engine: str | None = None
    size: str = "M"
    timeout_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """Tasks in plan order. `notes` are what validation changed or could not verify, in words."""

    summary: str
    tasks: tuple[PlannedTask, ...]
    assumptions: tuple[str, ...] = ()
    open_questions: tuple[str, ...] = ()
    base_commit: str | None = None
    notes: tuple[str, ...] = ()
