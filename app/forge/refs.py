"""Reading refs and ancestry in this process: no git command, a few microseconds per ref."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.errors import RepositoryError

if TYPE_CHECKING:
    from pygit2 import Repository

__all__ = ["RefReader"]


class RefReader:
    """One handle for the life of the process; it sees what others write, also after a gc of theirs."""

    def __init__(self, git_dir: Path) -> None:
        self._git_dir = git_dir
        self._opened: Repository | None = None

    def read(self, refs: tuple[str, ...]) -> dict[str, str]:
        """Where each ref points; one that does not exist is absent."""
        found = {}
        for ref in refs:
            commit = self._commit(ref)
            if commit is not None:
                found[ref] = commit
        return found

    def below(self, folders: tuple[str, ...]) -> frozenset[str]:
        """The names of all refs that begin so. All names are gone through: for the rare pass that asks."""
        if not folders:
            return frozenset()
        return frozenset(each for each in self._repository().references if each.startswith(folders))

    def contains(self, ref: str, commit: str) -> bool:
        """Whether the ref exists and its history has the commit. A commit nobody has is in no history."""
        tip = self._commit(ref)
        if tip is None or tip == commit:
            return tip is not None
        repository = self._repository()
        return commit in repository and repository.descendant_of(tip, commit)

    def _commit(self, ref: str) -> str | None:
        try:
            return str(self._repository().references[ref].resolve().target)
        except (KeyError, ValueError):
            return None

    def _repository(self) -> Repository:
        if self._opened is None:
            import pygit2

            try:
                self._opened = pygit2.Repository(str(self._git_dir))
            except pygit2.GitError as error:
                raise RepositoryError(
                    f"the repository cannot be opened: {error}", place=str(self._git_dir), remedy="git status"
                ) from error
        return self._opened
