"""Time as an argument: milliseconds since the epoch, as in the log."""

from __future__ import annotations

import time
from typing import Protocol

__all__ = ["Clock", "wall_clock"]


class Clock(Protocol):
    """Called without arguments, answers milliseconds since the epoch."""

    def __call__(self) -> int: ...


def wall_clock() -> int:
    """The machine's clock."""
    return time.time_ns() // 1_000_000
