"""Files that outlive a power cut, and locks that outlive nobody."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.errors import OperatorError

__all__ = ["disk_failure", "locked", "sync_folder", "write_durably"]


def sync_folder(folder: Path) -> None:
    """After this a rename or a new name in `folder` is on disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_durably(path: Path, data: bytes) -> None:
    """All of `data`, or the file as it was. A dead writer leaves one file, for the name is fixed."""
    fresh = path.with_name(path.name + ".new")
    try:
        with fresh.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        raise disk_failure(error, path) from error


def disk_failure(error: OSError, path: Path) -> OperatorError:
    """This machine does not let us write."""
    return OperatorError(
        f"cannot write: {error.strerror}",
        place=error.filename or str(path),
        remedy="check the disk's free space and the folder's permissions",
    )


@contextmanager
def locked(path: Path, *, shared: bool = False, wait: bool = True) -> Iterator[int]:
    """An `flock` for the time of the block; gives the descriptor. Raises `BlockingIOError` unless `wait`.

    The lock ends with the last process that has the descriptor: handed to a child, it outlives its parent.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        how = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
        fcntl.flock(descriptor, how if wait else how | fcntl.LOCK_NB)
        yield descriptor
    finally:
        os.close(descriptor)
