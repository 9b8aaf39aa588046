"""The right to write: held with the repository's lock, it allocates times, signs, and commits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from app.errors import Defect, UserError
from app.grite.chunks import CHUNK_EVENTS
from app.grite.events import Draft, Event, make_event
from app.grite.git import Git
from app.grite.identity import Identity
from app.grite.ids import PROJECT_CONTEXT, EventId
from app.grite.lockfile import clear_dead_lock
from app.grite.reader import History, Reader, Rewound
from app.grite.store import Store
from app.grite.wal import WAL, wal_commit
from app.ports import Clock, Step
from app.values import dataclass

__all__ = ["PreparedCommit", "Publish", "Tools", "Writing"]

_TOO_FAR_MS = 86_400_000
"""A day: one event of a broken clock must not carry the whole log into the future."""


@dataclass(frozen=True, slots=True)
class PreparedCommit:
    """A WAL commit whose objects are on the disk and to which no ref leads yet.

    Whoever moves `ref` from `old` (None: it does not exist) to `new` has appended `events`.
    """

    ref: str
    old: str | None
    new: str
    events: tuple[Event, ...]


Publish = Callable[[PreparedCommit], None]
"""Gives a commit to the place that all clones share, before the ref here moves; what is there stays there.
Raises Moved when somebody else was faster."""


@dataclass(frozen=True, slots=True)
class Tools:
    """What writing needs: the repository, the writer, time and the numbering of effects."""

    store: Store
    git: Git
    reader: Reader
    identity: Identity
    clock: Clock
    step: Step
    publish: Publish | None = None


class Writing:
    """One turn at the log, valid while its `with log.writing()` block lasts."""

    def __init__(self, tools: Tools, history: History) -> None:
        self._tools = tools
        self._history = history

    @property
    def history(self) -> History:
        """The log as this turn sees it."""
        return self._history

    def prepare(self, drafts: Sequence[Draft]) -> PreparedCommit:
        """Signed events of the drafts as one commit on the head; the ref stays where it is."""
        if not drafts:
            raise Defect("nothing to append", place=WAL)
        return self._commit(self._events(drafts), self._history.head)

    def append(self, drafts: Sequence[Draft]) -> PreparedCommit:
        """Appends the drafts; they are on the disk when this returns."""
        prepared = self.prepare(drafts)
        self.move(prepared)
        return prepared

    def append_events(self, events: Iterable[Event]) -> str | None:
        """Appends events made elsewhere, those present left out; the head afterwards."""
        missing = self._missing(events)
        if missing:
            self.move(self.graft(missing, self._history.head))
        return self._history.head

    def restore(self, rewound: Rewound) -> None:
        """Brings back what a rewound ref lost: the old head if it was only set back, else its events."""
        head, store, reader = self._history.head, self._tools.store, self._tools.reader
        if store.has(rewound.seen) and (head is None or store.descends(rewound.seen, head)):
            self.move(PreparedCommit(WAL, head, rewound.seen, rewound.lost))
        elif rewound.lost:
            self.append_events(rewound.lost)
        if reader.read().rewound is not None:
            reader.accept(self._history.head)
        self._history = reader.read()

    def graft(self, events: Sequence[Event], onto: str | None) -> PreparedCommit:
        """Commits of at most 1000 events each on top of `onto`, ready to become the head."""
        tip, done = onto, list[Event]()
        for start in range(0, len(events), CHUNK_EVENTS):
            part = self._commit(tuple(events[start : start + CHUNK_EVENTS]), tip)
            tip = part.new
            done.extend(part.events)
        if tip is None:
            raise Defect("nothing to append", place=WAL)
        return PreparedCommit(WAL, self._history.head, tip, tuple(done))

    def move(self, prepared: PreparedCommit) -> None:
        """Moves the ref by compare-and-swap. Raises Moved when somebody without our lock was faster."""
        tools = self._tools
        if tools.publish is not None:
            with tools.step("log.publish"):
                tools.publish(prepared)
        clear_dead_lock(tools.store.git_dir / f"{WAL}.lock")
        with tools.step("log.ref"):
            if prepared.old is None:
                # libgit2 does not create a ref atomically: two processes can both be told that they made it.
                tools.git.create_ref(WAL, prepared.new)
            else:
                tools.store.swap(WAL, prepared.new, prepared.old)
        with tools.step("log.ref.settled"):
            tools.store.settle_ref(WAL)
        self._history = tools.reader.read()

    def landed(self, prepared: PreparedCommit) -> bool:
        """Whether somebody (a push of ours, known or unknown in its outcome) moved the ref to this commit."""
        if self._tools.store.ref(WAL) != prepared.new:
            return False
        with self._tools.step("log.ref.settled"):
            self._tools.store.settle_ref(WAL)
        self._history = self._tools.reader.read()
        return True

    def _missing(self, events: Iterable[Event]) -> tuple[Event, ...]:
        once: dict[EventId, Event] = {event.id: event for event in events}
        missing = [event for key, event in once.items() if not self._tools.reader.knows(key)]
        return tuple(sorted(missing, key=lambda event: event.order))

    def _events(self, drafts: Sequence[Draft]) -> tuple[Event, ...]:
        identity, now = self._tools.identity, self._tools.clock()
        wanted = [*self._announcement(), *drafts]
        first = max(now, self._last(now) + 1)
        try:
            return tuple(
                make_event(draft, identity.actor, first + number, sign=identity.sign)
                for number, draft in enumerate(wanted)
            )
        except UnicodeEncodeError as reason:
            remedy = "replace lone surrogates before logging"
            raise UserError("a text holds half a character", place=WAL, remedy=remedy) from reason

    def _last(self, now: int) -> int:
        """The newest time in the log, leaving out what others wrote with a clock that is far ahead."""
        mine, limit = self._tools.identity.actor, now + _TOO_FAR_MS
        return next((e.ts for e in reversed(self._history.events) if e.actor == mine or e.ts <= limit), 0)

    def _announcement(self) -> list[Draft]:
        identity = self._tools.identity
        said = identity.announcement()
        if any(event.actor == identity.actor and event.kind == said for event in self._history.events):
            return []
        return [Draft(PROJECT_CONTEXT, said)]

    def _commit(self, events: tuple[Event, ...], parent: str | None) -> PreparedCommit:
        tools = self._tools
        wanted = wal_commit(events, tools.identity.actor, parent=parent, at=tools.clock() // 1000)
        with tools.step("log.objects"):
            new = tools.store.write(wanted)
            tools.store.flush()
        return PreparedCommit(WAL, self._history.head, new, events)
