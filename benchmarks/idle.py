"""A pass with nothing new, over logs of a thousand and of a hundred thousand events."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pygit2

from app.board import Board, record
from app.grite import WAL, Identity, Log
from app.mayor import Request, open_convoy, plan_from_checklist, rules_of, validate
from app.wiring import Surroundings, Workshop, open_workshop
from benchmarks.figure import Figure
from benchmarks.ground import Ground
from benchmarks.history import HOUR_MS, ClockOfThePast, write_history
from benchmarks.spent import Spent, watched
from benchmarks.standin import stand_in

__all__ = ["measure"]

SMALL, LARGE = 1_000, 100_000
PASSES, ROUNDS = 10, 7
OPEN = 2
WANTED_MS, FLAT = 20.0, 1.5
"""A growth below the second is noise."""


def measure(folder: Path) -> Iterator[Figure]:
    """Only what a pass costs this process: `git ls-remote` is none, and requests are taken off."""
    small, large = (Past.made(folder / f"past-{events}", events) for events in (SMALL, LARGE))
    yield from _figures("a pass with nothing new", _local(folder / "1", small), _local(folder / "2", large))
    least, most = _hosted(folder / "3", small), _hosted(folder / "4", large)
    yield from _figures("a pass on GitHub with nothing new, own part", least, most)


def _figures(name: str, small: float, large: float) -> Iterator[Figure]:
    against = f"the same on {SMALL} events"
    yield Figure(f"{name}, {SMALL} events", small, small, "ms", "itself", WANTED_MS, absolute=True)
    yield Figure(f"{name}, {LARGE} events", large, small, "ms", against, WANTED_MS, absolute=True)
    yield Figure(f"{name}, growth", large, small, "ms", against, FLAT)


@dataclass(frozen=True, slots=True)
class Past:
    """A log to begin with, in a repository of its own, and who wrote it."""

    repository: Path
    identity: Identity

    @classmethod
    def made(cls, folder: Path, events: int) -> Past:
        """Ended an hour ago."""
        pygit2.init_repository(str(folder), bare=True)
        identity = Identity.ensure(folder / "identity.json")
        clock = ClockOfThePast(time.time_ns() // 1_000_000 - HOUR_MS)
        write_history(
            Log(folder, identity=identity, state_dir=folder / "state", clock=clock), clock, events=events
        )
        return cls(folder, identity)

    def put_into(self, repository: Path, identity: Path) -> None:
        """The log into a repository, and its writer where a worker looks for itself."""
        identity.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.identity.save(identity)
        fetch = ["git", "-C", str(repository), "fetch", "--quiet", str(self.repository), f"{WAL}:{WAL}"]
        subprocess.run(fetch, check=True)


def _best_ms(work: Callable[[], object], spent: Spent) -> float:
    """Of one call in the best round: its thread's processor time, without that of asking GitHub."""
    best = float("inf")
    for _ in range(ROUNDS):
        spent.clear()
        begun = time.thread_time()
        for _ in range(PASSES):
            work()
        best = min(best, time.thread_time() - begun - spent.cpu_s)
    return best * 1e3 / PASSES


def _local(folder: Path, past: Past) -> float:
    ground = Ground(folder).make()
    workshop = open_workshop(ground.repo, Surroundings(ground.environ, Path.home()))
    past.put_into(ground.repo, ground.state / "identity.json")
    workshop.pins.own(past.identity)
    for number in range(OPEN):
        _ask(workshop, number)
    reconciler = workshop.reconciler(operator=workshop.operator(["shell"]))
    try:
        while reconciler.run().changed:
            pass
        return _best_ms(reconciler.run, Spent())
    finally:
        workshop.close()


def _hosted(folder: Path, past: Past) -> float:
    with stand_in(folder) as hub, watched() as spent:
        (repository,) = (folder / "hub").glob("**/demo.git")
        past.put_into(repository, hub.data / "identity.json")
        for number in range(OPEN):
            hub.asked(f"Open {number}")
        places = hub.repositories()
        hub.rest(places)
        return _best_ms(lambda: hub.look(places[0]), spent)


def _ask(workshop: Workshop, number: int) -> None:
    """A convoy whose plan waits for a person."""
    config, now = workshop.config.at(workshop.repository.base), workshop.surroundings.clock()
    request = Request(
        goal=f"Open {number}",
        base="main",
        base_commit=workshop.repository.head,
        strategy="rebase",
        approval="required",
        planner="checklist",
        by="bench",
        seed=str(number),
    )
    plan = validate(plan_from_checklist("- [ ] One\n- [ ] Two\n"), rules_of(config, ("shell",)))
    workshop.log(write=True).append(record(Board(), open_convoy(Board(), request, plan, now=now), now=now))
