"""The graph of a plan, held against the simplest possible computation."""

from __future__ import annotations

from itertools import combinations, pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import Defect
from app.mayor.order import ancestors, layers, longest_chain, shortest_cycle, topological, waits_of, width
from app.ports import Plan, PlannedTask
from tests.mayor.conftest import plans

NAMES = "abcdef"
graphs = st.fixed_dictionaries(
    {name: st.lists(st.sampled_from(NAMES), max_size=2, unique=True).map(tuple) for name in NAMES}
)
orders = st.fixed_dictionaries(
    {
        name: st.lists(st.sampled_from(NAMES[:at]), max_size=2, unique=True).map(tuple) if at else st.just(())
        for at, name in enumerate(NAMES)
    }
)
Graph = dict[str, tuple[str, ...]]


def reach(graph: Graph, name: str) -> set[str]:
    seen: set[str] = set()
    left = list(graph[name])
    while left:
        at = left.pop()
        left += [] if at in seen else graph[at]
        seen.add(at)
    return seen


@given(graphs)
def test_the_shortest_cycle_is_one_and_none_is_shorter(graph: Graph) -> None:
    found = shortest_cycle(graph)
    assert all(after in graph[name] for name, after in zip(found, (*found[1:], *found[:1]), strict=True))
    shorter = range(1, len(found) or len(NAMES) + 1)
    circles = (ring for size in shorter for ring in permutations(NAMES, size))
    assert not any(
        all(b in graph[a] for a, b in zip(ring, (*ring[1:], ring[0]), strict=True)) for ring in circles
    )


@given(orders)
def test_order_reach_depth_and_width_are_those_of_the_definition(graph: Graph) -> None:
    before = {name: reach(graph, name) for name in NAMES}
    assert ancestors(graph) == before
    order = topological(graph)
    assert all(order.index(other) < order.index(name) for name in NAMES for other in graph[name])
    chains = [
        c for n in range(1, 7) for c in combinations(order, n) if all(a in before[b] for a, b in pairwise(c))
    ]
    apart = [
        s
        for n in range(1, 7)
        for s in combinations(NAMES, n)
        if not any(a in before[b] or b in before[a] for a, b in combinations(s, 2))
    ]
    assert len(layers(graph)) == max(map(len, chains))
    assert width(graph) == max(map(len, apart))


@given(plans())
def test_the_longest_chain_follows_dependencies(plan: Plan) -> None:
    straight = (
        Plan("", tuple(task for task in plan.tasks if not task.depends_on))
        if shortest_cycle(waits_of(plan))
        else plan
    )
    chain = longest_chain(straight)
    waits = waits_of(straight)
    assert all(first in waits[second] for first, second in pairwise(chain))


def test_a_circle_is_never_waited_for() -> None:
    with pytest.raises(Defect, match="circle among a, b"):
        topological({"a": ("b",), "b": ("a",)})


def test_the_longest_chain_counts_sizes() -> None:
    tasks = (
        PlannedTask("a", "A", size="S"),
        PlannedTask("b", "B", size="S", depends_on=("a",)),
        PlannedTask("c", "C", size="L"),
    )
    assert longest_chain(Plan("", tasks)) == ("c",)
