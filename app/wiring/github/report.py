"""What the operator is told of passes: counts for the metrics."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator, Mapping

from app.control import Pass
from app.ports import SessionEnded
from app.service import Counted

__all__ = ["Report", "requests_of"]


class Report:
    """Kept for all repositories of a process, and handed out once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[Counted] = Counter()

    def note(self, done: Pass) -> None:
        """A pass has ended."""
        with self._lock:
            self._counts.update(_counted(done))

    def counted(self) -> tuple[Counted, ...]:
        """What was noted since this was last asked."""
        with self._lock:
            told, self._counts = self._counts, Counter()
        return tuple(Counted(each.what, each.labels, amount) for each, amount in told.items())


def requests_of(counts: Mapping[str, int]) -> Iterator[Counted]:
    """Requests by the answer's status."""
    for status, amount in counts.items():
        yield Counted("github_requests", (status,), amount)


def _counted(done: Pass) -> Iterator[Counted]:
    for act in done.acts:
        yield Counted("actions", act)
    for fact in done.facts:
        # Of several workers only the one whose fact it is counts an end.
        if isinstance(fact, SessionEnded):
            yield Counted("sessions", (fact.purpose, str(fact.finding)))
