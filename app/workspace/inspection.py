"""The publisher's look at a bundle, in a throw-away repository that borrows from the mirror."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from app.errors import OperatorError
from app.ports import Inspection, Step, WorkKey, unnumbered
from app.workspace.bundle import BadBundle, BundleHeader, read_header
from app.workspace.contents import Look, examine_work, meaningful_blobs
from app.workspace.durable import disk_failure, locked, write_durably
from app.workspace.git import DURABLE, Git, Overflow, quoted_words
from app.workspace.mirror import Mirror, work_ref
from app.workspace.rules import Rules

__all__ = ["Inspector", "full_branch"]

# An odd mode is only an "info" to git, and its diff shows it as an ordinary one.
_STRICT = "--strict=badFilemode=error"


def full_branch(branch: str) -> str:
    """The ref of a branch, however it was named."""
    return branch if branch.startswith("refs/") else f"refs/heads/{branch}"


class _Stop(Exception):
    """The bundle is refused; nothing more is looked at. Not `final`: another look may say otherwise."""

    def __init__(self, problem: str, *, final: bool = True) -> None:
        super().__init__(problem)
        self.problem = problem
        self.final = final


class Inspector:
    """Looks at bundles and takes the objects of good ones into the mirror.

    Answers are kept in a file per bundle and rules; the files are only a cache. Raises `OperatorError`
    when this machine fails (disk full), never for anything a bundle contains.
    """

    def __init__(
        self,
        mirror: Mirror,
        bundle_path: Callable[[str], Path],
        rules: Rules,
        *,
        step: Step = unnumbered,
    ) -> None:
        self._mirror = mirror
        self._bundle_path = bundle_path
        self._rules = rules
        self._step = step
        self._known: dict[WorkKey, Inspection] = {}

    def protect(self, globs: tuple[str, ...]) -> None:
        """From now on these are the protected paths; what was found under others is looked at again."""
        if globs != self._rules.protected:
            self._rules = dataclasses.replace(self._rules, protected=globs)
            self._known.clear()

    def inspect(self, key: WorkKey) -> Inspection:
        """Bounded in time; `problems` says in words why a bundle is refused."""
        found = self._known.get(key) or self._remembered(key)
        if found is None:
            self._mirror.ensure()
            with locked(self._mirror.state_dir / "inspect.lock"):
                return self._remembered(key) or self._look_and_remember(key)
        self._known[key] = found
        return found

    def _look_and_remember(self, key: WorkKey) -> Inspection:
        try:
            found = self._look(key)
        except _Stop as stop:
            found = Inspection(key.head, problems=(stop.problem,))
            if not stop.final:
                return found
        self._remember(key, found)
        self._known[key] = found
        return found

    def _look(self, key: WorkKey) -> Inspection:
        bundle = self._bundle_path(key.session)
        with self._scratch(bundle) as folder:
            try:
                header = self._checked_header(bundle, key)
                place = folder / "throwaway.git"
                git = self._throwaway(place)
                self._unpack(git, bundle, header, base=key.base)
                look = examine_work(git, key.base, key.head, rules=self._rules)
            except BadBundle as bad:
                raise _Stop(str(bad)) from bad
            except Overflow as over:
                raise _Stop(f"looking at the bundle was given up: {over}", final=False) from over
            except OSError as error:
                raise disk_failure(error, bundle) from error
            if not look.problems:
                self._mirror.take(place, key.head, work_ref(key.session))
            return _inspection(key.head, look, self._rules)

    @contextmanager
    def _scratch(self, bundle: Path) -> Iterator[Path]:
        """One folder for all looks, under `inspect.lock`: what a killed one left is removed by the next."""
        folder = self._mirror.state_dir / "inspect"
        shutil.rmtree(folder, ignore_errors=True)
        try:
            folder.mkdir()
        except OSError as error:
            raise disk_failure(error, bundle) from error
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _checked_header(self, bundle: Path, key: WorkKey) -> BundleHeader:
        if not bundle.is_file():
            raise _Stop("the session left no bundle", final=False)
        size = bundle.stat().st_size
        if size > self._rules.bundle_bytes:
            raise _Stop(f"the bundle has {size} bytes, {self._rules.bundle_bytes} are allowed")
        with bundle.open("rb") as file:
            header = read_header(file)
        self._expect_ref(header, key)
        if header.objects > self._rules.objects:
            raise _Stop(f"the bundle has {header.objects} objects, {self._rules.objects} are allowed")
        for each in (key.base, *header.prerequisites):
            if not self._mirror.has(each):
                raise _Stop(f"the bundle builds on {each[:12]}, which is not known here", final=False)
        return header

    def _expect_ref(self, header: BundleHeader, key: WorkKey) -> None:
        if len(header.refs) != 1:
            raise _Stop(f"the bundle has {len(header.refs)} refs, exactly one is allowed")
        ((name, tip),) = header.refs
        if name != full_branch(key.branch):
            raise _Stop(f"the bundle's ref is {name[:200]!r}, expected {full_branch(key.branch)!r}")
        if tip != key.head:
            raise _Stop(f"the bundle's head is {tip[:12]}, the session said {key.head[:12]}")

    def _throwaway(self, place: Path) -> Git:
        import pygit2

        pygit2.init_repository(str(place), bare=True)
        borrowed = self._mirror.repository / "objects"
        (place / "objects/info/alternates").write_text(f"{borrowed}\n")
        # Larger blobs are streamed, so that a blob of zeros does not fill the memory.
        big = f"core.bigFileThreshold={self._rules.blob_bytes}"
        rules = self._rules
        return Git(
            place.parent,
            own=True,
            git_dir=place,
            config=(*DURABLE, big),
            timeout=rules.seconds,
            memory=rules.memory_bytes,
        )

    def _unpack(self, git: Git, bundle: Path, header: BundleHeader, *, base: str) -> None:
        # git also checks what new trees name: what is odd in the base already is not this work's fault.
        known = git.place / "known"
        known.write_text("".join(f"{blob}\n" for blob in meaningful_blobs(git, base)))
        with bundle.open("rb", buffering=0) as file:
            file.seek(header.offset)
            # By its name alone, as git runs beside it: a path with a comma or a blank would be cut there.
            strict = f"{_STRICT},skiplist={known.name}"
            limit = f"--max-input-size={self._rules.bundle_bytes}"
            answer = git.feed(file.fileno(), "index-pack", "--stdin", "--fix-thin", strict, limit)
        if "No space left" in answer.err:
            raise OperatorError("the disk is full", place=str(git.place), remedy="free space, then run again")
        if not answer.ok:
            raise _Stop(f"git refuses the bundle's objects: {quoted_words(answer.err)}")

    def _file(self, key: WorkKey) -> Path:
        told = json.dumps([dataclasses.astuple(key), dataclasses.astuple(self._rules)])
        return (
            self._mirror.state_dir / "inspections" / f"{hashlib.sha256(told.encode()).hexdigest()[:40]}.json"
        )

    def _remembered(self, key: WorkKey) -> Inspection | None:
        try:
            kept = json.loads(self._file(key).read_bytes())
            lists = {each: tuple(kept[each]) for each in ("touched", "protected", "problems")}
            found = Inspection(key.head, **lists, commits=int(kept["commits"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None
        if not found.problems and self._mirror.reads(work_ref(key.session)) != key.head:
            return None
        return found

    def _remember(self, key: WorkKey, found: Inspection) -> None:
        file = self._file(key)
        file.parent.mkdir(parents=True, exist_ok=True)
        with self._step("publish.inspected"):
            write_durably(file, json.dumps(dataclasses.asdict(found)).encode())


def _inspection(head: str, look: Look, rules: Rules) -> Inspection:
    names = rules.protected_among(look.ever_touched)
    return Inspection(head, look.touched, names, look.problems, look.commits)
