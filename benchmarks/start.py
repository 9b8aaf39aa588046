"""From `brat mayor start` to the agent's first line, against the processes that have to start in between."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from app.ports import Plan, PlannedTask
from benchmarks.figure import Figure, median_s
from benchmarks.ground import PYTHON, Ground

__all__ = ["measure"]

TIMES = 3


def measure(folder: Path) -> Iterator[Figure]:
    """The program's own part is what is left after two bare Python starts and one sandbox."""
    bare = 2 * median_s(lambda: subprocess.run([PYTHON, "-c", "pass"], check=True), 5)
    if Ground(folder).isolation == "bwrap":
        sandbox = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"]
        bare += median_s(lambda: subprocess.run(sandbox, check=True), 5)
    walls = sorted(_to_first_line(folder / str(number)) for number in range(TIMES))
    wall = walls[TIMES // 2]
    yield Figure("mayor start to agent, whole", wall, bare, "s", "two bare Pythons and one sandbox")
    own = "mayor start to agent, own part"
    yield Figure(own, wall - bare, bare, "s", "the same", wanted=1.0, absolute=True)


def _to_first_line(folder: Path) -> float:
    folder.mkdir()
    ground = Ground(folder).make()
    plan = Plan("One task", (PlannedTask("one", "Do one", instructions="sleep 0.1"),))
    begun = time.time()
    process = ground.start(plan)
    ground.finish(process)
    stamped = next(name for name in ground.git("ls-files").split() if name.startswith("began-"))
    return float((ground.repo / stamped).read_text()) - begun
