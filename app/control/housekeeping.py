"""What remains to be done around the loop: places freed, the log's snapshot, the named remote kept up.

Nothing here decides anything about work. What is due is computed from what is there, so a run that was killed
leaves it to the next one; a remote that refuses costs nothing here and is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Protocol

from app.board import Board, Convoy
from app.control.acting import Refusal
from app.control.reconcile import Pass
from app.errors import BratError
from app.grite import SNAPSHOTS, WAL, Log
from app.ports import Clock, Done, Life, Outcome, Step, Unknown, unnumbered, wall_clock
from app.values import dataclass
from app.workspace import Mirror, Remote

__all__ = ["Due", "Housekeeper", "Places", "due"]


class Places(Protocol):
    """Where sessions had their workspaces on this machine."""

    def sessions(self) -> tuple[str, ...]:
        """Those that have a folder here."""
        ...

    def clean(self, session: str) -> None:
        """Free workspace and home; log, result and bundle stay."""
        ...

    def remove(self, session: str) -> None:
        """All that is here of a session that is over."""
        ...


KEPT_MS = 7 * 86_400_000
"""How long a session's output, result and bundle stay after its convoy ended; the log keeps how it ended."""


@dataclass(frozen=True, slots=True)
class Due:
    """What should be done now. `push`: something landed or ended that the remote may not have.

    `forget` are sessions whose work the mirror need not keep (None: leave it as it is), `keep` the commits
    that open convoys go by.
    """

    clean: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()
    snapshot: bool = False
    push: bool = False
    forget: tuple[str, ...] | None = None
    keep: frozenset[str] = frozenset()


def due(
    board: Board,
    *,
    here: frozenset[str],
    snapshot_ts: int,
    sent: tuple[int, int, int] | None,
    now: int,
) -> Due:
    """`here` are sessions with a folder, `snapshot_ts` the newest snapshot's time (0: none), `sent` the
    landings when the remote last had everything (None: it is not known)."""
    over = [convoy for convoy in board.convoys if _over(convoy)]
    still = [convoy for convoy in board.convoys if not _over(convoy)] if over else []
    ended = tuple(each.id for convoy in over for each in convoy.all_sessions)
    old = {each.id for convoy in over if convoy.updated_ts + KEPT_MS < now for each in convoy.all_sessions}
    landings = board.landings
    return Due(
        clean=tuple(id for id in ended if id in here and id not in old),
        remove=tuple(id for id in ended if id in here and id in old),
        forget=ended if over else None,
        keep=frozenset(commit for each in still for commit in _commits(each) if commit),
        snapshot=any(convoy.updated_ts > snapshot_ts for convoy in over),
        push=any(landings) and landings != sent,
    )


