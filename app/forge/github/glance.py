"""When the great GraphQL read is left out: it is always charged, an unchanged REST answer never."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable

from app.forge.github.client import Client, Unreadable
from app.forge.github.overview import Overview, Questions
from app.ports import Clock, PullState
from app.values import dataclass

__all__ = ["Glance"]

_LONGEST_MS = 30 * 60_000
_MOST_HEADS = 10
"""Each head costs two unchanged answers: with more of them one charged read is quicker."""

_POSTED = ("check-runs", "status")


@dataclass(frozen=True, slots=True)
class _Before:
    questions: Questions
    listed: str
    marks: tuple[str, ...] | None
    at: int
    seen: Overview


class Glance:
    """Keeps the last overview while cheap signs say that nothing moved, for half an hour at most.

    Signs are the list of open pull requests and issues, which carries the time of their last change, and the
    checks of each head. What changes without such a sign is never kept: a merge that is being computed, an
    entry in a queue, an open conversation.
    """

    def __init__(self, client: Client, repository: str, clock: Clock) -> None:
        self._client, self._root, self._clock = client, f"/repos/{repository}", clock
        self._before: _Before | None = None

    def forget(self) -> None:
        """Something was done: the next look is a whole one."""
        self._before = None

    def look(self, questions: Questions, listed: str, read: Callable[[], Overview]) -> Overview:
        """What was seen before, or what `read` sees now. `listed` is what the lists showed."""
        before, now = self._before, self._clock()
        same = before is not None and (before.questions, before.listed) == (questions, listed)
        marks = None
        if before is not None and same:
            marks = self._marks((*questions.heads, *(pull.head for pull in before.seen.pulls.values())))
            if marks is not None and marks == before.marks and now - before.at < _LONGEST_MS:
                return before.seen
        seen = read()
        self._before = _Before(questions, listed, marks, now, seen) if _rests(seen, questions) else None
        return seen

    def _marks(self, heads: Iterable[str]) -> tuple[str, ...] | None:
        once = tuple(dict.fromkeys(heads))
        if len(once) > _MOST_HEADS:
            return None
        try:
            return tuple(self._digest(f"/commits/{head}/{what}") for head in once for what in _POSTED)
        except Unreadable:
            return None

    def _digest(self, path: str) -> str:
        return hashlib.sha256(self._client.get(f"{self._root}{path}", {"per_page": 100}).body).hexdigest()


def _rests(seen: Overview, questions: Questions) -> bool:
    """Whether all was answered, and nothing is under way that shows no sign of its own."""
    whole = seen.pulls.keys() >= set(questions.pulls) and seen.edits.keys() >= set(questions.issues)
    open_ones = [pull for pull in seen.pulls.values() if pull.state is PullState.OPEN]
    return whole and all(
        pull.mergeable is not None and pull.queue is None and pull.conversations == 0 for pull in open_ones
    )
