"""Fifty tasks in a random graph, sixteen slots: how much longer than its longest chain does it take?"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from app.ports import Plan, PlannedTask
from benchmarks.figure import Figure, timed
from benchmarks.ground import Ground

__all__ = ["critical_path_s", "measure", "random_plan"]

TASKS, SLOTS = 50, 16
DEEPEST = 10
SHORTEST_S, LONGEST_S = 10.0, 30.0


def measure(folder: Path) -> Iterator[Figure]:
    """The whole command, from its start to its exit, against the sleeps of the longest chain."""
    ground = Ground(folder, SLOTS).make()
    plan, sleeps = random_plan(seed=1)
    wall = timed(lambda: ground.finish(ground.start(plan)))
    chain = critical_path_s(plan, sleeps)
    against = "the longest chain of its sleeps"
    yield Figure(f"convoy of {TASKS} tasks, {SLOTS} slots", wall, chain, "s", against, wanted=1.05)


def random_plan(seed: int) -> tuple[Plan, dict[str, float]]:
    """Each task waits for up to three earlier ones of the last dozen; the seconds that each one sleeps."""
    chance = random.Random(seed)
    tasks: list[PlannedTask] = []
    sleeps: dict[str, float] = {}
    depths: dict[str, int] = {}
    for number in range(1, TASKS + 1):
        before = [each.id for each in tasks[-12:] if depths[each.id] < DEEPEST]
        waits = chance.sample(before, min(len(before), chance.choice((0, 1, 1, 2, 3))))
        name = f"task-{number}"
        depths[name] = 1 + max((depths[each] for each in waits), default=0)
        sleeps[name] = round(chance.uniform(SHORTEST_S, LONGEST_S), 1)
        doing = f"sleep {sleeps[name]}"
        tasks.append(PlannedTask(name, f"Do {number}", instructions=doing, depends_on=tuple(waits)))
    return Plan("A random graph", tuple(tasks)), sleeps


def critical_path_s(plan: Plan, sleeps: dict[str, float]) -> float:
    """Seconds that no number of slots makes shorter."""
    ends: dict[str, float] = {}
    for task in plan.tasks:
        ends[task.id] = sleeps[task.id] + max((ends[each] for each in task.depends_on), default=0.0)
    return max(ends.values())
