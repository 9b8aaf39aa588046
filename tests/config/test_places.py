from __future__ import annotations

import tomllib
from typing import Any

import tomlkit
from hypothesis import given
from hypothesis import strategies as st

from app.config.places import KeyPath, locate, spots

NAMES = st.sampled_from(["a", "b", "c-d", "x y", "é", 'q"q', "tail.dot"])
VALUES = st.recursive(
    st.integers(0, 9) | st.booleans() | st.sampled_from(["", "a = 1", "#", "[x]\nb", "''' \"\"\""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=12,
)


def paths(node: Any, path: KeyPath = ()) -> set[KeyPath]:
    found = {path} if path and isinstance(path[-1], str) else set()
    if isinstance(node, dict):
        return found.union(*(paths(value, (*path, key)) for key, value in node.items()))
    if isinstance(node, list):
        return found.union(*(paths(value, (*path, index)) for index, value in enumerate(node)))
    return found


@given(st.dictionaries(NAMES, VALUES, max_size=4))
def test_every_key_of_a_file_is_found_where_it_stands(data: dict[str, Any]) -> None:
    text = tomlkit.dumps(data)
    found = spots(text)
    for path in paths(tomllib.loads(text)):
        spot = locate(found, path)
        assert spot is not None
        assert spot.path[: len(path)] == path or str(path[-1]) in text.splitlines()[spot.line - 1]
    lines = text.split("\n")
    for spot in found:
        assert lines[spot.line - 1][spot.column - 1 :].startswith(
            text[spot.key[0] : spot.key[1]].split("\n")[0]
        )


def test_strings_and_comments_that_look_like_keys_are_none() -> None:
    text = 'a = """\nb = 1\n[c]\n""" # d = 2\ne = \'[f]\'\n'
    assert [(spot.path, spot.line, spot.end_line) for spot in spots(text)] == [(("a",), 1, 4), (("e",), 5, 5)]


def test_elements_of_an_array_of_tables_are_counted() -> None:
    text = "[[a.b]]\nc = 1\n[a.b.d]\ne = 1\n[[a.b]]\nc = 2\n"
    assert [spot.path for spot in spots(text)] == [
        ("a", "b", 0),
        ("a", "b", 0, "c"),
        ("a", "b", 0, "d"),
        ("a", "b", 0, "d", "e"),
        ("a", "b", 1),
        ("a", "b", 1, "c"),
    ]
