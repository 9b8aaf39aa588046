"""The numbered step: counts effects over all processes of a run, and strikes at one of them."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.processes import kill_all

__all__ = ["HOW", "SIDES", "Numbered", "Strike"]

SIDES = ("before", "after")
HOW = ("self", "all", "full")
"""What dies: the process at the point, every process of the run, or only the disk's free space."""


@dataclass(frozen=True, slots=True)
class Strike:
    """At the `occurrence`-th effect of this name (from 1), before or after it.

    `amid` is so many milliseconds after it began, whether it is over by then or not.
    """

    name: str
    occurrence: int
    side: str = "before"
    how: str = "self"
    ms: int = 0

    def __str__(self) -> str:
        return f"{self.how} {self.side}{self.ms or ''} {self.name} {self.occurrence}"


@dataclass(frozen=True, slots=True)
class Numbered:
    """A `Step`. `folder` holds the count (`steps`, a name a line) and the strike to come (`strike`).

    With `traced` each effect is bracketed by two failing renames, for strace to see.
    """

    folder: Path
    marker: str
    traced: bool = False

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        occurrence = self._count(name)
        self._mark(f"begin {name}")
        self._strike(name, occurrence, "before")
        yield
        self._strike(name, occurrence, "after")
        self._mark(f"end {name}")

    def _count(self, name: str) -> int:
        with (self.folder / "steps").open("a+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            before = Counter(file.read().splitlines())[name]
            file.write(f"{name}\n")
            return before + 1

    def _strike(self, name: str, occurrence: int, side: str) -> None:
        order = self.folder / "strike"
        if not order.exists():
            return
        wanted = Strike(**json.loads(order.read_text()))
        when = "before" if wanted.side == "amid" else wanted.side
        if (wanted.name, wanted.occurrence, when) != (name, occurrence, side):
            return
        order.rename(self.folder / "struck")
        if wanted.how == "full":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), name)
        if wanted.side == "amid":
            threading.Timer(wanted.ms / 1000, self._kill, [wanted.how]).start()
        else:
            self._kill(wanted.how)

    def _kill(self, how: str) -> None:
        if how == "all":
            kill_all(self.marker)
        os.kill(os.getpid(), signal.SIGKILL)

    def _mark(self, text: str) -> None:
        if self.traced:
            with suppress(FileNotFoundError):
                Path(f"/step {text}").rename("/step")

    def order(self, strike: Strike) -> None:
        """From now on, once."""
        (self.folder / "steps").unlink(missing_ok=True)
        (self.folder / "struck").unlink(missing_ok=True)
        (self.folder / "strike").write_text(json.dumps(asdict(strike)))
