"""One look: everything that a decision may be made from, read once and frozen."""

from __future__ import annotations

from app.board.board import Board
from app.config import Config
from app.ports import Seen, SessionSeen, Setting
from app.values import dataclass

__all__ = ["Look"]


@dataclass(frozen=True, slots=True)
class Look:
    """The board as folded, the world as seen, the settings in force, and where and when this is decided."""

    board: Board
    seen: Seen
    config: Config
    setting: Setting

    @property
    def now(self) -> int:
        return self.setting.now

    def session(self, id: str) -> SessionSeen | None:
        """This machine's view of a session; None when it was not looked at."""
        return self.seen.sessions.get(id)
