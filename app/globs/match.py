"""Whether two globs meet in a file, and what is wrong with a glob."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TypeVar

from app.globs.pattern import Char, Pattern, Segment, of_glob, of_path

__all__ = ["glob_problem", "matches", "overlap"]

MAX_LENGTH = 200

T = TypeVar("T")


@lru_cache(maxsize=16_384)
def overlap(one: str, other: str) -> bool:
    """Whether some file could be covered by both globs. Exact, in time of the product of their lengths."""
    return _paths_meet(of_glob(one), of_glob(other))


def matches(globs: Iterable[str], path: str) -> bool:
    """Whether a file (relative, `/` between folders) is covered by one of the globs.

    No globs cover nothing.
    """
    exact = of_path(path)
    return any(_paths_meet(of_glob(glob), exact) for glob in globs)


def glob_problem(glob: str) -> str | None:
    """Why a glob cannot be a task's write glob, with what to write instead; None when it can."""
    return next((reason for wrong, reason in _REFUSALS if wrong(glob)), None)


def _has_name(*names: str) -> Callable[[str], bool]:
    return lambda glob: any(name.lower() in names for name in glob.split("/"))


def _unclosed(glob: str) -> bool:
    return any(re.search(r"\[(?![!^]?[^/]+?\])", name) is not None for name in glob.split("/"))


_REFUSALS: tuple[tuple[Callable[[str], bool], str], ...] = (
    (lambda glob: not glob.strip(), "is empty"),
    (lambda glob: len(glob) > MAX_LENGTH, f"is longer than {MAX_LENGTH} characters"),
    (lambda glob: not glob.isprintable(), "holds a control character"),
    (lambda glob: glob != glob.strip(), "has a space at an end"),
    (lambda glob: "\\" in glob, "holds a backslash: write / between folders"),
    (
        lambda glob: glob.startswith(("/", "~")) or re.match(r"[A-Za-z]:", glob) is not None,
        "is absolute: write it relative to the top of the repository, like src/**",
    ),
    (lambda glob: glob.startswith("!"), "is a negation: name what may be written instead"),
    (lambda glob: glob.startswith("#"), "starts with #, which is a comment in a gitignore"),
    (
        lambda glob: "{" in glob or "}" in glob,
        "holds braces, which are not expanded: write one glob for each",
    ),
    (_has_name(".."), "leaves the repository with `..`"),
    (_has_name(".git"), "names .git, which no task may write"),
    (_has_name("."), "has a `.` folder: leave it out, like src/**"),
    (lambda glob: "//" in glob, "has an empty folder name (`//`)"),
    (lambda glob: "[[:" in glob, "holds a POSIX class: write a range, like [a-z]"),
    (_unclosed, "has a [ without its ]"),
)


def _paths_meet(one: Pattern, other: Pattern) -> bool:
    return _meet(one, other, repeats=lambda name: name is None, alike=_segments_meet)


@lru_cache(maxsize=65_536)
def _segments_meet(one: Segment, other: Segment) -> bool:
    if one is None or other is None:
        return True
    return _meet(one, other, repeats=lambda char: char.repeat, alike=_chars_meet)


def _chars_meet(one: Char, other: Char) -> bool:
    return any(a <= d and c <= b for a, b in one.spans for c, d in other.spans)


def _meet(
    one: tuple[T, ...],
    other: tuple[T, ...],
    *,
    repeats: Callable[[T], bool],
    alike: Callable[[T, T], bool],
) -> bool:
    """Reachability of the end in the product of two automata whose states are positions."""
    seen = {(0, 0)}
    waiting = [(0, 0)]
    while waiting:
        i, j = waiting.pop()
        if i == len(one) and j == len(other):
            return True
        steps: list[tuple[int, int]] = []
        left = i < len(one) and repeats(one[i])
        right = j < len(other) and repeats(other[j])
        if left:
            steps.append((i + 1, j))
        if right:
            steps.append((i, j + 1))
        if i < len(one) and j < len(other) and alike(one[i], other[j]):
            steps.append((i if left else i + 1, j if right else j + 1))
        fresh = [step for step in steps if step not in seen]
        seen.update(fresh)
        waiting += fresh
    return False
