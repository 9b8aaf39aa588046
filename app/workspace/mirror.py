"""A bare repository of our own beside the person's: what sessions borrow, and where merges are built."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.errors import RepositoryError
from app.ports import Step, unnumbered
from app.workspace.durable import locked
from app.workspace.git import CLONE_S, DURABLE, Git, clear_half_packs, failure
from app.workspace.packing import in_time, pack

if TYPE_CHECKING:
    from pygit2 import Repository

__all__ = ["CANDIDATES", "Mirror", "work_ref"]

# The person's repository was examined before; its owner is known and may differ from ours on purpose.
_UPLOAD = "git -c safe.directory=* upload-pack"
_SEEN = "refs/brat/seen/"
CANDIDATES = "refs/brat/candidates/"
"""Merges that were built; each can be built again."""
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,127}")


def work_ref(session: str) -> str:
    """Where the mirror keeps a session's accepted work."""
    name = session if _PLAIN.fullmatch(session) else hashlib.sha256(session.encode()).hexdigest()
    return f"refs/brat/work/{name}"


class Mirror:
    """`<state>/mirror.git`. It has its own objects and never borrows the person's, so that a sandbox that is
    shown it sees what the fetched refs reach and no stash, no reflog, no object that was thrown away.

    Two locks: `mirror.lock` serialises writers; `mirror.use` is shared by sessions and only `gc` wants it
    alone. A fetch adds objects and takes none away, so it need not wait for a session to end. Whatever was
    known to be here is asked again once `mirror.use` shows that some process has packed.
    """

    def __init__(self, state_dir: Path, source: Path, step: Step = unnumbered) -> None:
        self.state_dir = state_dir
        self.source = source
        self.repository = state_dir / "mirror.git"
        self.git = Git(state_dir, own=True, git_dir=self.repository, config=DURABLE)
        self._step = step
        self._present: set[str] = set()
        self._packed = 0
        self._opened: Repository | None = None

    @property
    def use(self) -> Path:
        """Each session's runner holds it locked, shared; it finds it beside the repository, by this name."""
        return self.state_dir / "mirror.use"

    def ensure(self) -> None:
        """Create it unless it is there. A half-made one is under another name and is made again."""
        if self.repository.is_dir():
            return
        self.state_dir.mkdir(parents=True, exist_ok=True)
        with self.writing():
            if self.repository.is_dir():
                return
            fresh = self.state_dir / "mirror.new"
            shutil.rmtree(fresh, ignore_errors=True)
            plain = Git(self.state_dir, own=True)
            plain.text("init", "--quiet", "--bare", "--template=", str(fresh))
            with (fresh / "config").open("a") as config:
                config.write("[gc]\n\tauto = 0\n[core]\n\tlogAllRefUpdates = false\n")
            with self._step("mirror.create"):
                fresh.rename(self.repository)

    def fetch(self, commits: Iterable[str]) -> None:
        """Have these commits, which refs of the person's repository point to, and all they reach."""
        self._doubt()
        wanted = sorted({each for each in commits if each not in self._present})
        if not wanted:
            return
        self.ensure()
        with self.writing():
            missing = [each for each in wanted if not self._kept(each)]
            if missing:
                specs = "".join(f"+{each}:{_SEEN}{each}\n" for each in missing)
                self._fetch(self.source, specs, effect="mirror.fetch")
        self._present.update(wanted)

    def take(self, repository: Path, commit: str, ref: str) -> None:
        """Have `commit` of another repository of ours, and keep it under `ref`."""
        self.ensure()
        with self.writing():
            self._fetch(repository, f"+{commit}:{ref}\n", effect="publish.keep")
        self._present.add(commit)

    def has(self, commit: str) -> bool:
        """Whether the commit is here."""
        self._doubt()
        if commit in self._present:
            return True
        if self.repository.is_dir() and commit in self.objects:
            self._present.add(commit)
            return True
        return False

    @property
    def objects(self) -> Repository:
        """To read in this process what is in the mirror, all of which was inspected or made by us."""
        if self._opened is None:
            import pygit2

            self._opened = pygit2.Repository(str(self.repository))
        return self._opened

    def contains(self, commit: str, earlier: str) -> bool:
        """Whether the history of a commit, which is here, has the earlier one."""
        return commit == earlier or (earlier in self.objects and self.objects.descendant_of(commit, earlier))

    def keep(self, ref: str, commit: str) -> None:
        """Point a ref of the mirror at a commit that was made here, so that gc never takes it."""
        with self._step("mirror.keep"):
            self.git.text("update-ref", ref, commit)
        self._present.add(commit)

    def reads(self, ref: str) -> str | None:
        """What a ref of the mirror points to."""
        if not self.repository.is_dir():
            return None
        found = self.objects.references.get(ref)
        return str(found.target) if found is not None and found.target in self.objects else None

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One writer at a time."""
        with locked(self.state_dir / "mirror.lock"):
            yield

    @contextmanager
    def using(self) -> Iterator[int]:
        """Hold this while a workspace borrows objects; the descriptor may be handed to a child."""
        with locked(self.use, shared=True) as descriptor:
            yield descriptor

    def gc(self, *, over: Iterable[str], keep: Iterable[str]) -> bool:
        """Pack once much is loose. Before that, forget the work of the sessions in `over`, every merge that
        was built, and every commit of the person's but those in `keep`.

        False, and nothing done, while any session uses the mirror. Objects stay for two weeks after the
        last ref to them, so that a commit which another process is just about to name is still there.
        """
        if not self.repository.is_dir():
            return True
        try:
            with locked(self.use, wait=False), self.writing():
                self._forget({work_ref(each) for each in over}, {_SEEN + each for each in keep})
                with self._step("mirror.gc"):
                    pack(self.git)
                os.utime(self.use)
        except BlockingIOError:
            return False
        return True

    def _forget(self, over: set[str], keep: set[str]) -> None:
        there = self.git.text("for-each-ref", "--format=%(refname)", "refs/brat/").splitlines()
        gone = [
            ref for ref in there if ref in over or (ref.startswith((_SEEN, CANDIDATES)) and ref not in keep)
        ]
        if gone:
            with self._step("mirror.forget"):
                orders = "".join(f"delete {ref}\n" for ref in gone)
                self.git.text("update-ref", "--stdin", stdin=orders.encode())

    def _doubt(self) -> None:
        try:
            packed = self.use.stat().st_mtime_ns
        except FileNotFoundError:
            return
        if packed != self._packed:
            self._packed = packed
            self._present.clear()
            self._opened = None

    def _kept(self, commit: str) -> bool:
        return self.reads(f"{_SEEN}{commit}") == commit

    def _fetch(self, place: Path, specs: str, *, effect: str) -> None:
        flags = ("--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance", "--stdin")
        first = next(iter(self.objects.references), None) is None
        allowed = (*DURABLE, "protocol.file.allow=always")
        git = replace(self.git, config=allowed, timeout=CLONE_S if first else self.git.timeout)
        clear_half_packs(self.repository)
        with self._step(effect), in_time(place):
            answer = git.run(
                "fetch", *flags, f"--upload-pack={_UPLOAD}", os.fspath(place), stdin=specs.encode()
            )
        if answer.ok:
            return
        if "not our ref" in answer.err or "bad object" in answer.err:
            raise RepositoryError(
                f"a branch points at a commit that is not there: {answer.err.strip()[:300]}",
                place=str(place),
                remedy="git fsck",
            )
        raise failure(answer, place=str(place), doing="fetch")
