"""Events to issues: sorted by `(ts, actor, id)`, so arrival order means nothing.

Title, body and state go to the last writer; labels, assignees and dependencies are added and removed in
order; comments, links and attachments are appended. An issue appears once its `IssueCreated` is there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from app.grite import kinds
from app.grite.events import Event
from app.grite.ids import ActorId, EventId, IssueId
from app.grite.kinds import DependencyType, IssueState
from app.values import dataclass

__all__ = ["Attachment", "Comment", "Dependency", "Issue", "Link", "Projection", "fold"]


@dataclass(frozen=True, slots=True)
class Comment:
    """One comment, with the event that brought it."""

    body: str
    actor: ActorId
    ts: int
    event: EventId


@dataclass(frozen=True, slots=True)
class Link:
    """One url, with the event that brought it."""

    url: str
    note: str | None
    actor: ActorId
    ts: int
    event: EventId


@dataclass(frozen=True, slots=True)
class Attachment:
    """One file by its hash, with the event that brought it."""

    name: str
    sha256: str
    mime: str
    actor: ActorId
    ts: int
    event: EventId


@dataclass(frozen=True, slots=True, order=True)
class Dependency:
    """What this issue waits for, blocks or relates to."""

    type: DependencyType
    target: IssueId


@dataclass(frozen=True, slots=True)
class Issue:
    """An issue as its events leave it. Times in milliseconds; labels, assignees, dependencies sorted.

    `events` are all of its events in order, for whoever must know who said what.
    """

    id: IssueId
    title: str
    body: str
    state: IssueState
    creator: ActorId
    created_ts: int
    updated_ts: int
    labels: tuple[str, ...] = ()
    assignees: tuple[str, ...] = ()
    comments: tuple[Comment, ...] = ()
    links: tuple[Link, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    dependencies: tuple[Dependency, ...] = ()
    events: tuple[Event, ...] = field(default=(), repr=False)


def fold(events: Iterable[Event]) -> dict[IssueId, Issue]:
    """All issues that these events make, in the order of their creation."""
    return Projection().update(events)


class Projection:
    """A fold that grows: an update costs the issues that have new events, not the log."""

    def __init__(self) -> None:
        self._seen: set[EventId] = set()
        self._events: dict[IssueId, list[Event]] = {}
        self._issues: dict[IssueId, Issue] = {}

    def update(self, events: Iterable[Event]) -> dict[IssueId, Issue]:
        """The issues after these events too; those seen before change nothing."""
        touched: set[IssueId] = set()
        for event in events:
            if event.id not in self._seen:
                self._seen.add(event.id)
                self._events.setdefault(event.issue, []).append(event)
                touched.add(event.issue)
        for issue in touched:
            self._events[issue].sort(key=lambda event: event.order)
            folded = _fold_issue(tuple(self._events[issue]))
            if folded is not None:
                self._issues[issue] = folded
        if touched:
            by_birth = sorted(self._issues.values(), key=lambda issue: (issue.created_ts, issue.id))
            self._issues = {issue.id: issue for issue in by_birth}
        return dict(self._issues)


@dataclass(slots=True)
class _Growing:
    """An issue while its events are applied."""

    created: Event | None = None
    title: str = ""
    body: str = ""
    state: IssueState = "open"
    labels: set[str] = field(default_factory=set)
    assignees: set[str] = field(default_factory=set)
    comments: list[Comment] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    dependencies: set[Dependency] = field(default_factory=set)


def _fold_issue(events: tuple[Event, ...]) -> Issue | None:
    grown = _Growing()
    for event in events:
        _write(grown, event)
        _change_sets(grown, event)
        _append(grown, event)
    if grown.created is None:
        return None
    return Issue(
        id=grown.created.issue,
        title=grown.title,
        body=grown.body,
        state=grown.state,
        creator=grown.created.actor,
        created_ts=grown.created.ts,
        updated_ts=events[-1].ts,
        labels=tuple(sorted(grown.labels)),
        assignees=tuple(sorted(grown.assignees)),
        comments=tuple(grown.comments),
        links=tuple(grown.links),
        attachments=tuple(grown.attachments),
        dependencies=tuple(sorted(grown.dependencies)),
        events=events,
    )


def _write(grown: _Growing, event: Event) -> None:
    """Last writer wins; a second creation of the same issue says nothing."""
    match event.kind:
        case kinds.IssueCreated(title, body, labels) if grown.created is None:
            grown.created, grown.title, grown.body, grown.state = event, title, body, "open"
            grown.labels.update(labels)
        case kinds.IssueUpdated(title, body):
            grown.title = grown.title if title is None else title
            grown.body = grown.body if body is None else body
        case kinds.StateChanged(state):
            grown.state = state
        case _:
            pass


def _change_sets(grown: _Growing, event: Event) -> None:
    match event.kind:
        case kinds.LabelAdded(label):
            grown.labels.add(label)
        case kinds.LabelRemoved(label):
            grown.labels.discard(label)
        case kinds.AssigneeAdded(user):
            grown.assignees.add(user)
        case kinds.AssigneeRemoved(user):
            grown.assignees.discard(user)
        case kinds.DependencyAdded(target, type_):
            grown.dependencies.add(Dependency(type_, target))
        case kinds.DependencyRemoved(target, type_):
            grown.dependencies.discard(Dependency(type_, target))
        case _:
            pass


def _append(grown: _Growing, event: Event) -> None:
    match event.kind:
        case kinds.CommentAdded(body):
            grown.comments.append(Comment(body, event.actor, event.ts, event.id))
        case kinds.LinkAdded(url, note):
            grown.links.append(Link(url, note, event.actor, event.ts, event.id))
        case kinds.AttachmentAdded(name, sha256, mime):
            grown.attachments.append(Attachment(name, sha256, mime, event.actor, event.ts, event.id))
        case _:
            pass
