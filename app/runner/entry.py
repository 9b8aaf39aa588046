"""The runner's process: `python -m app.runner FOLDER [LOCK [BELL]]`, the operator's word on stdin."""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from app.ports import Clock, Operator, SessionSpec, Step, unnumbered, wall_clock
from app.runner.codec import decode, encode
from app.runner.folder import Folder, hold, store
from app.runner.session import Desk, run_session
from app.runner.watch import Stop

__all__ = ["main"]

OPEN_FILES = 65536


def main(argv: Sequence[str], *, step: Step = unnumbered, clock: Clock = wall_clock) -> int:
    """Run the session of a folder to its result. `LOCK` is the inherited descriptor that holds `alive`.

    `BELL` is a pipe into which a byte goes when there is a result, for whoever started it and waits.
    Answers 0 when there is a result, whatever it says, and 3 when somebody else runs this session.
    """
    folder = Folder(Path(argv[0]))
    lock = int(argv[1]) if len(argv) > 1 else hold(folder.alive)
    if lock is None or folder.result.exists():
        return 3
    bell = int(argv[2]) if len(argv) > 2 else None
    for each in filter(None, (lock, bell)):
        os.set_inheritable(each, False)
    with step("runner.pid"):
        folder.note(folder.pid, str(os.getpid()))
    stop = Stop()
    stop.on_signal()
    os.umask(0o077)
    _limit()
    operator = decode(Operator, sys.stdin.buffer.read())
    spec = decode(SessionSpec, folder.spec.read_bytes())
    result = run_session(Desk(spec, operator, folder, stop, step, clock))
    with step("runner.result"):
        store(folder.result, encode(result).encode())
    if bell is not None:
        with suppress(OSError):
            os.write(bell, b".")
    folder.note(folder.phase, "done")
    folder.sweep()
    return 0


def _limit() -> None:
    """For this process and all below it: no core files, and many open files but not all."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, OPEN_FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
