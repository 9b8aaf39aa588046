"""What the operator is told of passes: counts for the metrics, and in the log what was refused."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from app.board import Board, Convoy
from app.control import Pass, Refusal
from app.forge.github import RepositoryRef
from app.ports import SessionEnded
from app.service import Counted

__all__ = ["Report", "requests_of"]


_KEPT = 200
"""Refusals of a repository that are remembered, so that none is told with every pass."""
_BRANCHES = "refs/heads/convoy/"

log = logging.getLogger("brat.worker")


class Report:
    """For all repositories of a process: counts are handed out once, a refusal is told until it changes."""

    def __init__(self, redact: Callable[[str], str]) -> None:
        self._redact = redact
        self._lock = threading.Lock()
        self._counts: Counter[Counted] = Counter()
        self._told: dict[int, dict[Refusal, None]] = {}

    def note(self, place: RepositoryRef, done: Pass) -> None:
        """A pass has ended. What is refused in one and tried again in the next but one is no news."""
        with self._lock:
            self._counts.update(_counted(done))
            told = self._told.setdefault(place.id, {})
            well = {name for name, end in done.acts if end == "done"}
            news = [each for each in dict.fromkeys(done.refusals) if each not in told]
            for each in [each for each in told if each.action in well and each not in done.refusals]:
                del told[each]
            told.update(dict.fromkeys(done.refusals))
            for each in list(told)[:-_KEPT]:
                del told[each]
        self._tell(place, done.board, news)

    def _tell(self, place: RepositoryRef, board: Board, refusals: Iterable[Refusal]) -> None:
        for each in refusals:
            words = f"{' '.join(filter(None, (each.action, each.about)))} in {place.name}: {each.reason}"
            remedy = f" -> {each.remedy}" if each.remedy else ""
            about = {"repository": place.id, "action": each.action, "convoy": _convoy(board, each.about)}
            log.warning("%s", self._redact(words + remedy), extra=about)

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


def _convoy(board: Board, about: str) -> str | None:
    """The short name of the convoy that a ref, `#number` or session belongs to, where it is known."""
    if about.startswith(_BRANCHES):
        return about.removeprefix(_BRANCHES).partition("/")[0]
    return next((each.slug for each in board.convoys if about and about in _names(each)), None)


def _names(convoy: Convoy) -> Iterator[str]:
    pulls = (convoy.pull, *(each.pull for each in convoy.tasks))
    yield from (f"#{each.number}" for each in (convoy.request, *pulls) if each is not None)
    yield from (each.id for each in convoy.all_sessions)
