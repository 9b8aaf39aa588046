"""Two logs made one: fetch into a tracking ref, unite by event id, push with a lease. No event is dropped.

Where the histories parted, the events that the remote lacks go in a new commit on the remote's head, and the
local ref moves there. So the remote only ever moves forward, and clones that wrote while apart come together.
"""

from __future__ import annotations

import hashlib
import random
import re
import time
from collections.abc import Callable
from contextlib import AbstractContextManager

from app.errors import Moved, OperatorError, UserError
from app.grite.git import Pushed
from app.grite.snapshots import SNAPSHOTS
from app.grite.wal import WAL
from app.grite.writing import PreparedCommit, Tools, Writing
from app.values import dataclass

__all__ = ["Fetched", "Remote", "Synced"]

_ATTEMPTS = 8
_PAUSE = 0.05
"""Seconds, doubled each time and jittered: as long as a push over loopback takes."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """The remote's head, and how many events came in. `rewound` is the head that the remote had before
    and no longer leads to; what it held is in the local log, and the next push restores it."""

    head: str | None
    received: int
    rewound: str | None


@dataclass(frozen=True, slots=True)
class Synced:
    """The one head of both logs after `attempts` rounds."""

    head: str | None
    received: int
    rewound: str | None
    attempts: int


class Remote:
    """One remote, by its name or url."""

    def __init__(
        self, name: str, tools: Tools, writing: Callable[[], AbstractContextManager[Writing]]
    ) -> None:
        if not name or name.startswith("-"):
            raise UserError(f"{name!r} is no remote", remedy="name a remote of `git remote`, or a url")
        self._name, self._tools, self._writing = name, tools, writing
        plain = re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", name) is not None
        folder = name if plain else hashlib.sha256(name.encode()).hexdigest()[:16]
        self._folder = f"refs/brat/remotes/{folder}/"
        self._tracking = f"{self._folder}wal"

    def fetch(self) -> Fetched:
        """See `Log.fetch`."""
        store = self._tools.store
        history = self._tools.reader.read()
        if history.rewound is not None:
            # Beginning a turn brings back what was lost; else the loss would be pushed as the truth.
            with self._writing() as turn:
                history = turn.history
        count = len(history.events)
        before = store.ref(self._tracking)
        if before is not None:
            # A fetch that was killed before it united must not lose what it had brought.
            self.unite(before)
        with self._tools.step("log.fetch"):
            # The pattern also matches nothing, so that an empty remote is no error.
            self._tools.git.fetch(self._name, [f"+{WAL}*:{self._tracking}*"])
        head = store.ref(self._tracking)
        if head is not None:
            self.unite(head)
        gone = before is not None and (head is None or not store.descends(head, before))
        received = len(self._tools.reader.read().events) - count
        return Fetched(head, received, before if gone else None)

    def push(self) -> str | None:
        """See `Log.push`."""
        store, head = self._tools.store, self._tools.reader.read().head
        old = store.ref(self._tracking)
        if head is None:
            return None
        if old is not None and not store.descends(head, old):
            raise Moved("the remote has what is not here", place=self._place, remedy="fetch first")
        if old != head:
            with self._tools.step("log.push"):
                said = self._tools.git.push(self._name, [f"{head}:{WAL}"], leases=[(WAL, old)])
            self._accepted(said)
            store.put_ref(self._tracking, head)
        self._push_snapshots()
        return head

    def sync(self) -> Synced:
        """See `Log.sync`."""
        received, rewound = 0, None
        for attempt in range(_ATTEMPTS):
            try:
                fetched = self.fetch()
                received, rewound = received + fetched.received, rewound or fetched.rewound
                return Synced(self.push(), received, rewound, attempt + 1)
            except Moved:
                time.sleep(random.uniform(0, _PAUSE * 2**attempt))
        raise Moved(
            f"others were faster {_ATTEMPTS} times", place=self._place, remedy="try again in a moment"
        )

    @property
    def _place(self) -> str:
        return f"{WAL} on the remote"

    def unite(self, theirs: str) -> None:
        """See `Log.unite`."""
        store, reader = self._tools.store, self._tools.reader
        head = store.ref(WAL)
        if head is not None and store.descends(head, theirs):
            return
        with self._writing() as turn:
            mine = turn.history.head
            base = None if mine is None else store.merge_base(mine, theirs)
            stops = frozenset[str]() if base is None else frozenset({base})
            there = {event.id for event in reader.events_between(theirs, stops)}
            if mine is not None and base == theirs:
                return
            here = () if mine is None or base == mine else reader.events_between(mine, stops)
            alone = [event for event in here if event.id not in there]
            missing = sorted(alone, key=lambda event: event.order)
            if missing:
                turn.move(turn.graft(missing, theirs))
            else:
                turn.move(PreparedCommit(WAL, mine, theirs, ()))

    def _accepted(self, said: list[Pushed]) -> None:
        refused = [answer for answer in said if answer.flag == "!"]
        if any(answer.raced for answer in refused):
            raise Moved(refused[0].reason, place=self._place, remedy="fetch, decide again, push")
        if refused:
            remedy = "check the right to push refs/grite/*"
            raise OperatorError(f"refused: {refused[0].reason}", place=self._place, remedy=remedy)

    def _push_snapshots(self) -> None:
        """The remote gets the snapshots that are new, and loses those that we once gave it and have pruned.

        They are a cache: one that is refused there is left out.
        """
        store, known = self._tools.store, f"{self._folder}snapshots/"
        here = {ref.removeprefix(SNAPSHOTS): commit for ref, commit in store.refs(SNAPSHOTS).items()}
        given = {ref.removeprefix(known) for ref in store.refs(known)}
        wanted = [f"{here[name]}:{SNAPSHOTS}{name}" for name in sorted(here.keys() - given)]
        unwanted = [f":{SNAPSHOTS}{name}" for name in sorted(given - here.keys())]
        if not wanted and not unwanted:
            return
        with self._tools.step("log.push.snapshots"):
            self._tools.git.push(self._name, [*wanted, *unwanted], leases=[])
        for name in here.keys() - given:
            store.put_ref(f"{known}{name}", here[name])
        for name in given - here.keys():
            store.drop_ref(f"{known}{name}")
