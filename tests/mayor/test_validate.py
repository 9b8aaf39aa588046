"""Which plans may run, what is added to them, and why others are refused."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inline_snapshot import snapshot

from app.errors import PlanError
from app.globs import overlap
from app.mayor import PlanRules, ValidPlan, plan_hash, validate
from app.ports import Plan, PlannedTask
from tests.mayor.conftest import folded, plans
from tests.mayor.test_order import reach

OPEN = PlanRules(("codex",), ("codex",), max_tasks=50, max_depth=50, max_width=50, max_timeout_ms=86_400_000)


def task(name: str, *paths: str, after: tuple[str, ...] = ()) -> PlannedTask:
    return PlannedTask(name, f"Do {name}", paths=paths, depends_on=after, commands=("make",))


def graph(plan: Plan) -> dict[str, tuple[str, ...]]:
    return {each.id: each.depends_on for each in plan.tasks}


def circular(plan: Plan) -> bool:
    return any(each.id in reach(graph(plan), each.id) for each in plan.tasks)


def meet(one: PlannedTask, other: PlannedTask) -> bool:
    return any(overlap(a, b) for a in one.paths for b in other.paths)


def refused(plan: Plan, rules: PlanRules) -> list[str]:
    with pytest.raises(PlanError) as error:
        validate(plan, rules)
    return [folded(problem) for problem in error.value.problems]


def said(rules: PlanRules, *tasks: PlannedTask) -> list[str]:
    """The words in which a plan of these tasks is refused."""
    with pytest.raises(PlanError) as error:
        validate(Plan("", tasks), rules)
    return list(error.value.problems)


@settings(deadline=None)
@given(plans())
def test_a_plan_is_refused_exactly_when_its_tasks_wait_in_a_circle(plan: Plan) -> None:
    try:
        validate(plan, OPEN)
    except PlanError:
        assert circular(plan)
    else:
        assert not circular(plan)


@settings(deadline=None)
@given(plans().filter(lambda plan: not circular(plan)))
def test_tasks_that_may_write_the_same_files_never_run_together(plan: Plan) -> None:
    valid = validate(plan, OPEN)
    before = {each.id: reach(graph(valid.plan), each.id) for each in valid.plan.tasks}
    assert not circular(valid.plan)
    for one, other in combinations(plan.tasks, 2):
        if meet(one, other):
            assert one.id in before[other.id] or other.id in before[one.id]


def test_an_added_edge_counts_for_tasks_that_wait_against_plan_order() -> None:
    plan = Plan(
        "",
        (
            task("a", "z/**", after=("c",)),
            task("b", "x/**", after=("d",)),
            task("c", "x/**"),
            task("d", "z/**"),
        ),
    )
    assert validate(plan, OPEN).added == (("c", "b"),)


@settings(deadline=None)
@given(plans().filter(lambda plan: not circular(plan)))
def test_only_needed_edges_are_added_and_each_is_noted(plan: Plan) -> None:
    valid = validate(plan, OPEN)
    order = {each.id: place for place, each in enumerate(plan.tasks)}
    tasks = {each.id: each for each in plan.tasks}
    for later, earlier in valid.added:
        assert order[earlier] < order[later]
        assert meet(tasks[earlier], tasks[later])
        assert any(note.startswith(f"{later} waits for {earlier}: ") for note in valid.plan.notes)
    declared = graph(plan)
    assert graph(valid.plan) == {
        name: (*declared[name], *(other for each, other in valid.added if each == name)) for name in declared
    }


@settings(deadline=None)
@given(plans().filter(lambda plan: not circular(plan)))
def test_validating_twice_changes_nothing(plan: Plan) -> None:
    valid = validate(plan, OPEN)
    assert validate(valid.plan, OPEN) == ValidPlan(valid.plan, plan_hash(valid.plan))


@given(st.permutations(range(5)), st.data())
def test_a_missing_name_is_always_found(order: list[int], data: st.DataObject) -> None:
    names = [f"t{each}" for each in order]
    ghost = data.draw(st.sampled_from(names))
    tasks = tuple(
        task(name, after=(names[at - 1],) if at else ()) for at, name in enumerate(names) if name != ghost
    )
    waiting = names.index(ghost) + 1
    if waiting < len(names):
        assert f"depends_on: '{ghost}' is not in the plan" in refused(Plan("", tasks), OPEN)[0]


def test_a_plan_that_is_too_large_in_any_way_is_refused_with_the_limit(rules: PlanRules) -> None:
    chain = tuple(task(f"t{n}", after=(f"t{n - 1}",) if n else ()) for n in range(13))
    assert said(rules) == ["tasks: has no entry; at least 1 needed"]
    assert said(rules, *(task(f"t{n}") for n in range(21))) == [
        "the plan has 21 tasks; at most 20 allowed ([mayor] max_tasks)"
    ]
    assert said(rules, *chain) == [
        "the longest chain has 13 tasks; at most 12 allowed: merge tasks that only follow each other"
    ]
    assert said(rules, *(task(f"t{n}") for n in range(17))) == [
        "17 tasks could run at the same time; at most 16 allowed: add dependencies or merge tasks"
    ]


def test_an_id_is_a_short_name_that_is_used_once(rules: PlanRules) -> None:
    assert said(rules, task("A b")) == ["task A b: id: is 'A b'; allowed: a-z, 0-9 and -, 1 to 40 characters"]
    assert said(rules, task("a"), task("a")) == ["task a: the id is used 2 times; each task needs its own"]


def test_a_dependency_names_another_task_of_the_plan(rules: PlanRules) -> None:
    assert said(rules, task("auth-api"), task("b", after=("auth-ap",))) == [
        "task b: depends_on: 'auth-ap' is not in the plan; did you mean 'auth-api'? (allowed: auth-api)"
    ]
    assert said(rules, task("a", after=("b",))) == [
        "task a: depends_on: 'b' is not in the plan (allowed: none, it is the only task)"
    ]
    assert said(rules, task("a", after=("a",))) == ["task a: depends_on: names itself"]


def test_the_shortest_circle_is_shown(rules: PlanRules) -> None:
    circle = (task("a", after=("c",)), task("b", after=("a",)), task("c", after=("b", "a")))
    assert said(rules, *circle) == [
        "tasks wait for each other in a circle: a → c → a (each waits for the next)"
    ]


def test_an_engine_exists_and_is_allowed_and_a_kind_is_no_slip_of_one(rules: PlanRules) -> None:
    assert said(rules, replace(task("a"), engine="codx")) == [
        "task a: engine: there is no engine 'codx'; did you mean 'codex'? (allowed: claude-code, codex)"
    ]
    assert said(rules, replace(task("a"), engine="aider")) == [
        "task a: engine: 'aider' is not allowed here by the operator's settings (allowed: claude-code, codex)"
    ]
    assert said(rules, replace(task("a"), kind="test")) == [
        "task a: kind: 'test' has no engine of its own; did you mean 'tests'? (configured: default, tests)"
    ]


def test_a_glob_stays_inside_the_repository_and_out_of_git(rules: PlanRules) -> None:
    assert said(rules, task("a", "/etc/x", "a/../b")) == [
        "task a: paths: '/etc/x' is absolute: write it relative to the top of the repository, like src/**",
        "task a: paths: 'a/../b' leaves the repository with `..`",
    ]
    assert said(rules, task("a", ".git/hooks/**")) == [
        "task a: paths: '.git/hooks/**' names .git, which no task may write"
    ]


def test_title_size_and_timeout_say_what_they_may_be(rules: PlanRules) -> None:
    assert said(rules, replace(task("a"), title="two\nlines")) == [
        "task a: title: must be one line without space at its ends"
    ]
    assert said(rules, replace(task("a"), title="x" * 121)) == [
        "task a: title: has 121 characters; at most 120 allowed"
    ]
    assert said(rules, replace(task("a"), size="XXL")) == ["task a: size: is 'XXL'; allowed: 'S', 'M' or 'L'"]
    hour = replace(rules, max_timeout_ms=3_600_000)
    assert said(hour, replace(task("a"), timeout_ms=80_000_000)) == [
        "task a: timeout: is 80000 s; at most 3600 s allowed"
    ]


def test_all_problems_are_listed_with_a_remedy(rules: PlanRules) -> None:
    plan = Plan("", (replace(task("a", after=("x",)), engine="gpt"), task("a", "/b")))
    with pytest.raises(PlanError) as error:
        validate(plan, rules)
    assert str(error.value) == snapshot("""\
