"""A bare repository of our own beside the person's: what sessions borrow, and where merges are built."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from app.errors import RepositoryError
from app.ports import Step, unnumbered
from app.workspace.durable import locked
from app.workspace.git import DURABLE, Git, failure

__all__ = ["Mirror"]

# The person's repository was examined before; its owner is known and may differ from ours on purpose.
_UPLOAD = "git -c safe.directory=* upload-pack"


class Mirror:
    """`<state>/mirror.git`. It has its own objects and never borrows the person's, so that a sandbox that is
    shown it sees what the fetched refs reach and no stash, no reflog, no object that was thrown away.

    Two locks: `mirror.lock` serialises writers; `mirror.use` is shared by sessions and only `gc` wants it
    alone. A fetch adds objects and takes none away, so it need not wait for a session to end.
    """

    def __init__(self, state_dir: Path, source: Path, step: Step = unnumbered) -> None:
        self.state_dir = state_dir
        self.source = source
        self.repository = state_dir / "mirror.git"
        self.git = Git(state_dir, own=True, git_dir=self.repository, config=DURABLE)
        self._step = step
        self._present: set[str] = set()

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
            for key, value in (("gc.auto", "0"), ("core.logAllRefUpdates", "false")):
                plain.text("-C", str(fresh), "config", key, value)
            with self._step("mirror.create"):
                fresh.rename(self.repository)

    def fetch(self, commits: Iterable[str]) -> None:
        """Have these commits, which refs of the person's repository point to, and all they reach."""
        wanted = sorted({each for each in commits if each not in self._present})
        if not wanted:
            return
        self.ensure()
        with self.writing():
            missing = [each for each in wanted if not self._kept(each)]
            if missing:
                specs = "".join(f"+{each}:refs/brat/seen/{each}\n" for each in missing)
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
        if commit in self._present:
            return True
        if self.repository.is_dir() and self.git.holds("cat-file", "-e", f"{commit}^{{commit}}"):
            self._present.add(commit)
            return True
        return False

    def keep(self, ref: str, commit: str) -> None:
        """Point a ref of the mirror at a commit, so that gc never takes it."""
        with self._step("mirror.keep"):
            self.git.text("update-ref", ref, commit)

    def reads(self, ref: str) -> str | None:
        """What a ref of the mirror points to."""
        if not self.repository.is_dir():
            return None
        answer = self.git.run("rev-parse", "--quiet", "--verify", f"{ref}^{{commit}}")
        return answer.text if answer.ok else None

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One writer at a time."""
        with locked(self.state_dir / "mirror.lock"):
            yield

    @contextmanager
    def using(self) -> Iterator[int]:
        """Hold this while a workspace borrows objects; the descriptor may be handed to a child."""
        with locked(self.state_dir / "mirror.use", shared=True) as descriptor:
            yield descriptor

    def gc(self) -> bool:
        """Pack what is loose, unless a session uses the mirror now. Kept refs never lose their objects."""
        try:
            with locked(self.state_dir / "mirror.use", wait=False), self.writing(), self._step("mirror.gc"):
                self.git.text("gc", "--quiet", "--prune=2.weeks.ago")
        except BlockingIOError:
            return False
        return True

    def _kept(self, commit: str) -> bool:
        return self.reads(f"refs/brat/seen/{commit}") == commit

    def _fetch(self, place: Path, specs: str, *, effect: str) -> None:
        flags = ("--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance", "--stdin")
        with self._step(effect):
            answer = self.git.run(
                *("-c", "protocol.file.allow=always", "fetch", *flags, f"--upload-pack={_UPLOAD}"),
                os.fspath(place),
                stdin=specs.encode(),
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
