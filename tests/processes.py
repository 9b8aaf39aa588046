"""Which processes of a world live, found by a path in their arguments."""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

__all__ = ["all_end", "kill_all", "pids_with", "processes_with"]


def pids_with(marker: str) -> Iterator[int]:
    """Living processes, this one apart, whose arguments hold the marker."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and int(entry.name) != os.getpid():
            with suppress(OSError):
                if marker.encode() in (entry / "cmdline").read_bytes():
                    yield int(entry.name)


def processes_with(marker: str) -> list[int]:
    """Open handles (pidfds) on them."""
    handles = []
    for pid in pids_with(marker):
        with suppress(OSError):
            handles.append(os.pidfd_open(pid))
    return handles


def all_end(handles: list[int]) -> bool:
    """Whether all these processes end."""
    ended = [bool(select.select([each], [], [], 20)[0]) for each in handles]
    for each in handles:
        os.close(each)
    return all(ended)


def kill_all(marker: str) -> None:
    """SIGKILL to each of them, as when the machine goes down."""
    for pid in list(pids_with(marker)):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
