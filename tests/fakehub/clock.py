"""The stand-in's time: a value that tests advance, or the machine's time with an offset."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime

__all__ = ["Clock", "iso"]


def iso(ms: int) -> str:
    """As GitHub writes times: whole seconds, UTC."""
    return datetime.fromtimestamp(ms // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass(slots=True)
class Clock:
    """Stands still until advanced; with `live` it runs on with the machine from there. In ms."""

    ms: int
    live: bool = False

    @classmethod
    def at_start(cls, *, live: bool = False) -> Clock:
        """Begins with the machine's time, so that real clients' signatures hold."""
        return cls(0 if live else int(time.time()) * 1000, live)

    @property
    def now(self) -> int:
        return self.ms + (int(time.time() * 1000) if self.live else 0)

    @property
    def iso(self) -> str:
        return iso(self.now)

    def advance(self, seconds: float) -> None:
        self.ms += int(seconds * 1000)
