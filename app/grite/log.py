"""The log of one repository: read, append, snapshot, and the remote's copy kept in step."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from enum import Enum
from pathlib import Path

from app.errors import Defect, Moved, OperatorError
from app.grite.audit import Finding, audit
from app.grite.events import Draft, Event
from app.grite.git import Git
from app.grite.identity import Identity
from app.grite.lockfile import clear_stale_objects, writer_lock
from app.grite.pending import Pending
from app.grite.reader import History, Reader
from app.grite.snapshots import KEPT, SNAPSHOTS, snapshot_commit, snapshots
from app.grite.store import Store
from app.grite.sync import Fetched, Remote, Synced
from app.grite.wal import WAL
from app.grite.writing import Publish, Tools, Writing
from app.ports import Clock, Step, unnumbered

__all__ = ["ANY", "Expected", "Log"]


class _Any(Enum):
    ANY = "any"


ANY = _Any.ANY
"""As `expected`: append to whatever the head is."""

Expected = str | None | _Any
"""The head that a decision was made on: a commit, None for an empty log, or ANY."""


class Log:
    """One repository's log, for any number of threads. `git_dir` is the common git directory.

    `state_dir` holds the writer lock and the last head seen; all processes on this repository share it.
    Raises RepositoryError for damage and OperatorError for disk and git.
    """

    def __init__(
        self, git_dir: Path, *, identity: Identity, state_dir: Path, clock: Clock, step: Step = unnumbered
    ) -> None:
        self._state = state_dir
        try:
            state_dir.mkdir(parents=True, exist_ok=True)
        except OSError as reason:
            place = str(state_dir)
            said = (reason.strerror or "refused").lower()
            remedy = "make the repository writable for you"
            raise OperatorError(f"cannot be made: {said}", place=place, remedy=remedy) from None
        store = Store(git_dir)
        self._tools = Tools(store, Git(git_dir), Reader(store, state_dir / "log.seen"), identity, clock, step)
        self._writer = threading.RLock()
        self._busy = False
        self._swept = False
        self._pending = Pending(self._append_all)

    def publish_through(self, publish: Publish) -> None:
        """From now on no commit becomes the head here before `publish` gave it to the shared place.

        Killed between the two, the next `unite` with the shared head goes on from there.
        """
        self._tools = replace(self._tools, publish=publish)

    @property
    def identity(self) -> Identity:
        """Who writes here."""
        return self._tools.identity

    def read(self) -> History:
        """The log now. When nothing is new this costs one look at the ref."""
        return self._tools.reader.read()

    def append(self, drafts: Sequence[Draft], *, expected: Expected = ANY) -> str:
        """Appends the drafts in one commit and returns it; they are on the disk then.

        Raises Moved when the head is not `expected`. Without one, what threads ask at once shares a commit.
        """
        if expected is ANY:
            return self._pending.append(drafts)
        with self.writing(expected) as turn:
            return turn.append(drafts).new

    def append_events(self, events: Iterable[Event]) -> str | None:
        """Appends events made elsewhere; those already here are left out. Returns the head."""
        with self.writing() as turn:
            return turn.append_events(events)

    @contextmanager
    def writing(self, expected: Expected = ANY) -> Iterator[Writing]:
        """The one turn to write that this repository has, until the block ends.

        For `prepare`: move the ref by a push of your own, together with others. Killed anywhere, nothing
        breaks: objects without a ref are garbage. What a rewound ref lost is appended again first, and then
        an `expected` head is refused with Moved: it was decided without those events.
        """
        with self._writer:
            if self._busy:
                raise Defect("a turn to write inside another", place=WAL)
            self._busy = True
            try:
                with writer_lock(self._state / "log.lock"):
                    yield self._turn(expected)
            finally:
                self._busy = False

    def snapshot(self) -> str | None:
        """Writes a snapshot of the log, keeps the newest two, returns its ref; None for an empty log.

        A snapshot of the same head is not written again.
        """
        with self.writing() as turn:
            head, store = turn.history.head, self._tools.store
            present = snapshots(store)
            if head is None or (present and present[0].wal_head == head):
                return present[0].ref if present else None
            now = max(self._tools.clock(), present[0].at + 1 if present else 0)
            name = f"{SNAPSHOTS}{now}"
            with self._tools.step("log.snapshot"):
                made = store.write(snapshot_commit(turn.history.events, wal_head=head, now=now))
                store.flush()
                store.put_ref(name, made)
                store.settle_ref(name)
            with self._tools.step("log.snapshot.pruned"):
                for old in present[KEPT - 1 :]:
                    store.drop_ref(old.ref)
            return name

    def fetch(self, remote: str) -> Fetched:
        """Brings in what the remote has: afterwards the local log holds every event of both."""
        return self._remote(remote).fetch()

    def push(self, remote: str) -> str | None:
        """Gives the remote log and snapshots. Raises Moved when it is not where the last fetch saw it."""
        return self._remote(remote).push()

    def sync(self, remote: str) -> Synced:
        """Fetch and push until both logs are one. Raises Moved when others were faster each time."""
        return self._remote(remote).sync()

    def unite(self, head: str) -> None:
        """Takes in a head whose objects were fetched: afterwards the log here holds every event of both."""
        if self.read().rewound is not None:
            # Beginning a turn brings back what was lost here.
            with self.writing():
                pass
        self._remote("shared").unite(head)

    def verify(self) -> tuple[Finding, ...]:
        """Everything recomputed: chain, hashes, ids, signatures, snapshots. Changes nothing."""
        return audit(self._tools.store, self._tools.reader)

    def _remote(self, name: str) -> Remote:
        return Remote(name, self._tools, self.writing)

    def _append_all(self, drafts: Sequence[Draft]) -> str:
        with self.writing() as turn:
            return turn.append(drafts).new

    def _turn(self, expected: Expected) -> Writing:
        self._prepare_house()
        history = self.read()
        if expected is not ANY and history.head != expected:
            there = f"the log is at {history.head}, not at {expected}"
            raise Moved(there, place=WAL, remedy="read it and decide again")
        turn = Writing(self._tools, history)
        if history.rewound is not None:
            turn.restore(history.rewound)
            if expected is not ANY:
                raise Moved("the ref was set back; what it lost is in it again", place=WAL)
        return turn

    def _prepare_house(self) -> None:
        """Once per process: what a dead writer left goes, and the ref gets a reflog.

        Git goes on writing a reflog that exists, whatever core.logAllRefUpdates says, so that a head that
        somebody drops stays findable; the config is the user's and is left alone.
        """
        if self._swept:
            return
        git_dir = self._tools.store.git_dir
        clear_stale_objects(git_dir / "objects")
        reflog = git_dir / "logs" / WAL
        try:
            reflog.parent.mkdir(parents=True, exist_ok=True)
            reflog.touch()
        except OSError as reason:
            place = str(reflog)
            raise OperatorError(
                f"cannot be made: {reason}", place=place, remedy="check permissions"
            ) from None
        self._swept = True
