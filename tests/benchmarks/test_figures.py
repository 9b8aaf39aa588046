"""What the benchmarks compute from what they measure."""

from __future__ import annotations

from app.ports import Plan, PlannedTask
from benchmarks.figure import Figure, table
from benchmarks.graph import DEEPEST, TASKS, critical_path_s, random_plan


def test_figure_is_judged_by_its_ratio_or_by_its_value() -> None:
    ratio = Figure("graph", 104.0, 100.0, "s", "the chain", wanted=1.05)
    value = Figure("start", 1.2, 0.1, "s", "bare starts", wanted=1.0, absolute=True)
    assert (ratio.met, value.met) == (True, False)
    assert Figure("log", 2.0, 1.0, "ms", "fsync").met is None


def test_table_names_what_was_missed() -> None:
    lines = table([Figure("start", 1.2, 0.1, "s", "bare starts", wanted=1.0, absolute=True)]).splitlines()
    assert "1 s MISSED" in lines[1]
    assert "12.00x" in lines[1]


def test_longest_chain_counts_and_other_tasks_do_not() -> None:
    tasks = (
        PlannedTask("a", "A"),
        PlannedTask("b", "B"),
        PlannedTask("c", "C", depends_on=("a", "b")),
        PlannedTask("d", "D"),
    )
    assert critical_path_s(Plan("x", tasks), {"a": 1.0, "b": 4.0, "c": 2.0, "d": 5.0}) == 6.0


def test_random_plan_is_the_same_for_the_same_seed_and_never_too_deep() -> None:
    plan, sleeps = random_plan(seed=7)
    assert (plan, sleeps) == random_plan(seed=7)
    assert len(plan.tasks) == len(sleeps) == TASKS
    depth = critical_path_s(plan, dict.fromkeys(sleeps, 1.0))
    assert depth <= DEEPEST
