"""Every module of the house keeps the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import pytest

from tests.house.habits import (
    foreign_places,
    no_evading_test,
    no_swallowed_error,
    no_switched_off_rule,
    quick_values,
)
from tests.house.sizes import comment_ratio, function_sizes, module_length
from tests.house.source import Source, sources, tracked_files
from tests.house.surface import complete_all, rooms_by_name

Rule = Callable[[Source], Iterator[str]]


def hold(rule: Rule, *folders: str) -> None:
    """Fail with all problems, one a line."""
    none_of(problem for source in sources(*folders) for problem in rule(source))


def none_of(problems: Iterable[str]) -> None:
    if found := "\n".join(problems):
        pytest.fail(found, pytrace=False)


@pytest.mark.parametrize(
    "rule", [module_length, function_sizes, complete_all, no_switched_off_rule, quick_values]
)
def test_program_keeps_the_rule(rule: Rule) -> None:
    hold(rule, "app")


@pytest.mark.parametrize("rule", [comment_ratio, no_swallowed_error, rooms_by_name])
def test_program_and_tests_keep_the_rule(rule: Rule) -> None:
    hold(rule, "app", "tests", "benchmarks")


def test_no_test_sleeps_or_is_skipped() -> None:
    hold(no_evading_test, "tests")


def test_no_file_names_a_registry_a_machine_or_unfinished_work() -> None:
    none_of(problem for path, text in tracked_files() for problem in foreign_places(path, text))
