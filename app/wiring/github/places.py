"""Which repositories the App may work on, as this process last saw them."""

from __future__ import annotations

import logging
import threading

from app.errors import BratError
from app.forge.github import GitHubApp, Installation, RepositoryRef
from app.ports import Clock

__all__ = ["Places"]

FRESH_MS = 300_000
"""A rename, or a repository that was taken away, is noticed after this also where no sweep runs here."""

log = logging.getLogger("brat.worker")


class Places:
    """Only what GitHub lists counts: a list that could not be read changes nothing.

    Archived repositories and those of suspended installations are as good as gone.
    """

    def __init__(self, app: GitHubApp, clock: Clock) -> None:
        self._app, self._clock = app, clock
        self._lock = threading.Lock()
        self._known: dict[int, RepositoryRef] = {}
        self._read_at: dict[int, int] = {}

    def everywhere(self) -> tuple[RepositoryRef, ...]:
        """All that there are, read anew. Raises Later and OperatorError where nothing could be read."""
        installations = self._app.installations()
        for each in installations:
            self._read(each)
        self._drop({each.id for each in installations})
        with self._lock:
            return tuple(self._known.values())

    def find(self, repository: int, installation: int) -> RepositoryRef | None:
        """Where it is now; None where there is nothing to work on."""
        with self._lock:
            place = self._known.get(repository)
        # A hint may be older than a move to another account.
        number = installation if place is None else place.installation
        if place is None or self._clock() - self._read_at.get(number, 0) > FRESH_MS:
            self._look(number, known=place is not None)
        with self._lock:
            return self._known.get(repository)

    def _look(self, installation: int, *, known: bool) -> None:
        try:
            there = {each.id: each for each in self._app.installations()}
        except BratError as error:
            if not known:
                raise
            log.warning("the App's installations could not be read: %s", error)
            return
        if installation in there:
            self._read(there[installation])
        self._drop(set(there))

    def _read(self, installation: Installation) -> None:
        try:
            found = () if installation.suspended else self._app.repositories(installation.id)
        except BratError as error:
            log.warning("the repositories of %s could not be read: %s", installation.account, error)
            return
        self._read_at[installation.id] = self._clock()
        with self._lock:
            kept = {id: each for id, each in self._known.items() if each.installation != installation.id}
            self._known = kept | {each.id: each for each in found if not each.archived}

    def _drop(self, alive: set[int]) -> None:
        with self._lock:
            self._known = {id: each for id, each in self._known.items() if each.installation in alive}
