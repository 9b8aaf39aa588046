"""What remains to be done around the loop: places freed, the log's snapshot, the named remote kept up.

Nothing here decides anything about work. What is due is computed from what is there, so a run that was killed
leaves it to the next one; a remote that refuses costs nothing here and is told.
"""

from __future__ import annotations

from typing import Protocol

from app.board import Board, Convoy, TaskStatus
from app.control.acting import Refusal
from app.control.reconcile import Pass
from app.errors import BratError
from app.grite import WAL, Log
from app.ports import Done, Step, Unknown, unnumbered
from app.values import dataclass
from app.workspace import Mirror, Remote

__all__ = ["Due", "Housekeeper", "Places", "due", "landings"]

_SNAPSHOTS = "refs/grite/snapshots/"


class Places(Protocol):
    """Where sessions had their workspaces on this machine."""

    def sessions(self) -> tuple[str, ...]:
        """Those that have a folder here."""
        ...

    def clean(self, session: str) -> None:
        """Free workspace and home; log, result and bundle stay."""
        ...


@dataclass(frozen=True, slots=True)
class Due:
    """What should be done now. `push`: something landed or ended that the remote may not have.

    `forget` are sessions whose work the mirror need not keep; None: it is still worked with, so leave it.
    """

    clean: tuple[str, ...] = ()
    snapshot: bool = False
    push: bool = False
    forget: tuple[str, ...] | None = None


def landings(board: Board) -> tuple[int, int, int]:
    """How much has landed and ended: landed tasks, bases taken over, convoys that are over."""
    merged = sum(task.status is TaskStatus.MERGED for each in board.convoys for task in each.tasks)
    taken = sum(each.taken_over is not None for each in board.convoys)
    return merged, taken, sum(each.status.final for each in board.convoys)


def due(board: Board, *, here: frozenset[str], snapshot_ts: int, sent: tuple[int, int, int] | None) -> Due:
    """`here` are sessions with a workspace, `snapshot_ts` the newest snapshot's time (0: none), `sent` the
    landings when the remote last had everything (None: it is not known)."""
    over = [convoy for convoy in board.convoys if convoy.status.final and _all_ended(convoy)]
    ended = tuple(each.id for convoy in over for each in convoy.all_sessions)
    now = landings(board)
    return Due(
        clean=tuple(id for id in ended if id in here),
        forget=ended if over and len(over) == len(board.convoys) else None,
        snapshot=any(convoy.updated_ts > snapshot_ts for convoy in over),
        push=any(now) and now != sent,
    )


class Housekeeper:
    """Does what is due. Called at each look, so it is cheap when nothing is; it does nothing twice."""

    def __init__(
        self,
        log: Log,
        places: Places,
        mirror: Mirror,
        *,
        remote: str | None = None,
        step: Step = unnumbered,
    ) -> None:
        self._log, self._places, self._mirror = log, places, mirror
        self._name, self._step = remote, step
        self._looked: tuple[int, int, int] | None = None
        self._sent: tuple[int, int, int] | None = None

    def tidy(self, done: Pass) -> tuple[Refusal, ...]:
        """After a landing or an end: what became due. A refusal is told again at the next landing."""
        now = landings(done.board)
        if now == self._looked:
            return ()
        self._looked = now
        return self.close(done) if any(now) else ()

    def close(self, done: Pass) -> tuple[Refusal, ...]:
        """All that is due now, also what was refused before."""
        board = done.board
        todo = due(board, here=self._uncleaned(), snapshot_ts=self._snapshot_ts(), sent=self._sent)
        for session in todo.clean:
            with self._step("house.clean"):
                self._places.clean(session)
        return (*self._keep_small(todo), *self._send(board, todo))

    def _keep_small(self, todo: Due) -> tuple[Refusal, ...]:
        """The log's snapshot, then the mirror: what is refused here costs time later and nothing else."""
        try:
            if todo.snapshot:
                self._log.snapshot()
        except BratError as error:
            return (Refusal("Snapshot", error.reason, error.remedy or ""),)
        try:
            if todo.forget is not None:
                self._mirror.gc(over=todo.forget, keep=self._tips_here())
        except BratError as error:
            return (Refusal("Packing the mirror", error.reason, error.remedy or ""),)
        return ()

    def _tips_here(self) -> frozenset[str]:
        import pygit2

        names = pygit2.Repository(str(self._mirror.source)).references.iterator()
        return frozenset(str(each.target) for each in names if each.name.startswith("refs/heads/"))

    def _send(self, board: Board, todo: Due) -> tuple[Refusal, ...]:
        """Branches first, the log last: a remote that has this log has all that it speaks of."""
        if self._name is None or not todo.push:
            return ()
        remote = Remote(self._mirror, self._name, self._step)
        refs = self._refs(board)
        if not refs and self._log_is_there():
            self._sent = landings(board)
            return ()
        outcome = remote.push(refs) if refs else Done()
        if not isinstance(outcome, Done):
            remedy = "" if isinstance(outcome, Unknown) else outcome.remedy
            return (Refusal(f"Push to {self._name}", outcome.reason, remedy),)
        try:
            self._log.sync(self._name)
        except BratError as error:
            remedy = error.remedy or f"git ls-remote {self._name}"
            return (Refusal(f"Push of the log to {self._name}", error.reason, remedy),)
        self._sent = landings(board)
        return ()

    def _refs(self, board: Board) -> tuple[str, ...]:
        """Branches of convoys that were never sent as they are, and the bases of those convoys."""
        there = _tips(self._mirror, f"refs/brat/remotes/{self._name}/heads/convoy/")
        refs: dict[str, None] = {}
        for convoy in board.convoys:
            here = self._branches(convoy)
            unsent = [ref for ref, tip in here.items() if there.get(ref.removeprefix("refs/")) != tip]
            if unsent or not convoy.status.final:
                refs.update(dict.fromkeys((f"refs/heads/{convoy.base}", *unsent)))
        return tuple(refs)

    def _branches(self, convoy: Convoy) -> dict[str, str]:
        import pygit2

        repository = pygit2.Repository(str(self._mirror.source))
        names = repository.references.iterator()
        prefix = f"refs/heads/convoy/{convoy.slug}/"
        return {each.name: str(each.target) for each in names if each.name.startswith(prefix)}

    def _log_is_there(self) -> bool:
        import pygit2

        repository = pygit2.Repository(str(self._mirror.source))
        tracked = repository.references.get(f"refs/brat/remotes/{self._name}/wal")
        mine = repository.references.get(WAL)
        return tracked is not None and mine is not None and tracked.target == mine.target

    def _snapshot_ts(self) -> int:
        import pygit2

        names = pygit2.Repository(str(self._mirror.source)).references
        times = (each.rpartition("/")[2] for each in names if each.startswith(_SNAPSHOTS))
        return max((int(each) for each in times if each.isdecimal()), default=0)

    def _uncleaned(self) -> frozenset[str]:
        return frozenset(self._places.sessions())


def _tips(mirror: Mirror, prefix: str) -> dict[str, str]:
    """Refs of the mirror below the prefix, named from `heads/` on."""
    import pygit2

    if not mirror.repository.is_dir():
        return {}
    found = pygit2.Repository(str(mirror.repository)).references.iterator()
    cut = prefix.index("/heads/") + 1
    return {each.name[cut:]: str(each.target) for each in found if each.name.startswith(prefix)}


def _all_ended(convoy: Convoy) -> bool:
    return not any(each.open for each in convoy.all_sessions)
