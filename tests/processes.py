"""Which processes of a world live, found by a path in their arguments."""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

__all__ = ["all_end", "kill_all", "pids_with", "processes_with", "shown"]

_PATIENCE_S = 60
"""A busy machine takes its time; what is left for good fails all the same."""


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


def shown(marker: str) -> str:
    """Those processes, each with its parent, its state, its command and what it sleeps in."""
    lines = []
    for pid in pids_with(marker):
        with suppress(OSError):
            entry = Path("/proc", str(pid))
            state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
            command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            lines.append(f"{pid} of {parent}, {state} in {(entry / 'wchan').read_text()}: {command[:300]}")
    return "\n".join(lines)


def all_end(handles: list[int]) -> bool:
    """Whether all these processes end."""
    ended = [bool(select.select([each], [], [], _PATIENCE_S)[0]) for each in handles]
    for each in handles:
        os.close(each)
    return all(ended)


def kill_all(marker: str) -> None:
    """SIGKILL to each of them, as when the machine goes down."""
    for pid in list(pids_with(marker)):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
