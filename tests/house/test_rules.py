"""Each rule of the house finds what it is for."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.house.habits import (
    foreign_places,
    no_evading_test,
    no_swallowed_error,
    no_switched_off_rule,
    quick_values,
)
from tests.house.sizes import comment_ratio, function_sizes, module_length
from tests.house.source import Source
from tests.house.surface import complete_all, rooms_by_name

SIX_RETURNS_AND_ONE = "def f(x):\n" + "    if x:\n        return 1\n" * 6 + "    return 2\n"
BROKEN: list[tuple[Callable[[Source], Iterator[str]], str, str]] = [
    (module_length, "x = 1\n" * 301, "301 lines"),
    (function_sizes, "def f():\n" + "    x = 1\n" * 40, "f has 41 lines"),
    (function_sizes, "def f(a, b, c, *, d, e, g): ...\n", "6 parameters"),
    (function_sizes, "def f(self, a, b, c, d): ...\n", "4 positional parameters"),
    (function_sizes, SIX_RETURNS_AND_ONE, "7 returns"),
    (comment_ratio, "# one\nx = 1\n# two\n", "2 comments on 1 lines"),
    (complete_all, "__all__ = ['a']\ndef a(): ...\ndef b(): ...\n", "b is public but not in __all__"),
    (complete_all, "__all__ = ['a']\n", "a is in __all__ but not defined here"),
    (no_swallowed_error, "try:\n    f()\nexcept OSError:\n    pass\n", "an emptied except"),
    (no_swallowed_error, "with suppress(Exception):\n    f()\n", "suppresses all"),
    (no_switched_off_rule, "import os  # noqa: F401\n", "switches a rule off"),
    (
        quick_values,
        "from dataclasses import dataclass\n@dataclass(frozen=True, slots=True)\nclass A: ...\n",
        "app.values",
    ),
    (no_evading_test, "time.sleep(1)\n", "calls time.sleep"),
    (no_evading_test, "@pytest.mark.skipif(True)\ndef test(): ...\n", "is marked skipif"),
]


@pytest.mark.parametrize(("rule", "text", "problem"), BROKEN, ids=[each[2] for each in BROKEN])
def test_broken_rule_is_found(rule: Callable[[Source], Iterator[str]], text: str, problem: str) -> None:
    assert problem in " ".join(rule(Source.of(text)))


@pytest.mark.parametrize("rule", [module_length, function_sizes, complete_all, no_swallowed_error])
def test_code_within_the_rules_is_quiet(rule: Callable[[Source], Iterator[str]]) -> None:
    text = (
        '"""A room."""\n__all__ = ["f"]\ndef f(a, b, *, c):\n    def g():\n        return 1\n    return g\n'
    )
    assert list(rule(Source.of(text))) == []


def test_room_shows_exactly_what_it_takes_in() -> None:
    face = Source.of('"""Room."""\nfrom app.room.a import x, y\n__all__ = ["x"]\n', "app/room/__init__.py")
    assert list(complete_all(face)) == ["app/room/__init__.py:1: y is public but not in __all__"]


def test_inside_of_a_room_is_taken_by_the_room_and_its_tests_only() -> None:
    text, rooms = "from app.grite.wal import read\n", frozenset({"grite"})
    for path, problems in [("app/board/x.py", 1), ("app/grite/x.py", 0), ("tests/grite/test_x.py", 0)]:
        assert len(list(rooms_by_name(Source.of(text, path), packages=rooms))) == problems
    by_name = Source.of("from app.grite import read\n", "app/board/x.py")
    assert list(rooms_by_name(by_name, packages=rooms)) == []


@pytest.mark.parametrize(
    "line", ["see https://py" + "pi.org/simple", "cd /ro" + "ot/x", '"resol' + 'ved": "x"', "# TO" + "DO"]
)
def test_place_of_one_machine_is_found(line: str) -> None:
    assert len(list(foreign_places("file", line))) == 1
