"""What GitHub is asked for, and what a pass costs: over the stand-in, which counts every request."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.figure import Figure, median_s
from tests.fakehub import Clock, Hub
from tests.hosted.world import HostedWorld, green

__all__ = ["measure"]

TASKS = 8
IDLE_LOOKS = 40
PASSES = 5


def measure(folder: Path) -> Iterator[Figure]:
    """One convoy of independent tasks from the label to the closed issue; then a repository at rest."""
    with Hub(folder / "hub", clock=Clock.at_start(live=True)) as hub:
        world = HostedWorld.make(folder / "world", hub)
        world.repo.ci(green)
        world.repo.protect("main", "build")
        world.settle()
        before = _charged(hub)
        issue = world.ask("Many parts", "".join(f"- [ ] Part {number}\n" for number in range(TASKS)))
        world.until(lambda: issue.state == "closed")
        asked = (_charged(hub) - before) / TASKS
        yield Figure("GitHub requests per merged task, charged", asked, 1, "", "one", 20, absolute=True)
        world.settle()
        before = _charged(hub)
        for _ in range(IDLE_LOOKS):
            hub.clock.advance(15)
            world.run_pass()
        idle = (_charged(hub) - before) / IDLE_LOOKS
        yield Figure("GitHub requests per idle look, charged", idle, 1, "", "one", 0.1, absolute=True)
        reconciler = world.reconciler()
        bare = median_s(reconciler.forge.refresh, PASSES)
        yield Figure("a pass with nothing new", median_s(reconciler.run, PASSES), bare, "s", "its ls-remote")
        world.close()


def _charged(hub: Hub) -> int:
    """Requests that count: git's own are none, and neither are answers of 304."""
    return sum(not each.free and ".git" not in each.path for each in hub.journal.asked)
