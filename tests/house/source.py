"""Python files as values: text, syntax tree, and where they are."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

__all__ = ["ROOT", "Source", "sources", "tracked_files"]

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Source:
    """One module. `path` is relative to the repository."""

    path: str
    text: str
    tree: ast.Module

    @classmethod
    def of(cls, text: str, path: str = "app/room/module.py") -> Source:
        """A module from its text."""
        return cls(path, text, ast.parse(text))

    @property
    def is_room(self) -> bool:
        """Whether it is the face of a room, `app/<room>/__init__.py`, or of a room inside one."""
        parts = Path(self.path).parts
        return len(parts) in (3, 4) and parts[0] == "app" and parts[-1] == "__init__.py"

    def at(self, line: int, problem: str) -> str:
        """A problem with its place, as editors open it."""
        return f"{self.path}:{line}: {problem}"


def sources(*folders: str) -> Iterator[Source]:
    """Every module below these folders of the repository."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield _read(path)


def tracked_files() -> Iterator[tuple[str, str]]:
    """Path and text of each text file that git has or would add."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, names.split("\0")):
        path = ROOT / name
        if not path.is_file() or path.is_symlink():
            continue
        raw = path.read_bytes()
        if b"\0" not in raw:
            yield name, raw.decode(errors="replace")


@cache
def _read(path: Path) -> Source:
    return Source.of(path.read_text(), path.relative_to(ROOT).as_posix())
