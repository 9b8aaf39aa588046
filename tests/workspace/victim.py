"""A take-over in a process of its own that kills itself at a numbered moment."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.ports import Done, RefMove
from app.workspace import Place, Publisher

__all__ = ["STEPS", "main"]

STEPS = (
    "takeover.journal",
    "takeover.lock",
    "takeover.tree",
    "takeover.refs",
    "takeover.index",
    "takeover.unlock",
    "takeover.closed",
)


def main(repository: str, moment: str, new: str, record: str) -> None:
    """`moment` is `before NAME` or `after NAME`."""

    @contextmanager
    def step(name: str) -> Iterator[None]:
        for when in ("before", "after"):
            if f"{when} {name}" == moment:
                if when == "after":
                    yield
                os.kill(os.getpid(), signal.SIGKILL)
        yield

    common = Path(repository) / ".git"
    publisher = Publisher(Place(common, common / "brat", Path), step=step)
    checkout = publisher.checkouts(("main",))["main"]
    old = (common / "refs/heads/main").read_text().strip()
    move, log = RefMove("refs/heads/main", old, new), RefMove("refs/grite/wal", None, record)
    assert publisher.take_over(checkout, move, log) == Done()


if __name__ == "__main__":
    main(*sys.argv[1:])
