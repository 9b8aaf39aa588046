"""A bare repository beside the one on a host: branches as they are there, and pushes that go there first."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.errors import Later, Moved, OperatorError
from app.grite import SNAPSHOTS, WAL
from app.ports import Clock, Done, Outcome, RefMove, Refused, Step, unnumbered, wall_clock
from app.workspace.durable import locked
from app.workspace.git import CLONE_S, DURABLE, Git, clear_half_packs
from app.workspace.host_push import HostPush
from app.workspace.host_snapshots import push_snapshots
from app.workspace.packing import pack
from app.workspace.refusals import STALE
from app.workspace.upstream import FETCH_S, Upstream, UpstreamGit

if TYPE_CHECKING:
    from pygit2 import Repository

__all__ = ["Replica"]

_HEADS = "refs/heads/"
_LOCKS = "refs/grite/locks/"
_SEEN = "refs/brat/upstream/"
_OURS = (_HEADS, _LOCKS, _SEEN)
_SEEN_LOG = f"{_SEEN}wal"
"""Where the host's log was when it was last looked at or pushed."""
_FETCH = ("--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance", "--refmap=", "--stdin")


class Replica:
    """`<repository>`, and in its folder `brat` our state. One writer at a time, among processes too.

    Branches and locks are moved here to where the host has them. The log is only fetched, under a name of
    ours: who keeps it unites it. Its snapshots are made here and never fetched. A push is one atomic command
    with the old value of each ref as its lease.
    """

    def __init__(
        self, repository: Path, upstream: Upstream, *, clock: Clock = wall_clock, step: Step = unnumbered
    ) -> None:
        self.repository = repository
        self._step, self._clock = step, clock
        self._git = Git(repository, own=True, git_dir=repository, config=DURABLE)
        # A session's work lies in the mirror, and need not be copied here to be pushed.
        self._lent = repository / "brat" / "mirror.git" / "objects"
        self._there = UpstreamGit(repository, upstream, clock, objects=self._lent)
        self._host = HostPush(self._there, step)
        self._snapshots: dict[str, str] = {}
        self._opened: Repository | None = None

    @property
    def cloned(self) -> bool:
        """Whether anything was fetched; the first time it is all of the history."""
        return self.repository.is_dir() and bool(self._here())

    def ensure(self) -> None:
        """Make it unless it is there; a half-made one has another name."""
        if self.repository.is_dir():
            return
        with locked(self.repository.with_suffix(".making")):
            if self.repository.is_dir():
                return
            fresh = self.repository.with_suffix(".new")
            shutil.rmtree(fresh, ignore_errors=True)
            plain = Git(self.repository.parent, own=True)
            plain.text("init", "--quiet", "--bare", "--template=", str(fresh))
            for key, value in (("gc.auto", "0"), ("core.logAllRefUpdates", "always")):
                plain.text("-C", str(fresh), "config", key, value)
            with self._step("replica.create"):
                fresh.rename(self.repository)

    def refresh(self) -> str | None:
        """Branches and locks as on the host; the head of its log, whose objects are here then.

        Nothing is fetched where nothing has moved. Raises Later and OperatorError.
        """
        self.ensure()
        with self._writing():
            there, here = self._listed(), self._here()
            wanted = {_kept_as(ref): commit for ref, commit in there.items()}
            # First what is gone: a branch `a` would be in the way of a new branch `a/b`.
            self._forget({name: commit for name, commit in here.items() if name not in wanted})
            moved = tuple(ref for ref, commit in there.items() if here.get(_kept_as(ref)) != commit)
            self._fetch(moved, patience_s=FETCH_S if here else CLONE_S)
            return (self._here() if moved else wanted).get(_SEEN_LOG)

    def push(self, moves: tuple[RefMove, ...]) -> Outcome:
        """Move refs on the host, all or none. `Refused` in its words, `Unknown` where it cannot be told."""
        if not moves:
            return Done()
        with self._writing():
            due = tuple(self._leased(move) for move in moves)
            for move in due:
                if move.old is not None and not move.force and not self._contains(move.new, move.old):
                    return Refused(f"{move.ref} {STALE}: {move.new[:12]} does not contain {move.old[:12]}")
            outcome = self._host.push(due)
            if isinstance(outcome, Done):
                self._remember(due)
            return outcome

    def publish(self, new: str) -> None:
        """The log's new head to the host, where it must be what was seen there last.

        Raises Moved when it is not, Later and OperatorError when it cannot be pushed.
        """
        self.ensure()
        with self._writing():
            move = RefMove(WAL, self._here().get(_SEEN_LOG), new)
            if move.old == new:
                return
            if move.old is not None and not self._contains(new, move.old):
                raise Moved("the host's log has what is not here", place=WAL, remedy="fetch, decide again")
            outcome = self._host.push((move,))
            if isinstance(outcome, Done):
                self._remember((move,))
                return
        if not isinstance(outcome, Refused):
            again = self._clock() + 5000
            raise Later(f"not known whether it was pushed: {outcome.reason}", retry_at=again, place=WAL)
        if STALE in outcome.reason or "moved meanwhile" in outcome.reason:
            raise Moved(outcome.reason, place=WAL, remedy="fetch, decide again")
        raise OperatorError(outcome.reason, place=WAL, remedy=outcome.remedy or None)

    def share_snapshots(self) -> Outcome:
        """The log's snapshots as they are here to the host, where the last `refresh` found others."""
        here = self._refs(SNAPSHOTS)
        outcome = push_snapshots(self._there, here, self._snapshots, step=self._step)
        if isinstance(outcome, Done):
            self._snapshots = here
        return outcome

    def _leased(self, move: RefMove) -> RefMove:
        """The host's log may be set back: then what was seen there is the lease, and the push mends it."""
        seen = self._here().get(_SEEN_LOG) if move.ref == WAL else None
        return move if seen is None or not self._contains(move.new, seen) else replace(move, old=seen)

    def _contains(self, new: str, old: str) -> bool:
        lent = {"GIT_ALTERNATE_OBJECT_DIRECTORIES": str(self._lent)} if self._lent.is_dir() else {}
        return self._git.run("merge-base", "--is-ancestor", old, new, variables=lent).ok

    def _listed(self) -> dict[str, str]:
        """The host's branches, log and locks; its default branch becomes ours."""
        there, snapshots = dict[str, str](), dict[str, str]()
        asked = ("HEAD", f"{_HEADS}*", WAL, f"{_LOCKS}*", f"{SNAPSHOTS}*")
        told = self._there.text("ls-remote", "--symref", "--", self._there.address, *asked)
        for line in told.splitlines():
            what, _, ref = line.partition("\t")
            if what.startswith("ref: "):
                self._follow(what.removeprefix("ref: "))
            elif ref.startswith((_HEADS, _LOCKS)) or ref == WAL:
                there[ref] = what
            elif ref.startswith(SNAPSHOTS):
                snapshots[ref] = what
        self._snapshots = snapshots
        return there

    def _follow(self, default: str) -> None:
        head = self._store().references.get("HEAD")
        if default.startswith(_HEADS) and (head is None or head.target != default):
            with self._step("replica.default"):
                self._git.text("symbolic-ref", "HEAD", default)

    def _here(self) -> dict[str, str]:
        return self._refs(*_OURS)

    def _refs(self, *folders: str) -> dict[str, str]:
        found = (each for each in self._store().references.iterator() if each.name.startswith(folders))
        return {each.name: str(each.target) for each in found}

    def _store(self) -> Repository:
        """Read in this process, as every pass does; it sees at once what git writes."""
        if self._opened is None:
            import pygit2

            self._opened = pygit2.Repository(str(self.repository))
        return self._opened

    def _fetch(self, refs: tuple[str, ...], *, patience_s: float) -> None:
        specs = "".join(f"+{ref}:{_kept_as(ref)}\n" for ref in refs)
        if specs:
            clear_half_packs(self.repository)
            words = ("fetch", *_FETCH, "--", self._there.address)
            with self._step("replica.fetch"):
                self._there.text(*words, stdin=specs.encode(), patience_s=patience_s)

    def _forget(self, gone: dict[str, str]) -> None:
        if gone:
            orders = "".join(f"delete {name} {commit}\n" for name, commit in gone.items())
            with self._step("replica.forget"):
                self._git.text("update-ref", "--stdin", stdin=orders.encode())

    def _remember(self, moves: Iterable[RefMove]) -> None:
        for move in moves:
            if move.ref == WAL:
                with self._step("replica.seen"):
                    self._git.text("update-ref", _SEEN_LOG, move.new)

    def pack(self) -> None:
        """Pack once much is loose: the log alone leaves some objects with each look that says something.

        Raises OperatorError.
        """
        with self._writing(), self._step("replica.gc"):
            pack(self._git, refs_stay=True)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with locked(self.repository / "brat" / "replica.lock"):
            yield


def _kept_as(ref: str) -> str:
    return _SEEN_LOG if ref == WAL else ref
