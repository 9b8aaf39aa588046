"""Reading the log: the whole of it once, then only what is new, by walking parents from the head.

The last head that was read is remembered in a file, so that a ref that was set back or replaced is noticed,
also after a restart. The file is a hint: without it one rewind may go unnoticed, nothing else.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from app.errors import RepositoryError
from app.grite.events import Event
from app.grite.ids import EventId
from app.grite.snapshots import read_snapshot, snapshots
from app.grite.store import Store
from app.grite.wal import WAL, events_of, walk
from app.values import dataclass

__all__ = ["History", "Reader", "Rewound"]


@dataclass(frozen=True, slots=True)
class Rewound:
    """The ref no longer leads to `seen`, which was its head before; `lost` is what only `seen` has.

    `lost` is empty when the objects of `seen` are gone as well.
    """

    seen: str
    lost: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class History:
    """The log at one head: its events sorted by `(ts, actor, id)`, each once."""

    head: str | None = None
    events: tuple[Event, ...] = ()
    rewound: Rewound | None = None


class Reader:
    """One reader over one repository; keeps what it has read."""

    def __init__(self, store: Store, seen_file: Path) -> None:
        self._store = store
        self._seen_file = seen_file
        self._history = History()
        self._ids: set[EventId] = set()
        self._cold = True
        self._door = threading.RLock()

    def read(self) -> History:
        """The log as it is now. Raises RepositoryError that names a damaged commit, chunk or event."""
        with self._door:
            return self._read()

    def _read(self) -> History:
        before = self._history.head
        # `seen` is written after a move of the ref, so it must be read before the ref.
        seen = self._load_seen() if self._cold else before
        head = self._store.ref(WAL)
        if head == before and not self._cold:
            return self._history
        history = self._read_on(head) or self._read_all(head, seen)
        self._history, self._cold = history, False
        if history.rewound is None:
            self._save_seen(history.head)
        return history

    def knows(self, event: EventId) -> bool:
        """Whether the last history read has this event."""
        return event in self._ids

    def accept(self, head: str | None) -> None:
        """Takes `head` as the last seen one: what was lost before it is no longer reported."""
        with self._door:
            self._save_seen(head)
            self._cold, self._history = True, History()

    def events_between(self, head: str, stops: frozenset[str]) -> tuple[Event, ...]:
        """The events of the commits from `head` back to a stop or the root."""
        commits = walk(self._store, head, stops=stops).commits
        return tuple(event for commit in commits for event in events_of(self._store, commit))

    def _read_on(self, head: str | None) -> History | None:
        """The last history and what followed; None when `head` does not follow from it."""
        before = self._history
        if self._cold or before.head is None or head is None:
            return None
        new = walk(self._store, head, stops=frozenset({before.head}))
        if new.met is None:
            return None
        fresh = [event for commit in new.commits for event in events_of(self._store, commit)]
        events = self._merge(before.events, fresh)
        return History(head, events, _still_lost(before.rewound, self._ids))

    def _merge(self, old: tuple[Event, ...], fresh: Iterable[Event]) -> tuple[Event, ...]:
        added = {event.id: event for event in fresh if event.id not in self._ids}
        self._ids.update(added)
        more = sorted(added.values(), key=_order)
        if not old or not more or _order(old[-1]) < _order(more[0]):
            return (*old, *more)
        return tuple(sorted((*old, *more), key=_order))

    def _read_all(self, head: str | None, seen: str | None) -> History:
        before, ids = self._history, set[EventId]()
        events, commits = self._load(head)
        ids.update(events)
        history = History(head, tuple(sorted(events.values(), key=_order)))
        if not self._cold:
            rewound = _lost(before, ids)
        elif seen is None or seen == head or seen in commits:
            rewound = None
        else:
            rewound = self._compare(head, seen, ids)
        self._ids = ids
        return replace(history, rewound=rewound)

    def _load(self, head: str | None) -> tuple[dict[EventId, Event], frozenset[str]]:
        """All events up to `head`, from the newest snapshot that its history meets; the commits walked."""
        usable = {snapshot.wal_head: snapshot for snapshot in reversed(snapshots(self._store))}
        while True:
            walked = walk(self._store, head, stops=frozenset(usable))
            events: dict[EventId, Event] = {}
            if walked.met is not None:
                try:
                    inside = read_snapshot(self._store, usable[walked.met])
                    events = {event.id: event for event in inside}
                except RepositoryError:
                    del usable[walked.met]
                    continue
            for commit in reversed(walked.commits):
                events.update((event.id, event) for event in events_of(self._store, commit))
            return events, frozenset(commit.id for commit in walked.commits)

    def _compare(self, head: str | None, seen: str, ids: set[EventId]) -> Rewound | None:
        """What was lost between `seen` and `head`; None when every event of `seen` is still there."""
        if not self._store.has(seen):
            return Rewound(seen, ())
        if head is not None and self._store.descends(head, seen):
            return None
        base = None if head is None else self._store.merge_base(head, seen)
        try:
            there = self.events_between(seen, frozenset[str]() if base is None else frozenset({base}))
        except RepositoryError:
            return Rewound(seen, ())
        once = {event.id: event for event in there if event.id not in ids}
        return Rewound(seen, tuple(sorted(once.values(), key=_order))) if once else None

    def _load_seen(self) -> str | None:
        try:
            text = self._seen_file.read_text().strip()
        except OSError:
            return None
        return text if len(text) == 40 and set(text) <= set("0123456789abcdef") else None

    def _save_seen(self, head: str | None) -> None:
        fresh = self._seen_file.with_suffix(f".{os.getpid()}.{id(self)}")
        with suppress(OSError):
            fresh.write_text(head or "")
            fresh.replace(self._seen_file)


def _lost(before: History, ids: set[EventId]) -> Rewound | None:
    """What the history before had and `ids` have not, together with what was missing already."""
    old = before.rewound
    if old is not None and not old.lost:
        return old
    candidates = (*before.events, *(old.lost if old else ()))
    once = {event.id: event for event in candidates if event.id not in ids}
    seen = old.seen if old else before.head
    if seen is None or not once:
        return None
    return Rewound(seen, tuple(sorted(once.values(), key=_order)))


def _still_lost(rewound: Rewound | None, ids: set[EventId]) -> Rewound | None:
    if rewound is None or not rewound.lost:
        return rewound
    lost = tuple(event for event in rewound.lost if event.id not in ids)
    return replace(rewound, lost=lost) if lost else None


def _order(event: Event) -> tuple[int, str, str]:
    return (event.ts, event.actor, event.id)
