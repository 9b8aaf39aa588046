"""A bare repository as the host sees it: merges and differences by the git binary, the rest by libgit2."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pygit2
from pygit2.enums import SortMode

__all__ = ["BareGit", "CommitSeen", "FileChange", "GitFailed"]

_HERE = {
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
_CONFIG = """[core]
	repositoryformatversion = 0
	bare = true
[http]
	receivepack = true
[receive]
	hideRefs = refs/pull
	autogc = false
[gc]
	auto = 0
"""
_STATUS = {"A": "added", "D": "removed", "M": "modified", "T": "changed", "R": "renamed"}


class GitFailed(Exception):
    """Git said no; the text is its own."""


@dataclass(frozen=True, slots=True)
class CommitSeen:
    """A commit, read once: it never changes."""

    sha: str
    tree: str
    parents: tuple[str, ...]
    author: tuple[str, str, str]
    committer: tuple[str, str, str]
    message: str


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file between two commits."""

    path: str
    status: str
    additions: int
    deletions: int
    sha: str
    patch: str = ""


@dataclass(slots=True)
class BareGit:
    """`path` is the bare repository."""

    path: Path
    _commits: dict[str, CommitSeen] = field(default_factory=dict)
    _opened: pygit2.Repository | None = None
    _changes: dict[tuple[str, str], tuple[FileChange, ...]] = field(default_factory=dict)
    _merged: dict[tuple[str, str], str | None] = field(default_factory=dict)

    def create(self, branch: str) -> None:
        """An empty repository whose HEAD names `branch`."""
        self.path.mkdir(parents=True)
        self.run("init", "-q", "--bare", "--template=", "-b", branch)
        (self.path / "config").write_text(_CONFIG)

    @property
    def _store(self) -> pygit2.Repository:
        if self._opened is None:
            self._opened = pygit2.Repository(str(self.path))
        return self._opened

    def run(self, *words: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> str:
        """Standard output as text. Raises GitFailed."""
        return self.raw(*words, stdin=stdin, env=env).decode("utf-8", "replace").rstrip("\n")

    def raw(self, *words: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> bytes:
        """Standard output as it is. Raises GitFailed."""
        done = subprocess.run(
            ["git", *words], cwd=self.path, input=stdin, capture_output=True, check=False,
            env={"PATH": os.environ["PATH"], **_HERE, **(env or {})},
        )  # fmt: skip
        if done.returncode:
            raise GitFailed(f"git {' '.join(words)}: {done.stdout.decode()}{done.stderr.decode()}")
        return done.stdout

    def refs(self) -> dict[str, str]:
        """Every ref and its object."""
        return {each.name: str(each.target) for each in self._store.references.iterator()}

    def update(self, ref: str, new: str | None, *, old: str | None = None) -> None:
        """Sets or deletes a ref; `old` guards it. Raises GitFailed."""
        words = [ref, new] if new else ["-d", ref]
        self.run("update-ref", *words, *([old] if old else []))

    def has(self, sha: str) -> bool:
        """Whether it is a commit that is here."""
        return isinstance(self._store.get(sha), pygit2.Commit)

    def commit(self, sha: str) -> CommitSeen:
        """Raises GitFailed where it is missing."""
        if sha not in self._commits:
            found = self._peeled(sha)
            parents = tuple(str(each) for each in found.parent_ids)
            people = _person(found.author), _person(found.committer)
            text = found.message.rstrip("\n")
            self._commits[sha] = CommitSeen(sha, str(found.tree_id), parents, *people, text)
        return self._commits[sha]

    def commits_between(self, base: str, head: str) -> list[str]:
        """What `head` has and `base` lacks, oldest first."""
        walk = self._store.walk(self._id(head), SortMode.TOPOLOGICAL | SortMode.REVERSE)
        walk.hide(self._id(base))
        return [str(each.id) for each in walk]

    def holds(self, head: str, ancestor: str) -> bool:
        """Whether `ancestor` is in the history of `head`; no, where one of them is missing."""
        try:
            there, here = self._id(head), self._id(ancestor)
        except GitFailed:
            return False
        return here == there or self._store.descendant_of(there, here)

    def merge_base(self, one: str, other: str) -> str | None:
        """None where they have nothing in common, or one of them is missing."""
        try:
            found = self._store.merge_base(self._id(one), self._id(other))
        except GitFailed:
            return None
        return str(found) if found else None

    def _id(self, sha: str) -> pygit2.Oid:
        return self._peeled(sha).id

    def _peeled(self, sha: str) -> pygit2.Commit:
        try:
            return self._store[sha].peel(pygit2.Commit)
        except (KeyError, ValueError, pygit2.GitError) as missing:
            raise GitFailed(f"{sha} is no commit") from missing

    def changes(self, base: str, head: str) -> tuple[FileChange, ...]:
        """Files that differ between two commits or trees."""
        if (base, head) not in self._changes:
            self._changes[base, head] = tuple(self._read_changes(base, head))
        return self._changes[base, head]

    def _read_changes(self, base: str, head: str) -> list[FileChange]:
        raw = self.run("diff", "--raw", "--abbrev=40", "--no-renames", "-z", base, head).split("\0")
        numbers = self.run("diff", "--numstat", "--no-renames", "-z", base, head).split("\0")
        counted = {path: (plus, minus) for plus, minus, path in (n.split("\t", 2) for n in numbers if n)}
        found = []
        for meta, path in zip(raw[::2], raw[1::2], strict=False):
            fields = meta.split()
            plus, minus = (int(each) if each.isdigit() else 0 for each in counted[path])
            sha = fields[2] if fields[4] == "D" else fields[3]
            found.append(FileChange(path, _STATUS[fields[4][0]], plus, minus, sha))
        return found

    def merge_tree(self, ours: str, theirs: str) -> str | None:
        """The merged tree, or None on a conflict."""
        if (ours, theirs) not in self._merged:
            told: str | None = None
            with suppress(GitFailed):
                told = self.run("merge-tree", "--write-tree", ours, theirs).splitlines()[0]
            self._merged[ours, theirs] = told
        return self._merged[ours, theirs]

    def write_commit(
        self, tree: str, parents: tuple[str, ...], message: str, *, people: Mapping[str, str]
    ) -> str:
        """A new commit; `people` are git's author, committer and date variables."""
        words = [word for parent in parents for word in ("-p", parent)]
        return self.run("commit-tree", tree, *words, stdin=message.encode(), env=people)

    def write_tree(self, base: str | None, files: Mapping[str, str | bytes | None]) -> str:
        """A tree: that of `base` with these files set, or removed (None)."""
        index = pygit2.Index()
        if base:
            index.read_tree(self._store[base].peel(pygit2.Tree))
        for path, text in files.items():
            if text is None:
                index.remove(path)
            else:
                blob = self._store.create_blob(_bytes(text))
                index.add(pygit2.IndexEntry(path, blob, pygit2.enums.FileMode.BLOB))
        return str(index.write_tree(self._store))

    def entries(self, tree: str, *, recursive: bool = False) -> list[tuple[str, str, str, int, str]]:
        """Mode, type, id, size and path of what is in a tree."""
        lines = self.run("ls-tree", "-z", "-l", *(["-r", "-t"] if recursive else []), tree).split("\0")
        made = []
        for line in lines:
            if line:
                meta, path = line.split("\t", 1)
                mode, kind, sha, size = meta.split()
                made.append((mode, kind, sha, int(size) if size.isdigit() else 0, path))
        return made

    def text(self, commit: str, path: str) -> str | None:
        """A file at a commit; None where there is none."""
        try:
            return self.raw("cat-file", "blob", f"{commit}:{path}").decode("utf-8", "replace")
        except GitFailed:
            return None


def _bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


def _person(seen: pygit2.Signature) -> tuple[str, str, str]:
    zone = timezone(timedelta(minutes=seen.offset))
    return seen.name, seen.email, datetime.fromtimestamp(seen.time, zone).isoformat()
