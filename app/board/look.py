"""One look: everything that a decision may be made from, read once and frozen."""

from __future__ import annotations

from dataclasses import replace

from app.board.board import Board
from app.board.views import open_sessions
from app.config import Config
from app.ports import Decision, Seen, SessionSeen, SessionStarted, Setting
from app.values import dataclass

__all__ = ["Look"]


@dataclass(frozen=True, slots=True)
class Look:
    """The board as folded, the world as seen, the settings in force, and where and when this is decided.

    `starting` are the sessions that start by what was decided from this look before.
    """

    board: Board
    seen: Seen
    config: Config
    setting: Setting
    starting: tuple[SessionStarted, ...] = ()

    @property
    def now(self) -> int:
        return self.setting.now

    @property
    def occupied_slots(self) -> int:
        """Sessions with an engine that have not ended, and those that start now."""
        begun = [session.started for _, session in open_sessions(self.board)]
        return sum(each.purpose != "check" for each in (*begun, *self.starting))

    def session(self, id: str) -> SessionSeen | None:
        """This machine's view of a session; None when it was not looked at."""
        return self.seen.sessions.get(id)

    def taken(self, name: str) -> bool:
        """Whether a short id belongs to something else already."""
        return name in self.board.taken or any(each.session == name for each in self.starting)

    def after(self, decision: Decision) -> Look:
        """The same look for what is decided next: a session that starts has its slot, money and name."""
        starting = tuple(each for each in decision.facts if isinstance(each, SessionStarted))
        return replace(self, starting=(*self.starting, *starting)) if starting else self