@dataclass(slots=True)
class Housekeeper:
    """Does what is due. Called at each look, so it is cheap when nothing is; it does nothing twice.

    `remote` is a git remote that gets everything; `share` gives snapshots to where the log is shared anyway;
    `pack` packs the log's repository where that is ours.
    """

    log: Log
    places: Places
    mirror: Mirror
    remote: str | None = None
    share: Callable[[], Outcome] | None = None
    pack: Callable[[], None] = lambda: None
    step: Step = unnumbered
    clock: Clock = wall_clock
    _cleaned: set[str] = field(default_factory=set, init=False)
    _in_use: bool = field(default=False, init=False)
    _looked: tuple[int, int, int] | None = field(default=None, init=False)
    _sent: tuple[int, int, int] | None = field(default=None, init=False)

    def tidy(self, done: Pass) -> tuple[Refusal, ...]:
        """After a landing or an end: what became due. A refusal is told again at the next landing.

        A mirror that sessions used then is packed once they have ended.
        """
        now = done.board.landings
        if now == self._looked:
            free = self._in_use and not any(each.life is Life.ALIVE for each in done.seen.sessions.values())
            return self._pack(self._due(done.board)) if free else ()
        self._looked = now
        return self.close(done) if any(now) else ()

    def close(self, done: Pass) -> tuple[Refusal, ...]:
        """All that is due now, also what was refused before."""
        todo = self._due(done.board)
        for session in todo.clean:
            if session not in self._cleaned:
                with self.step("house.clean"):
                    self.places.clean(session)
                self._cleaned.add(session)
        for session in todo.remove:
            self.places.remove(session)
        return (*self._snapshot(todo), *self._pack(todo), *self._send(done.board, todo))

    def _due(self, board: Board) -> Due:
        here = frozenset(self.places.sessions())
        snapshot_ts, now = self._snapshot_ts(), self.clock()
        return due(board, here=here, snapshot_ts=snapshot_ts, sent=self._sent, now=now)

    def _snapshot(self, todo: Due) -> tuple[Refusal, ...]:
        """What is refused here costs time later and nothing else."""
        try:
            if todo.snapshot:
                self.log.snapshot()
            outcome = self.share() if self.share is not None else Done()
        except BratError as error:
            return (Refusal("Snapshot", error.reason, error.remedy or ""),)
        if isinstance(outcome, Done):
            return ()
        return (Refusal("Snapshot", outcome.reason, "" if isinstance(outcome, Unknown) else outcome.remedy),)

    def _pack(self, todo: Due) -> tuple[Refusal, ...]:
        self._in_use = False
        if todo.forget is None:
            return ()
        try:
            self._in_use = not self.mirror.gc(over=todo.forget, keep=self._tips_here() | todo.keep)
            self.pack()
        except BratError as error:
            return (Refusal("Packing a repository of ours", error.reason, error.remedy or ""),)
        return ()

    def _tips_here(self) -> frozenset[str]:
        import pygit2

        names = pygit2.Repository(str(self.mirror.source)).references.iterator()
        return frozenset(str(each.target) for each in names if each.name.startswith("refs/heads/"))

    def _send(self, board: Board, todo: Due) -> tuple[Refusal, ...]:
        """Branches first, the log last: a remote that has this log has all that it speaks of."""
        if self.remote is None or not todo.push:
            return ()
        remote = Remote(self.mirror, self.remote, self.step)
        refs = self._refs(board)
        if not refs and self._log_is_there():
            self._sent = board.landings
            return ()
        outcome = remote.push(refs) if refs else Done()
        if not isinstance(outcome, Done):
            remedy = "" if isinstance(outcome, Unknown) else outcome.remedy
            return (Refusal(f"Push to {self.remote}", outcome.reason, remedy),)
        try:
            self.log.sync(self.remote)
        except BratError as error:
            remedy = error.remedy or f"git ls-remote {self.remote}"
            return (Refusal(f"Push of the log to {self.remote}", error.reason, remedy),)
        self._sent = board.landings
        return ()

    def _refs(self, board: Board) -> tuple[str, ...]:
        """Branches of convoys that were never sent as they are, and the bases of those convoys."""
        there = _tips(self.mirror, f"refs/brat/remotes/{self.remote}/heads/convoy/")
        refs: dict[str, None] = {}
        for convoy in board.convoys:
            here = self._branches(convoy)
            unsent = [ref for ref, tip in here.items() if there.get(ref.removeprefix("refs/")) != tip]
            if unsent or not convoy.status.final:
                refs.update(dict.fromkeys((f"refs/heads/{convoy.base}", *unsent)))
        return tuple(refs)

    def _branches(self, convoy: Convoy) -> dict[str, str]:
        import pygit2

        repository = pygit2.Repository(str(self.mirror.source))
        names = repository.references.iterator()
        prefix = f"refs/heads/convoy/{convoy.slug}/"
        return {each.name: str(each.target) for each in names if each.name.startswith(prefix)}

    def _log_is_there(self) -> bool:
        import pygit2

        repository = pygit2.Repository(str(self.mirror.source))
        tracked = repository.references.get(f"refs/brat/remotes/{self.remote}/wal")
        mine = repository.references.get(WAL)
        return tracked is not None and mine is not None and tracked.target == mine.target

    def _snapshot_ts(self) -> int:
        import pygit2

        names = pygit2.Repository(str(self.mirror.source)).references
        times = (each.rpartition("/")[2] for each in names if each.startswith(SNAPSHOTS))
        return max((int(each) for each in times if each.isdecimal()), default=0)


def _tips(mirror: Mirror, prefix: str) -> dict[str, str]:
    """Refs of the mirror below the prefix, named from `heads/` on."""
    import pygit2

    if not mirror.repository.is_dir():
        return {}
    found = pygit2.Repository(str(mirror.repository)).references.iterator()
    cut = prefix.index("/heads/") + 1
    return {each.name[cut:]: str(each.target) for each in found if each.name.startswith(prefix)}


def _commits(convoy: Convoy) -> Iterator[str | None]:
    """What sessions start from, and what is inspected, merged and looked for in branches."""
    yield convoy.base_commit
    for session in convoy.all_sessions:
        yield from (session.started.base, session.started.carry, session.started.commit)
    for task in convoy.tasks:
        yield from (task.work.base, task.work.head) if task.work else ()
        yield task.follow_up.head if task.follow_up else None
        for merge in task.merges:
            yield from (merge.base, merge.head, merge.commit)


def _over(convoy: Convoy) -> bool:
    return convoy.status.final and not any(each.open for each in convoy.all_sessions)
