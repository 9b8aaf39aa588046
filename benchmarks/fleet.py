"""Two hundred open convoys in fifty repositories, all looked at by one worker."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from app.service import AtOnce, Repository
from benchmarks.figure import Figure, timed
from benchmarks.process import memory_mb
from benchmarks.spent import Spent, watched
from benchmarks.standin import StandIn, stand_in
from tests.hosted.up import REPOSITORY
from tests.hosted.world import GREEN_ONLY

__all__ = ["measure"]

REPOSITORIES, CONVOYS = 50, 4
ROUNDS = 3
IDLE, CHANGED = 0.1, 8.0
"""Charged requests for each repository; a poll every 15 s is 240 looks an hour."""


def measure(folder: Path) -> Iterator[Figure]:
    """Each plan waits for a person. Rounds of passes with nothing new, then with a new comment in each."""
    before = memory_mb(os.getpid())
    with stand_in(folder / "fleet") as hub, watched() as spent:
        names = (REPOSITORY, *(f"{REPOSITORY}-{number}" for number in range(1, REPOSITORIES)))
        with ThreadPoolExecutor(AtOnce().passes) as threads:
            fleet = _Fleet(hub, spent, threads)
            issues = fleet.open(names)
            one = min(timed(lambda: hub.look(fleet.places[0])) for _ in range(ROUNDS))
            idle = min(fleet.round() for _ in range(ROUNDS))
            for name in names:
                hub.do(name, "comment", issues[name], "Thank you all.")
            changed = fleet.round()
            resident = memory_mb(os.getpid())
    told = f"{REPOSITORIES * CONVOYS} convoys in {REPOSITORIES} repositories"
    pass_one = f"{REPOSITORIES} passes, one after the other"
    yield Figure(f"{told}: a round of passes at rest", idle.seconds, one * REPOSITORIES, "s", pass_one)
    yield Figure("the same with a new comment in each", changed.seconds, idle.seconds, "s", "at rest")
    yield Figure("charged requests per repository, at rest", idle.charged, 1, "", "one", IDLE, absolute=True)
    yield Figure("the same with a new comment in each", changed.charged, 1, "", "one", CHANGED, absolute=True)
    yield Figure("requests per repository, at rest", idle.requests, 1, "", "one, mostly answered 304")
    yield Figure(f"{told}: memory of the worker", resident, before, "MB", "before the first of them")


@dataclass(frozen=True, slots=True, order=True)
class _Round:
    """How long one pass over each took, and what each asked of GitHub."""

    seconds: float
    requests: float
    charged: float


class _Fleet:
    """All repositories, with as many passes at once as a worker makes."""

    def __init__(self, hub: StandIn, spent: Spent, threads: ThreadPoolExecutor) -> None:
        self._hub, self._spent, self._threads = hub, spent, threads
        self.places: tuple[Repository, ...] = ()

    def open(self, names: tuple[str, ...]) -> dict[str, int]:
        """Repositories with their convoys, until nothing more is to be said; the last issue of each."""
        running, issues = self._hub.running, dict[str, int]()
        files = {".brat/config.toml": running.config, ".github/workflows/ci.yml": GREEN_ONLY}
        for name in names:
            if name != REPOSITORY:
                running.steer("repository", full_name=name, private=True, files=files)
                running.steer("install", repository=name)
            for number in range(CONVOYS):
                issues[name] = self._hub.asked(f"Number {number}", repository=name)
        self.places = self._hub.repositories()
        list(self._threads.map(self._hub.settle, self.places))
        self._hub.rest(self.places)
        return issues

    def round(self) -> _Round:
        self._spent.clear()
        seconds = timed(lambda: list(self._threads.map(self._hub.look, self.places)))
        each = len(self.places)
        return _Round(seconds, self._spent.requests / each, self._spent.charged / each)
