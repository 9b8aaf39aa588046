"""Files and ancestry that are read from the replica's objects instead of from GitHub."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import pygit2

from app.ports import WorkflowFile

__all__ = ["ReplicaTree", "Tree"]

_WORKFLOWS = ".github/workflows"
_OWNERS = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS")
"""GitHub takes the first of them: https://docs.github.com/articles/about-code-owners"""


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
    """Reads a bare repository in this process. The handle lives on: it sees what is fetched later."""

    def __init__(self, git_dir: Path) -> None:
        self._git_dir = git_dir
        self._opened: pygit2.Repository | None = None

    def workflows(self, commit: str) -> tuple[WorkflowFile, ...] | None:
        """See `Tree`. Links and folders among them are not followed, as GitHub does not."""
        root = self._root(commit)
        if root is None:
            return None
        folder = _at(root, _WORKFLOWS)
        found = folder if isinstance(folder, pygit2.Tree) else ()
        blobs = ((str(each.name), each) for each in found if isinstance(each, pygit2.Blob))
        return tuple(
            WorkflowFile(f"{_WORKFLOWS}/{name}", blob.data.decode("utf-8", "replace"))
            for name, blob in blobs
            if name.endswith((".yml", ".yaml"))
        )

    def owners(self, commit: str) -> str | None:
        """See `Tree`."""
        root = self._root(commit)
        if root is None:
            return None
        found = (_at(root, path) for path in _OWNERS)
        blob = next((each for each in found if isinstance(each, pygit2.Blob)), None)
        return "" if blob is None else blob.data.decode("utf-8", "replace")

    def behind(self, branch: str, head: str) -> bool | None:
        """See `Tree`."""
        repository = self._repository()
        try:
            base = str(repository.references[f"refs/heads/{branch}"].target)
        except (KeyError, ValueError):
            return None
        if head not in repository or base not in repository:
            return None
        return base != head and not repository.descendant_of(head, base)

    def _root(self, commit: str) -> pygit2.Tree | None:
        repository = self._repository()
        found = repository[commit].peel(pygit2.Tree) if commit in repository else None
        return found if isinstance(found, pygit2.Tree) else None

    def _repository(self) -> pygit2.Repository:
        if self._opened is None:
            self._opened = pygit2.Repository(str(self._git_dir))
        return self._opened


def _at(root: pygit2.Tree, path: str) -> pygit2.Object | None:
    try:
        return root[path]
    except KeyError:
        return None
