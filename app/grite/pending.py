"""Group commit: what several threads want to append at once goes into one commit."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from app.errors import Defect, UserError
from app.grite.events import Draft

__all__ = ["Pending"]


@dataclass(slots=True)
class _Ticket:
    """One thread's wish and its answer."""

    drafts: tuple[Draft, ...]
    commit: str | None = None
    error: BaseException | None = None


class Pending:
    """Wishes that wait. Whoever gets the turn takes all of them along, and all get the same answer."""

    def __init__(self, commit: Callable[[Sequence[Draft]], str]) -> None:
        self._commit = commit
        self._door = threading.Lock()
        self._turn = threading.Lock()
        self._waiting: list[_Ticket] = []

    def append(self, drafts: Sequence[Draft]) -> str:
        """Returns the commit that holds these drafts, or raises what kept it from being made."""
        mine = _Ticket(tuple(drafts))
        with self._door:
            self._waiting.append(mine)
        with self._turn:
            if mine.commit is None and mine.error is None:
                self._serve()
        if mine.error is not None:
            raise mine.error
        if mine.commit is None:
            raise Defect("a waiting append got no answer")
        return mine.commit

    def _serve(self) -> None:
        with self._door:
            batch, self._waiting = self._waiting, []
        try:
            self._answer(batch)
        except UserError:
            # Raised before anything is written: one thread's bad draft must not fail the others'.
            for ticket in batch:
                with suppress(UserError):
                    self._answer([ticket])

    def _answer(self, batch: Sequence[_Ticket]) -> None:
        try:
            made = self._commit([draft for ticket in batch for draft in ticket.drafts])
        except BaseException as reason:
            for ticket in batch:
                ticket.error = reason
            if isinstance(reason, UserError):
                raise
            return
        for ticket in batch:
            ticket.commit, ticket.error = made, None
