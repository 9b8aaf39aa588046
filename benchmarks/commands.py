"""How long the short commands take, against a Python that does nothing."""

from __future__ import annotations

import secrets
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from app.board import record
from app.mayor import Request, open_convoy, plan_from_checklist, rules_of, validate
from app.ports import ConvoyCancelled, Fact, TaskCommented
from app.wiring import Surroundings, Workshop, open_workshop
from benchmarks.figure import Figure, median_s
from benchmarks.ground import PYTHON, Ground

__all__ = ["fill", "measure"]

TIMES = 7
EVENTS = 1000


def measure(folder: Path) -> Iterator[Figure]:
    """`brat --version`, and `brat status` on a log of a thousand events."""
    ground = Ground(folder).make()
    workshop = open_workshop(ground.repo, Surroundings(ground.environ, Path.home()))
    fill(workshop, EVENTS)
    ground.finish(ground.brat("status"))
    bare = median_s(lambda: subprocess.run([PYTHON, "-c", "pass"], check=True), TIMES)
    for arguments in (("--version",), ("status",)):
        wall = median_s(lambda each=arguments: ground.finish(ground.brat(*each)), TIMES)  # type: ignore[misc]
        name = f"brat {' '.join(arguments)}" + (f" on {EVENTS} events" if arguments == ("status",) else "")
        yield Figure(name, wall, bare, "s", "python -c pass")


def fill(workshop: Workshop, events: int) -> None:
    """Convoys of ten tasks with remarks, each cancelled, until the log holds so many events."""
    log, config = workshop.log(write=True), workshop.config.at(workshop.repository.base)
    lines = "".join(f"- [ ] Do {number}\n" for number in range(10))
    plan = validate(plan_from_checklist(lines), rules_of(config, ("shell",)))
    while len(log.read().events) < events:
        board, _ = workshop.view()
        now = time.time_ns() // 1_000_000
        request = Request(
            goal="Do ten things",
            base="main",
            base_commit=workshop.repository.head,
            strategy="rebase",
            approval="auto",
            planner="checklist",
            by="bench",
            seed=secrets.token_hex(8),
        )
        log.append(record(board, open_convoy(board, request, plan, now=now), now=now))
        board, _ = workshop.view()
        convoy = board.open_convoys[0]
        over: list[Fact] = [TaskCommented(task.issue, "bench", "go on") for task in convoy.tasks]
        over.append(ConvoyCancelled(convoy.issue, "bench", "enough"))
        log.append(record(board, over, now=now))
