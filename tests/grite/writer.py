"""A process of its own that appends to a log, says what was acknowledged, and can be killed at a step.

`python -m tests.grite.writer REPO STATE NAME COUNT [KILL]`: KILL is the number of the step to die at,
counted from zero, with `-` in front to die after its effect instead of before.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.grite import CommentAdded, Draft, Identity, Log
from app.ports import wall_clock
from tests.grite.conftest import ISSUE

__all__ = ["main"]


class Killer:
    """Counts steps and dies at one of them, as SIGKILL does it: without a word."""

    def __init__(self, at: int, *, after: bool) -> None:
        self._at, self._after, self._count = at, after, 0

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        number, self._count = self._count, self._count + 1
        if number == self._at and not self._after:
            os.kill(os.getpid(), signal.SIGKILL)
        yield
        if number == self._at and self._after:
            os.kill(os.getpid(), signal.SIGKILL)


def main(repo: str, state: str, name: str, count: str, kill: str = "9999") -> None:
    """Appends `count` comments one by one; prints each that was acknowledged."""
    killer = Killer(abs(int(kill.removeprefix("-"))), after=kill.startswith("-"))
    log = Log(Path(repo), identity=Identity.create(), state_dir=Path(state), clock=wall_clock, step=killer)
    for number in range(int(count)):
        log.append([Draft(ISSUE, CommentAdded(f"{name} {number}"))])
        print(f"{name} {number}", flush=True)
    log.snapshot()


if __name__ == "__main__":
    main(*sys.argv[1:])
