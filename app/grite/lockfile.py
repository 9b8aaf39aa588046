"""One writer at a time: an `flock` per repository, and what a dead writer leaves, cleared under it."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = ["clear_dead_lock", "clear_stale_objects", "writer_lock"]

_DEAD_AFTER = 2.0
"""Seconds. A ref lock is held for milliseconds; grite itself and git take it without our flock."""

_STALE_AFTER = 3600.0
"""Seconds. Half-written objects of git's own running processes are younger."""

_POLL = 0.01


@contextmanager
def writer_lock(path: Path) -> Iterator[None]:
    """Holds the repository's writer lock; the kernel lets go of it when the process dies."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def clear_dead_lock(lock: Path) -> None:
    """Returns when `lock` is gone: its living holder let go, or it is dead and was removed.

    Only for the holder of the writer lock.
    """
    watched_since, watched = time.monotonic(), -1
    while True:
        try:
            found = lock.stat()
        except FileNotFoundError:
            return
        if found.st_ino != watched:
            watched_since, watched = time.monotonic(), found.st_ino
        if max(time.time() - found.st_mtime, time.monotonic() - watched_since) > _DEAD_AFTER:
            lock.unlink(missing_ok=True)
            return
        time.sleep(_POLL)


def clear_stale_objects(objects: Path) -> None:
    """Removes half-written objects that a killed writer left more than an hour ago."""
    for left in objects.glob("tmp_*"):
        with suppress(OSError):
            if left.is_file() and time.time() - left.stat().st_mtime > _STALE_AFTER:
                left.unlink()
