"""What watching costs: CPU time of `brat mayor start` while sessions sleep, per session."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

from app.ports import Plan, PlannedTask
from benchmarks.figure import Figure
from benchmarks.ground import Ground
from benchmarks.process import cpu_s

__all__ = ["measure"]

SESSIONS = 8
SLEEP_S, SETTLE_S, WINDOW_S = 20, 7.0, 8.0


def measure(folder: Path) -> Iterator[Figure]:
    """Own CPU time and that of its git calls, in a window in which nothing starts or ends."""
    ground = Ground(folder, SESSIONS).make()
    tasks = (PlannedTask(f"task-{n}", f"Do {n}", instructions=f"sleep {SLEEP_S}") for n in range(SESSIONS))
    process = ground.start(Plan("Sleepers", tuple(tasks)))
    threading.Event().wait(SETTLE_S)
    before, begun = cpu_s(process.pid, children=True), time.monotonic()
    threading.Event().wait(WINDOW_S)
    used, wall = cpu_s(process.pid, children=True) - before, time.monotonic() - begun
    ground.finish(process)
    yield Figure(
        f"supervisor CPU per session ({SESSIONS} running)", used / SESSIONS, wall, "s", "one core for as long"
    )
