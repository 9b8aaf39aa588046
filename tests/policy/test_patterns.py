"""Branch filters, with the examples of GitHub's cheat sheet.

https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#filter-pattern-cheat-sheet
"""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.policy import BadPattern, passes_filter

NAMES = st.text(alphabet="ab/1-", max_size=8)


@pytest.mark.parametrize(
    ("pattern", "inside", "outside"),
    [
        ("feature/*", ["feature/my-branch", "feature/your-branch"], ["feature/a/b", "feature"]),
        ("feature/**", ["feature/beta-a/my-branch", "feature/mona/the/octocat"], ["feature", "features/a"]),
        ("main", ["main"], ["main2", "amain", "main/x"]),
        ("releases/mona-the-octocat", ["releases/mona-the-octocat"], ["releases"]),
        ("*", ["main", "releases"], ["all/the/branches"]),
        ("**", ["all/the/branches", "every/tag"], []),
        ("*feature", ["mona-feature", "feature", "ver-10-feature"], ["a/feature"]),
        ("v2*", ["v2", "v2.0", "v2.9"], ["v1", "v2/0"]),
        ("v[12].[0-9]+.[0-9]+", ["v1.10.1", "v2.0.0"], ["v3.0.0", "v1..0", "v1.0"]),
        ("*.jsx?", ["page.js", "page.jsx"], ["page.jsxx"]),
        ("Octo*", ["Octocat"], ["octocat"]),
        ("[CB]at", ["Cat", "Bat"], ["Rat", "at"]),
        ("[1-2]00", ["100", "200"], ["300", "-00"]),
        ("a\\+b", ["a+b"], ["aab", "ab"]),
        ("\\*", ["*"], ["x"]),
        ("a.b", ["a.b"], ["axb"]),
    ],
)
def test_a_pattern_lets_in_what_the_cheat_sheet_says(
    pattern: str, inside: list[str], outside: list[str]
) -> None:
    assert [name for name in inside if not passes_filter([pattern], name)] == []
    assert [name for name in outside if passes_filter([pattern], name)] == []


def test_a_later_negation_takes_out_and_a_later_pattern_lets_in_again() -> None:
    assert not passes_filter(["convoy/**", "!convoy/x/**"], "convoy/x/task-1")
    assert passes_filter(["!convoy/x/**", "convoy/**"], "convoy/x/task-1")
    assert passes_filter(["**", "!convoy/**", "convoy/x/*"], "convoy/x/task-1")
    assert not passes_filter(["!main"], "convoy/x/task-1")


@pytest.mark.parametrize(
    "pattern", ["", "+a", "?", "[", "[]", "[a", "[^a]", "[z-a]", "[!a]", "a\\", "${{ vars.B }}", "[a-]"]
)
def test_what_the_cheat_sheet_does_not_explain_is_not_guessed(pattern: str) -> None:
    with pytest.raises(BadPattern):
        passes_filter([pattern], "a")


@given(st.text(alphabet="ab/*+?", min_size=1, max_size=6), NAMES)
def test_matching_agrees_with_a_regular_expression(pattern: str, name: str) -> None:
    parts = re.findall(r"\*\*|.", pattern)
    if parts[0] in "?+" or any(a in "?+" and b in "?+" for a, b in pairwise(parts)):
        return
    words = {"**": "(?:.*)", "*": "(?:[^/]*)"}
    regex = "".join(words.get(each, each) for each in parts)
    assert passes_filter([pattern], name) == (re.fullmatch(regex, name) is not None)


def test_a_hostile_pattern_is_not_slow() -> None:
    assert not passes_filter(["*a" * 200 + "b"], "a" * 5000)
