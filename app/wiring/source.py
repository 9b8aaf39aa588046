"""Where settings of a repository are read: `.brat/config.toml` on the base branch, never on a task's."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.board import Board
from app.config import Config, parse_config
from app.settings import Settings, effective

if TYPE_CHECKING:
    from pygit2 import Repository

__all__ = ["CONFIG_FILE", "ConfigSource"]

CONFIG_FILE = ".brat/config.toml"


class ConfigSource:
    """The effective settings at the base's present head; parsed again only when the base has moved.

    A file that is not committed yet counts while the base holds none: it is the maintainer's own checkout.
    """

    def __init__(
        self, git_dir: Path, base: str, settings: Settings, *, work_tree: Path | None = None
    ) -> None:
        self._git_dir = git_dir
        self._base = base
        self._settings = settings
        self._work_tree = work_tree
        self._known: dict[tuple[str, str], Config] = {}
        self._opened: Repository | None = None

    def __call__(self, board: Board) -> Config:
        """For the base of the oldest open convoy, else for the base this was made with."""
        opened = board.open_convoys
        return self.at(f"refs/heads/{opened[0].base}" if opened else self._base)

    def at(self, ref: str) -> Config:
        """The settings on this branch. Raises ConfigError with file and line."""
        head, text = self._read(ref)
        known = self._known.get((ref, head))
        if known is None:
            place = CONFIG_FILE if head else str(self.uncommitted)
            known = effective(parse_config(text, place=place), self._settings)
            self._known[(ref, head)] = known
        return known

    def text(self, ref: str) -> tuple[str, str]:
        """`(place, text)` of the file that counts for this branch; no place where there is none."""
        head, text = self._read(ref)
        if head == "none":
            return "", ""
        return (CONFIG_FILE if head else str(self.uncommitted)), text

    @property
    def uncommitted(self) -> Path | None:
        """The file in the checkout, when the base has none and it is used instead."""
        if self._work_tree is None or not (self._work_tree / CONFIG_FILE).is_file():
            return None
        return None if self._committed(self._base) is not None else self._work_tree / CONFIG_FILE

    def _read(self, ref: str) -> tuple[str, str]:
        committed = self._committed(ref)
        if committed is not None:
            return committed
        file = self._work_tree / CONFIG_FILE if self._work_tree is not None else None
        if ref == self._base and file is not None and file.is_file():
            return "", file.read_text("utf-8")
        return "none", ""

    def _committed(self, ref: str) -> tuple[str, str] | None:
        import pygit2

        if self._opened is None:
            self._opened = pygit2.Repository(str(self._git_dir))
        try:
            commit = self._opened.references[ref].peel(pygit2.Commit)
            blob = commit.tree[CONFIG_FILE]
        except (KeyError, pygit2.GitError):
            return None
        if not isinstance(blob, pygit2.Blob):
            return None
        return str(commit.id), blob.data.decode("utf-8", "replace")
