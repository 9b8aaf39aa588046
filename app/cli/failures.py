"""What went wrong below, in words for a person: the machine's own refusals, and our own mistakes."""

from __future__ import annotations

import errno
import shutil
import traceback
from pathlib import Path

from app.errors import BratError, OperatorError

__all__ = ["defect_text", "machine_error", "with_disk"]

_FULL_BYTES = 64 * 1024
"""git writes a ref and its lock in a few blocks; with less free than this every command fails somehow."""

_REMEDIES = {
    errno.ENOSPC: "make room on the disk, then run again",
    errno.EDQUOT: "make room in your quota, then run again",
    errno.EROFS: "make it writable for you: it is mounted read-only",
    errno.EACCES: "make it readable and writable for you",
    errno.EPERM: "make it readable and writable for you",
    errno.EMFILE: "raise the limit of open files (ulimit -n)",
    errno.ENFILE: "close other programs: the system has no free files",
    errno.ENOMEM: "close other programs: there is no free memory",
}


def machine_error(error: OSError) -> OperatorError | None:
    """The operator's error behind an operating system's refusal; None where it could be our mistake."""
    remedy = _REMEDIES.get(error.errno or 0)
    if remedy is None:
        return None
    reason = (error.strerror or "refused").lower()
    return OperatorError(reason, place=str(error.filename) if error.filename else None, remedy=remedy)


def with_disk(error: BratError, repo: Path) -> BratError:
    """The same error, with the disk as its cause where that is full: git often does not say so."""
    if error.exit_code != OperatorError.exit_code:
        return error
    for place in (repo / ".git" / "brat", repo):
        try:
            free = shutil.disk_usage(place).free
        except OSError:
            continue
        if free < _FULL_BYTES:
            remedy = f"the disk is full ({free // 1024} KB free at {place}): make room, then run again"
            return OperatorError(error.reason, place=error.place, remedy=remedy)
    return error


def defect_text(error: BaseException) -> str:
    """Our own mistake, with all that a report of it needs."""
    told = "".join(traceback.format_exception(error)).rstrip()
    return f"{told}\nbrat: this is a defect of brat, not of your repository; nothing accepted is lost"
