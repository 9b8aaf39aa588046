"""How much and what a piece of work may bring."""

from __future__ import annotations

from collections.abc import Iterable

from app.config import PROTECTED
from app.values import dataclass

__all__ = ["Rules"]


@dataclass(frozen=True, slots=True)
class Rules:
    """Limits of one bundle. `protected` are gitignore-style globs, compared without regard to case.

    The numbers are what a reviewer could still look at (commits, files) and what a machine takes
    without harm (sizes, objects, memory and seconds per git command).
    """

    protected: tuple[str, ...] = PROTECTED
    commits: int = 200
    files: int = 2000
    objects: int = 100_000
    blob_bytes: int = 50 * 1024 * 1024
    bundle_bytes: int = 500 * 1024 * 1024
    memory_bytes: int = 4 * 1024 * 1024 * 1024
    seconds: float = 120.0

    def protected_among(self, paths: Iterable[str]) -> tuple[str, ...]:
        """The paths that a protected glob covers, sorted; many disks ignore case, and so do the globs."""
        from pathspec import GitIgnoreSpec

        spec = GitIgnoreSpec.from_lines(glob.lower() for glob in self.protected)
        return tuple(sorted(path for path in paths if spec.match_file(path.lower())))
