"""Which files a glob covers, and whether two globs meet."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot
from pathspec import GitIgnoreSpec

from app.globs import glob_problem, matches, overlap

NAMES = ("a", "b", "aa", "ab", "ba", "bb")
SHALLOW = tuple("/".join(names) for depth in (1, 2) for names in product(NAMES, repeat=depth))
DEEP = tuple("/".join(names) for depth in range(1, 8) for names in product("ab", repeat=depth))

chars = st.sampled_from(["a", "b", "*", "?", "[ab]", "[!a]", "[a-b]"])
names = st.lists(chars, min_size=1, max_size=2).map("".join)
folders = st.lists(st.sampled_from(["a", "b", "*", "**"]), min_size=1, max_size=3).map("/".join)
wide = st.builds(lambda first, rest: "/".join([first, *rest]), names, st.lists(names, max_size=1))


def as_gitignore(glob: str) -> str:
    plain = not any(char in glob for char in "*?[") and "/" not in glob.rstrip("/")
    return f"/{glob}" if plain else glob


def covered(glob: str, paths: tuple[str, ...]) -> set[str]:
    return set(GitIgnoreSpec.from_lines([as_gitignore(glob)]).match_files(paths))


@given(
    st.one_of(folders, wide, folders.filter(lambda glob: not glob.endswith("*")).map(lambda glob: f"{glob}/"))
)
def test_a_glob_covers_what_a_gitignore_line_covers(glob: str) -> None:
    assert {path for path in SHALLOW if matches((glob,), path)} == covered(glob, SHALLOW)
    assert {path for path in DEEP if matches((glob,), path)} == covered(glob, DEEP)


@given(folders, folders)
def test_folder_globs_overlap_exactly_when_some_file_is_in_both(one: str, other: str) -> None:
    assert overlap(one, other) == any(matches((one,), path) and matches((other,), path) for path in DEEP)


@given(wide, wide)
def test_name_globs_overlap_exactly_when_some_file_is_in_both(one: str, other: str) -> None:
    paths = (*SHALLOW, *(f"{a}/{b}/{c}" for a, b, c in product(NAMES, repeat=3)))
    assert overlap(one, other) == any(matches((one,), path) and matches((other,), path) for path in paths)


@given(st.one_of(folders, wide), st.one_of(folders, wide))
def test_overlap_has_no_direction_and_every_glob_meets_itself(one: str, other: str) -> None:
    assert overlap(one, other) == overlap(other, one)
    assert overlap(one, one)


@pytest.mark.parametrize(
    ("one", "other", "meet"),
    [
        ("docs/**", "docs/**", True),
        ("docs/**", "docs/api.md", True),
        ("docs", "docs/api.md", True),
        ("docs/", "docs", True),
        ("docs/**", "docs-old/**", False),
        ("src/*.py", "src/**/test_*.py", True),
        ("src/*.py", "src/*.rs", False),
        ("src/auth/**", "src/api/**", False),
        ("**/*.md", "src/**", True),
        ("*.md", "README.md", True),
        ("README.md", "tests/**", False),
        ("README.md", "README.md", True),
        ("a/**/z", "a/b/**", True),
        ("a/[0-9].txt", "a/[a-z].txt", False),
        ("a/[!0-9].txt", "a/[a-z].txt", True),
        ("ünï/**", "ünï/x", True),
    ],
)
def test_globs_of_real_plans(one: str, other: str, meet: bool) -> None:
    assert overlap(one, other) is meet


def test_hostile_globs_are_decided_at_once() -> None:
    assert not overlap("x/" + "*a" * 90 + "b", "x/" + "*a" * 90 + "c")
    assert overlap("*a" * 90 + "b", "*a" * 90 + "c"), "a file of one name in a folder of the other"
    assert not overlap("x/" + "**/a/" * 38 + "b", "y/" + "**/a/" * 38 + "b")


@pytest.mark.parametrize(
    "glob", ["src/**", "a.py", "**/*.md", ".github/**", ".gitignore", "a b/c", "x[0-9]/*", "src/[id]/p"]
)
def test_a_sane_glob_has_no_problem(glob: str) -> None:
    assert glob_problem(glob) is None


def test_each_refused_glob_is_told_why() -> None:
    refused = (
        "", "x" * 201, "a\nb", " a", "a\\b", "/etc/passwd", "~/x", "C:/x", "!a", "#a", "src/{a,b}",
        "a/../b", "a/.GIT/hooks", "./src", "a//b", "[[:alpha:]]", "a[b",
    )  # fmt: skip
    assert [f"{glob[:12]!r} {glob_problem(glob)}" for glob in refused] == snapshot(
        [
            "'' is empty",
            "'xxxxxxxxxxxx' is longer than 200 characters",
            "'a\\nb' holds a control character",
            "' a' has a space at an end",
            "'a\\\\b' holds a backslash: write / between folders",
            "'/etc/passwd' is absolute: write it relative to the top of the repository, like src/**",
            "'~/x' is absolute: write it relative to the top of the repository, like src/**",
            "'C:/x' is absolute: write it relative to the top of the repository, like src/**",
            "'!a' is a negation: name what may be written instead",
            "'#a' starts with #, which is a comment in a gitignore",
            "'src/{a,b}' holds braces, which are not expanded: write one glob for each",
            "'a/../b' leaves the repository with `..`",
            "'a/.GIT/hooks' names .git, which no task may write",
            "'./src' has a `.` folder: leave it out, like src/**",
            "'a//b' has an empty folder name (`//`)",
            "'[[:alpha:]]' holds a POSIX class: write a range, like [a-z]",
            "'a[b' has a [ without its ]",
        ]
    )
