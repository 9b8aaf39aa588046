"""The order of a plan's tasks as a graph: cycles, reach, layers, depth, width, the longest chain."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

from app.errors import Defect
from app.ports import Plan

__all__ = [
    "Waits",
    "ancestors",
    "layers",
    "longest_chain",
    "shortest_cycle",
    "topological",
    "waits_of",
    "width",
]

Waits = Mapping[str, tuple[str, ...]]
"""Task id → ids it waits for; keys in plan order, every value a key."""

WEIGHT = {"S": 1, "M": 2, "L": 4}


def waits_of(plan: Plan) -> Waits:
    """The known dependencies of each task; names that are no task, and a task itself, are left out."""
    ids = [task.id for task in plan.tasks]
    known = set(ids)
    return {
        task.id: tuple(name for name in dict.fromkeys(task.depends_on) if name in known and name != task.id)
        for task in plan.tasks
    }


def shortest_cycle(waits: Waits) -> tuple[str, ...]:
    """The shortest circle, starting at its first task in plan order; empty when there is none."""
    found = [cycle for start in waits if (cycle := _cycle_through(start, waits))]
    return min(found, key=len, default=())


def _cycle_through(start: str, waits: Waits) -> tuple[str, ...]:
    came: dict[str, str] = {}
    queue = deque([start])
    while queue:
        at = queue.popleft()
        if start in waits[at]:
            path = [at]
            while path[-1] != start:
                path.append(came[path[-1]])
            return tuple(reversed(path))
        for name in waits[at]:
            if name not in came and name != start:
                came[name] = at
                queue.append(name)
    return ()


def topological(waits: Waits) -> tuple[str, ...]:
    """Every task after all it waits for, else in plan order. A graph with a cycle is a Defect."""
    result: dict[str, None] = {}
    left = list(waits)
    while left:
        ready = [name for name in left if all(other in result for other in waits[name])]
        if not ready:
            raise Defect(f"the graph has a circle among {', '.join(left)}", remedy="validate the plan first")
        result.update(dict.fromkeys(ready))
        left = [name for name in left if name not in result]
    return tuple(result)


def ancestors(waits: Waits) -> dict[str, set[str]]:
    """All that must be merged before a task, near and far."""
    result: dict[str, set[str]] = {}
    for name in topological(waits):
        result[name] = set(waits[name]).union(*(result[other] for other in waits[name]))
    return result


def layers(waits: Waits) -> tuple[tuple[str, ...], ...]:
    """Tasks by the length of the longest chain before them; as many layers as the plan is deep."""
    level: dict[str, int] = {}
    for name in topological(waits):
        level[name] = 1 + max((level[other] for other in waits[name]), default=-1)
    deep = max(level.values(), default=-1) + 1
    return tuple(tuple(name for name in waits if level[name] == each) for each in range(deep))


def longest_chain(plan: Plan) -> tuple[str, ...]:
    """The chain with most work, by sizes (S 1, M 2, L 4): no number of agents makes the plan faster."""
    waits = waits_of(plan)
    weight = {task.id: WEIGHT.get(task.size, 2) for task in plan.tasks}
    best: dict[str, tuple[int, tuple[str, ...]]] = {}
    for name in topological(waits):
        cost, chain = max((best[other] for other in waits[name]), key=lambda each: each[0], default=(0, ()))
        best[name] = (cost + weight[name], (*chain, name))
    return max(best.values(), key=lambda each: each[0], default=(0, ()))[1]


def width(waits: Waits) -> int:
    """The most tasks that can run at the same time: the largest set without a path between any two.

    By Dilworth's theorem that is the tasks less a maximum matching of "comes before".
    """
    before = ancestors(waits)
    matched: dict[str, str] = {}
    return len(waits) - sum(_augment(name, before, matched, tried=set()) for name in waits)


def _augment(name: str, before: Mapping[str, set[str]], matched: dict[str, str], *, tried: set[str]) -> bool:
    for other in _in_order(before[name], before):
        if other in tried:
            continue
        tried.add(other)
        if other not in matched or _augment(matched[other], before, matched, tried=tried):
            matched[other] = name
            return True
    return False


def _in_order(names: set[str], order: Mapping[str, set[str]]) -> Sequence[str]:
    return [name for name in order if name in names]
