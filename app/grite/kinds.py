"""What an event can say: the fourteen kinds of the wire format, and `Unknown` for a newer writer's."""

from __future__ import annotations

from typing import Literal

from app.grite.ids import IssueId
from app.values import dataclass

__all__ = [
    "AssigneeAdded",
    "AssigneeRemoved",
    "AttachmentAdded",
    "CommentAdded",
    "ContextUpdated",
    "DependencyAdded",
    "DependencyRemoved",
    "DependencyType",
    "IssueCreated",
    "IssueState",
    "IssueUpdated",
    "Kind",
    "LabelAdded",
    "LabelRemoved",
    "LinkAdded",
    "ProjectContextUpdated",
    "StateChanged",
    "Symbol",
    "Unknown",
]

IssueState = Literal["open", "closed"]
DependencyType = Literal["blocks", "depends_on", "related_to"]


@dataclass(frozen=True, slots=True)
class IssueCreated:
    """An issue begins. Labels are kept sorted, as on the wire."""

    title: str
    body: str = ""
    labels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "labels", tuple(sorted(self.labels)))


@dataclass(frozen=True, slots=True)
class IssueUpdated:
    """A new title or body; None leaves it."""

    title: str | None = None
    body: str | None = None


@dataclass(frozen=True, slots=True)
class CommentAdded:
    """One comment."""

    body: str


@dataclass(frozen=True, slots=True)
class LabelAdded:
    """One label more."""

    label: str


@dataclass(frozen=True, slots=True)
class LabelRemoved:
    """One label less."""

    label: str


@dataclass(frozen=True, slots=True)
class StateChanged:
    """Opened or closed."""

    state: IssueState


@dataclass(frozen=True, slots=True)
class LinkAdded:
    """A url, with a note or none."""

    url: str
    note: str | None = None


@dataclass(frozen=True, slots=True)
class AssigneeAdded:
    """One assignee more."""

    user: str


@dataclass(frozen=True, slots=True)
class AssigneeRemoved:
    """One assignee less."""

    user: str


@dataclass(frozen=True, slots=True)
class AttachmentAdded:
    """A file by name, SHA-256 (hex) and media type; its bytes are elsewhere."""

    name: str
    sha256: str
    mime: str


@dataclass(frozen=True, slots=True)
class DependencyAdded:
    """The issue blocks, depends on or relates to `target`."""

    target: IssueId
    type: DependencyType


@dataclass(frozen=True, slots=True)
class DependencyRemoved:
    """Undoes a `DependencyAdded` of the same target and type."""

    target: IssueId
    type: DependencyType


@dataclass(frozen=True, slots=True)
class Symbol:
    """A named place in a file; lines count from 1."""

    name: str
    kind: str
    line_start: int
    line_end: int


@dataclass(frozen=True, slots=True)
class ContextUpdated:
    """What is known about one file; `content_hash` is the file's SHA-256 in hex."""

    path: str
    language: str
    symbols: tuple[Symbol, ...]
    summary: str
    content_hash: str

    def __post_init__(self) -> None:
        ordered = sorted(self.symbols, key=lambda symbol: (symbol.name, symbol.kind))
        object.__setattr__(self, "symbols", tuple(ordered))


@dataclass(frozen=True, slots=True)
class ProjectContextUpdated:
    """One key of the project and its value."""

    key: str
    value: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """A tag or a payload of a newer writer: kept as canonical CBOR and carried on, never folded."""

    tag: int
    payload: bytes


Kind = (
    IssueCreated
    | IssueUpdated
    | CommentAdded
    | LabelAdded
    | LabelRemoved
    | StateChanged
    | LinkAdded
    | AssigneeAdded
    | AssigneeRemoved
    | AttachmentAdded
    | DependencyAdded
    | DependencyRemoved
    | ContextUpdated
    | ProjectContextUpdated
    | Unknown
)
