"""The repository as objects and refs: what the log needs of libgit2, made durable.

Nothing flushes loose objects by default, so whoever moves a ref calls `flush` before and `settle_ref` after.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from app.errors import Moved, OperatorError, RepositoryError
from app.values import dataclass

if TYPE_CHECKING:
    import pygit2

__all__ = ["CommitObject", "NewCommit", "Store"]

_BLOB = 0o100644
_TREE = 0o040000


@dataclass(frozen=True, slots=True)
class CommitObject:
    """A commit as read."""

    id: str
    tree: str
    parents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NewCommit:
    """A commit to write: paths and bytes, its parent or none, time in seconds."""

    files: Mapping[str, bytes]
    message: str
    at: int
    parent: str | None = None


class Store:
    """One repository, by its common git directory."""

    def __init__(self, git_dir: Path) -> None:
        import pygit2

        self.git_dir = git_dir
        try:
            self._repo = pygit2.Repository(str(git_dir))
        except (pygit2.GitError, ValueError) as reason:
            raise RepositoryError(
                f"cannot be opened: {reason}",
                place=str(git_dir),
                remedy="check the path, its owner and format",
            ) from reason
        self._repo.set_ident("grite", "grit@local")

    def ref(self, name: str) -> str | None:
        """Where a ref points, None when there is none."""
        import pygit2

        try:
            found = self._repo.references.get(name)
        except pygit2.GitError as reason:
            raise RepositoryError(
                f"unreadable: {reason}", place=name, remedy=f"look at {self.git_dir / name} and its reflog"
            ) from reason
        return None if found is None else str(found.target)

    def refs(self, prefix: str) -> dict[str, str]:
        """All refs below a prefix that ends in a slash."""
        names = [name for name in self._repo.references if name.startswith(prefix)]
        return {name: target for name in names if (target := self.ref(name)) is not None}

    def has(self, commit: str) -> bool:
        """Whether the object is here."""
        return commit in self._repo

    def commit(self, commit: str) -> CommitObject:
        """Tree and parents. Raises RepositoryError when the object is missing."""
        tree, parents = "", []
        for line in self._read(commit).split(b"\n"):
            if line.startswith(b"tree "):
                tree = line[5:].decode()
            elif line.startswith(b"parent "):
                parents.append(line[7:].decode())
            else:
                break
        return CommitObject(commit, tree, tuple(parents))

    def files(self, tree: str, prefix: str = "") -> Iterator[tuple[str, str]]:
        """Path and blob id of each file below a tree, in git's order."""
        data, at = self._read(tree), 0
        while at < len(data):
            space, end = data.index(b" ", at), data.index(b"\0", at)
            name = prefix + data[space + 1 : end].decode("utf-8", "replace")
            identity = data[end + 1 : end + 21].hex()
            if int(data[at:space], 8) == _TREE:
                yield from self.files(identity, f"{name}/")
            else:
                yield name, identity
            at = end + 21

    def blob(self, identity: str) -> bytes:
        """The bytes of a blob. Raises RepositoryError when it is missing."""
        return self._read(identity)

    def descends(self, commit: str, ancestor: str) -> bool:
        """Whether `ancestor` is `commit` or one of its ancestors."""
        return commit == ancestor or bool(self._repo.descendant_of(_oid(commit), _oid(ancestor)))

    def merge_base(self, one: str, other: str) -> str | None:
        """The newest common ancestor, None when the histories have nothing in common."""
        base: pygit2.Oid | None = self._repo.merge_base(_oid(one), _oid(other))
        return None if base is None else str(base)

    def write(self, new: NewCommit) -> str:
        """Writes the commit's objects; they are not flushed, and no ref moves."""
        import pygit2

        with self._writing("objects"):
            who = pygit2.Signature("grite", "grit@local", new.at, 0)
            parents = [] if new.parent is None else [_oid(new.parent)]
            tree = self._write_tree({tuple(path.split("/")): data for path, data in new.files.items()})
            return str(self._repo.create_commit(None, who, who, new.message, tree, parents))

    def flush(self) -> None:
        """Everything written so far is on the disk when this returns."""
        with self._writing("objects"):
            _syncfs(self.git_dir)

    def swap(self, name: str, new: str, old: str) -> None:
        """Moves an existing ref from `old` to `new`. Raises Moved when it is elsewhere or locked."""
        import pygit2

        found = self._repo.references.get(name)
        if found is None or str(found.target) != old:
            raise Moved("the ref is elsewhere by now", place=name, remedy="read the log again")
        try:
            found.set_target(_oid(new), "grite: append")
        except (pygit2.GitError, ValueError, OSError) as reason:
            if self.ref(name) == old and not (self.git_dir / f"{name}.lock").exists():
                raise _disk(reason, name) from reason
            raise Moved(f"not moved: {reason}", place=name, remedy="read the log again") from reason

    def put_ref(self, name: str, target: str) -> None:
        """Sets a ref that only holders of the log's lock write."""
        with self._writing(name):
            self._repo.references.create(name, _oid(target), force=True)

    def drop_ref(self, name: str) -> None:
        """Deletes a ref; one that is gone is fine."""
        with self._writing(name):
            if name in self._repo.references:
                self._repo.references.delete(name)

    def settle_ref(self, name: str) -> None:
        """The ref file and its directory are on the disk when this returns."""
        file = self.git_dir / name
        for path in (file, file.parent):
            if path.exists():
                _fsync(path)

    def _write_tree(self, files: Mapping[tuple[str, ...], bytes]) -> pygit2.Oid:
        builder = self._repo.TreeBuilder()
        folders: dict[str, dict[tuple[str, ...], bytes]] = {}
        for path, data in files.items():
            if len(path) == 1:
                builder.insert(path[0], self._repo.create_blob(data), _BLOB)
            else:
                folders.setdefault(path[0], {})[path[1:]] = data
        for name, inside in folders.items():
            builder.insert(name, self._write_tree(inside), _TREE)
        return builder.write()

    def _read(self, identity: str) -> bytes:
        import pygit2

        try:
            return self._repo.read(identity)[1]
        except (KeyError, ValueError, pygit2.GitError) as reason:
            raise RepositoryError(
                f"object {identity[:12]} is missing or damaged",
                place=str(self.git_dir),
                remedy="fetch the log again, or restore the repository; `git fsck` tells more",
            ) from reason

    @contextmanager
    def _writing(self, what: str) -> Iterator[None]:
        import pygit2

        try:
            yield
        except (pygit2.GitError, OSError) as reason:
            raise _disk(reason, what) from reason


def _disk(reason: Exception, what: str) -> OperatorError:
    return OperatorError(f"not written: {reason}", place=what, remedy="check disk space and permissions")


def _oid(text: str) -> pygit2.Oid:
    import pygit2

    return pygit2.Oid(hex=text)


def _fsync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _syncfs(path: Path) -> None:
    """One flush of the file system that holds `path`; everything, where the system has no such call."""
    call = getattr(ctypes.CDLL(None, use_errno=True), "syncfs", None)
    if call is None:
        os.sync()
        return
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        if call(handle) != 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))
    finally:
        os.close(handle)
