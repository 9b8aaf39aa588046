"""Supervisor of an unsandboxed command: `reaper.py COMMAND…`. Ends with it everything that it started.

A file of its own, run without the rest of the program. SIGTERM is passed on to the command's process
group; SIGHUP, which the kernel also sends when the runner dies, ends all at once.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from types import FrameType

__all__ = ["descendants", "end_all", "main"]

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36


def descendants(root: int) -> list[int]:
    """All living processes below `root`; orphans count, because they were handed to it."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with suppress(OSError, ValueError, IndexError):
                # The name, in brackets, may hold anything; the parent is the second field after it.
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    found, frontier = set[int](), {root}
    while frontier:
        frontier = {pid for pid, parent in parents.items() if parent in frontier} - found
        found |= frontier
    return sorted(found)


def end_all() -> None:
    """Kill until nothing is left to wait for."""
    while True:
        for pid in descendants(os.getpid()):
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def main(command: list[str]) -> int:
    """Answers the command's exit code, 128+n for signal n."""
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
    runner = os.getppid()
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGHUP)
    signal.signal(signal.SIGHUP, _at_once)
    # A request to end that comes before there is a child to pass it on to waits until there is one.
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    try:
        child = os.posix_spawnp(
            command[0], command, os.environ, setpgroup=0, setsigmask=(), setsigdef=[signal.SIGPIPE]
        )
    except OSError as wrong:
        print(f"cannot start {command[0]}: {wrong.strerror}", file=sys.stderr)
        return 127

    def pass_on(number: int, frame: FrameType | None) -> None:
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGTERM)

    signal.signal(signal.SIGTERM, pass_on)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
    if os.getppid() != runner:
        _at_once(signal.SIGHUP, None)
    code = _wait_for(child)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    end_all()
    return code


def _at_once(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    end_all()
    os._exit(137)


def _wait_for(child: int) -> int:
    while True:
        pid, status = os.waitpid(-1, 0)
        if pid == child:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
