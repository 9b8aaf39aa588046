"""Lock files of git processes that died: which are ours, and gone with them."""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from app.ports import Step

__all__ = ["clear_dead_locks"]

# An empty lock file is only a moment old in a living process; ten seconds is a hundred thousand moments.
_EMPTY_SECONDS = 10.0


def clear_dead_locks(common_dir: Path, moves: Iterable[tuple[str, str]], step: Step) -> None:
    """Remove `<ref>.lock` where it holds the commit that we were writing, or is empty and old.

    Call it only under the `flock` that the dead git process had inherited: then it is dead for certain. A
    lock of somebody else holds another commit, or is young; it stays, and git will name it.
    """
    for ref, new in moves:
        lock = common_dir / f"{ref}.lock"
        with suppress(FileNotFoundError):
            said = lock.read_bytes().strip()
            age = time.time() - lock.stat().st_mtime
            if said == new.encode() or (not said and age > _EMPTY_SECONDS):
                with step("refs.unlock"):
                    lock.unlink()