4 problems
  - task a: the id is used 2 times; each task needs its own
  - task a: depends_on: 'x' is not in the plan (allowed: none, it is the only task)
  - task a: engine: there is no engine 'gpt' (allowed: claude-code, codex)
  - task a: paths: '/b' is absolute: write it relative to the top of the repository, like src/**
  → change the plan: `brat mayor plan --yaml` prints it, `brat mayor start --plan FILE` runs the edited one\
""")


def test_a_plan_says_what_validation_did(rules: PlanRules) -> None:
    plan = Plan(
        "",
        (
            task("code", "src/**", ".github/workflows/ci.yml"),
            task("docs", "docs/**"),
            task("guide", "docs/guide.md"),
            replace(task("unit", "src/**"), commands=(), kind="bench"),
            task("free"),
        ),
    )
    valid = validate(plan, rules)
    assert valid.added == (("guide", "docs"), ("unit", "code"))
    assert valid.plan.tasks[3].commands == ("pytest -q",)
    assert [folded(note) for note in valid.plan.notes] == snapshot(
        [
            "guide waits for docs: both may write the same files (docs/** and docs/guide.md overlap)",
            "unit waits for code: both may write src/**",
            "free: no write globs, so any file may be written; conflicts are resolved at landing",
            "unit: no acceptance commands, so the repository's own checks decide: pytest -q",
            "unit: there is no [engine.bench], so [engine.default] does it",
            """\
code: .github/workflows/ci.yml is or holds a protected path (.github/**): such a change is
    held until a person releases it\
""",
        ]
    )


@pytest.mark.parametrize(("glob", "noted"), [("test_*.py", False), ("*.yml", False), (".git*/**", True)])
def test_a_glob_that_counts_at_any_depth_means_no_protected_path(
    rules: PlanRules, *, glob: str, noted: bool
) -> None:
    notes = validate(Plan("", (task("a", glob),)), rules).plan.notes
    assert any("protected path" in note for note in notes) is noted


def test_without_any_check_the_plan_says_that_nothing_verifies_it(rules: PlanRules) -> None:
    plan = Plan("", (replace(task("a", "src/**"), commands=()),))
    assert list(validate(plan, replace(rules, checks=())).plan.notes) == snapshot(
        ["a: nothing will verify the work, neither acceptance commands nor checks are given"]
    )


def test_a_plan_of_one_task_is_a_good_plan(rules: PlanRules) -> None:
    plan = Plan("One thing", (task("a"),))
    assert validate(plan, rules) == ValidPlan(plan, plan_hash(plan))


def test_tasks_without_globs_run_in_parallel(rules: PlanRules) -> None:
    plan = Plan("", (task("a"), task("b"), task("c", "src/**")))
    assert validate(plan, rules).added == ()


def test_a_plan_as_wide_as_allowed_only_by_added_edges_passes(rules: PlanRules) -> None:
    plan = Plan("", (task("a", "x/**"), task("b", "x/**"), task("c", "x/**")))
    valid = validate(plan, replace(rules, max_width=1))
    assert valid.added == (("b", "a"), ("c", "b"))
