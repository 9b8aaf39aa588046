"""What passes spend, apart from what they ask of GitHub: measured around each request, as it is made."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from app.forge.github import Reply, Wire

__all__ = ["Spent", "watched"]

NOT_MODIFIED = 304


@dataclass(slots=True)
class Spent:
    """Since the last `clear`: requests, those that are charged, and the processor time that asking took."""

    requests: int = 0
    charged: int = 0
    cpu_s: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def clear(self) -> None:
        self.requests = self.charged = 0
        self.cpu_s = 0.0

    def add(self, cpu_s: float, reply: Reply) -> None:
        with self._lock:
            self.requests += 1
            self.charged += reply.status != NOT_MODIFIED
            self.cpu_s += cpu_s


@contextmanager
def watched() -> Iterator[Spent]:
    """While it lasts, every request is counted."""
    spent, send = Spent(), Wire.send

    def counted(*args: Any, **named: Any) -> Reply:
        begun = time.thread_time()
        reply = send(*args, **named)
        spent.add(time.thread_time() - begun, reply)
        return reply

    Wire.send = counted  # type: ignore[method-assign]
    try:
        yield spent
    finally:
        Wire.send = send  # type: ignore[method-assign]
