"""Files and ancestry that are read from the replica's objects instead of from GitHub."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, TypeVar

from git import Blob, Repo
from git import Tree as GitTree
from git.exc import GitCommandError, ODBError

from app.ports import WorkflowFile

__all__ = ["ReplicaTree", "Tree"]

_WORKFLOWS = ".github/workflows"
_OWNERS = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS")
"""GitHub takes the first of them: https://docs.github.com/articles/about-code-owners"""


_NOT_HERE = (ODBError, GitCommandError, ValueError)
_KEPT = 64
Found = TypeVar("Found")


class Tree(Protocol):
    """What is asked about commits; None where the commit is not here."""

    def workflows(self, commit: str) -> tuple[WorkflowFile, ...] | None:
        """The workflow files of a commit."""
        ...

    def owners(self, commit: str) -> str | None:
        """The text of CODEOWNERS, empty without such a file."""
        ...

    def behind(self, branch: str, head: str) -> bool | None:
        """Whether the branch has commits that the head lacks."""
        ...


class ReplicaTree:
    """Reads the replica, a bare repository of ours. What a commit holds never changes, so it is read once."""

    def __init__(self, git_dir: Path) -> None:
        self._git_dir = git_dir
        self._workflows: dict[str, tuple[WorkflowFile, ...]] = {}
        self._owners: dict[str, str] = {}

    def workflows(self, commit: str) -> tuple[WorkflowFile, ...] | None:
        """See `Tree`. Links and folders among them are not followed, as GitHub does not."""
        return self._once(self._workflows, commit, _workflows)

    def owners(self, commit: str) -> str | None:
        """See `Tree`."""
        return self._once(self._owners, commit, _owners)

    def behind(self, branch: str, head: str) -> bool | None:
        """See `Tree`."""
        with Repo(self._git_dir) as repo:
            try:
                base = repo.commit(f"refs/heads/{branch}")
                return base.hexsha != head and not repo.is_ancestor(base, repo.commit(head))
            except _NOT_HERE:
                return None

    def _once(self, known: dict[str, Found], commit: str, look: Callable[[GitTree], Found]) -> Found | None:
        if commit not in known:
            if len(known) >= _KEPT:
                known.clear()
            with Repo(self._git_dir) as repo:
                try:
                    known[commit] = look(repo.commit(commit).tree)
                except _NOT_HERE:
                    return None
        return known[commit]


def _workflows(root: GitTree) -> tuple[WorkflowFile, ...]:
    folder = _at(root, _WORKFLOWS)
    files = (
        [each for each in folder.blobs if not stat.S_ISLNK(each.mode)] if isinstance(folder, GitTree) else []
    )
    return tuple(
        WorkflowFile(f"{_WORKFLOWS}/{each.name}", each.data_stream.read().decode("utf-8", "replace"))
        for each in files
        if each.name.endswith((".yml", ".yaml"))
    )


def _owners(root: GitTree) -> str:
    found = (_at(root, path) for path in _OWNERS)
    blob = next((each for each in found if isinstance(each, Blob)), None)
    return "" if blob is None else blob.data_stream.read().decode("utf-8", "replace")


def _at(root: GitTree, path: str) -> object | None:
    try:
        return root / path
    except KeyError:
        return None
