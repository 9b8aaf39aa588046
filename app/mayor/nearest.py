"""The nearest right name to a mistyped one."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ["did_you_mean", "misspelt"]


def misspelt(word: str, names: Iterable[str]) -> str | None:
    """The name that `word` surely was meant to be, or None.

    One slip (a letter added, lost, changed, or two swapped), or two in a name of five letters and more that
    keeps its first letter: `Later` is two from `after` and a word of its own.
    """
    low = word.lower()
    slips = sorted((_slips(low, name), name) for name in names if name != low)
    if not slips:
        return None
    count, name = slips[0]
    sure = count == 1 or (count == 2 and len(name) >= 5 and low[:1] == name[0])
    return name if sure else None


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """`; did you mean 'paths'?`, or nothing when no name is near."""
    near = get_close_matches(word.lower(), list(names), n=1, cutoff=0.7)
    return f"; did you mean {near[0]!r}?" if near else ""


def _slips(one: str, other: str) -> int:
    """Optimal string alignment distance (https://en.wikipedia.org/wiki/Damerau-Levenshtein_distance)."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, char in enumerate(one, 1):
        older, before, row = before, row, [i]
        for j, wanted in enumerate(other, 1):
            best = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (char != wanted))
            if i > 1 and j > 1 and char == other[j - 2] and one[i - 2] == wanted:
                best = min(best, older[j - 2] + 1)
            row.append(best)
    return row[-1]
