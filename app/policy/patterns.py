"""GitHub's filter patterns for branches.

https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#filter-pattern-cheat-sheet
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from app.values import dataclass

__all__ = ["BadPattern", "passes_filter"]

_RANGE = re.compile(r"[A-Za-z0-9](?:-[A-Za-z0-9])?")


class BadPattern(ValueError):
    """A pattern that GitHub's cheat sheet does not explain."""


@dataclass(frozen=True, slots=True)
class _Atom:
    """What one place of the pattern takes: a literal or class (`spans`), or anything (`slash`: also `/`)."""

    spans: tuple[tuple[str, str], ...] | None
    slash: bool = False
    least: int = 1
    repeats: bool = False

    def takes(self, char: str) -> bool:
        if self.spans is None:
            return self.slash or char != "/"
        return any(low <= char <= high for low, high in self.spans)


def passes_filter(patterns: Sequence[str], name: str) -> bool:
    """Whether a branch is let in: patterns in order, a later `!` takes out what an earlier one let in.

    Raises `BadPattern`.
    """
    inside = False
    for pattern in patterns:
        negated = pattern.startswith("!")
        if _fits(_atoms(pattern[1:] if negated else pattern), name):
            inside = not negated
    return inside


def _fits(atoms: tuple[_Atom, ...], name: str) -> bool:
    """All places at once, so that no pattern is slow."""
    reached = _skipping(atoms, {0})
    for char in name:
        after = set()
        for at in reached:
            if at < len(atoms) and atoms[at].takes(char):
                after.add(at + 1)
                if atoms[at].repeats:
                    after.add(at)
        reached = _skipping(atoms, after)
    return len(atoms) in reached


def _skipping(atoms: tuple[_Atom, ...], reached: set[int]) -> set[int]:
    result = set(reached)
    for at in sorted(reached):
        while at < len(atoms) and atoms[at].least == 0:
            at += 1
            result.add(at)
    return result


def _atoms(pattern: str) -> tuple[_Atom, ...]:
    if not pattern or "${{" in pattern or len(pattern) > 500:
        raise BadPattern(f"the pattern {pattern[:60]!r} cannot be judged")
    atoms: list[_Atom] = []
    at = 0
    while at < len(pattern):
        char = pattern[at]
        if char in "?+":
            atoms[-1:] = [_repeated(atoms, pattern, char)]
            at += 1
        elif char == "*":
            deep = pattern.startswith("**", at)
            atoms.append(_Atom(None, slash=deep, least=0, repeats=True))
            at += 2 if deep else 1
        elif char == "[":
            end = pattern.find("]", at + 1)
            atoms.append(_Atom(_class(pattern, pattern[at + 1 : end] if end > 0 else "")))
            at = end + 1
        else:
            at += char == "\\"
            literal = pattern[at : at + 1]
            if not literal:
                raise BadPattern(f"the pattern {pattern!r} ends in a backslash")
            atoms.append(_Atom(((literal, literal),)))
            at += 1
    return tuple(atoms)


def _repeated(atoms: list[_Atom], pattern: str, char: str) -> _Atom:
    """`?` is none or one, `+` one or more of what stands before."""
    if not atoms:
        raise BadPattern(f"the pattern {pattern!r} has {char} with nothing before it")
    last = atoms[-1]
    if char == "?":
        return _Atom(last.spans, last.slash, 0, last.repeats)
    return _Atom(last.spans, last.slash, last.least, repeats=True)


def _class(pattern: str, body: str) -> tuple[tuple[str, str], ...]:
    """`[CB]`, `[0-9a-z]`: letters and digits only, so that nothing else has to be guessed."""
    spans = tuple((each[0], each[-1]) for each in _RANGE.findall(body))
    if _RANGE.sub("", body) or not spans or any(low > high for low, high in spans):
        raise BadPattern(f"the pattern {pattern!r} has brackets that cannot be judged")
    return spans
