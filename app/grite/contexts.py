"""What the log knows about the project and its files: kinds 13 and 14, last writer wins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from app.grite.events import Event
from app.grite.ids import ActorId, EventId
from app.grite.kinds import ContextUpdated, ProjectContextUpdated
from app.values import dataclass

__all__ = ["Contexts", "ProjectValue", "fold_contexts"]


@dataclass(frozen=True, slots=True)
class ProjectValue:
    """The value of a project key and the event that set it."""

    value: str
    actor: ActorId
    ts: int
    event: EventId


@dataclass(frozen=True, slots=True)
class Contexts:
    """Project keys with their values, and files by path."""

    project: Mapping[str, ProjectValue]
    files: Mapping[str, ContextUpdated]


def fold_contexts(events: Iterable[Event]) -> Contexts:
    """The newest value of each key and file."""
    project: dict[str, ProjectValue] = {}
    files: dict[str, ContextUpdated] = {}
    for event in sorted(events, key=lambda event: event.order):
        kind = event.kind
        if isinstance(kind, ProjectContextUpdated):
            project[kind.key] = ProjectValue(kind.value, event.actor, event.ts, event.id)
        elif isinstance(kind, ContextUpdated):
            files[kind.path] = kind
    return Contexts(project, files)
