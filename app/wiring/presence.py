"""Whether any brat process drives this repository: a lock that ends with its holder."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import IO

__all__ = ["attend", "attended"]


def attend(path: Path) -> IO[bytes]:
    """Say that this process drives the repository, for as long as the file stays open. Many may at once."""
    path.parent.mkdir(parents=True, exist_ok=True)
    file = path.open("ab")
    fcntl.flock(file, fcntl.LOCK_SH)
    return file


def attended(path: Path) -> bool:
    """Whether a living process does."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(file)
    return False
