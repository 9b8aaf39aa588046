"""Which convoys' issues still have to show something."""

from __future__ import annotations

from app.board import Board, Convoy
from app.desk.asking import DAY_MS

__all__ = ["to_be_told"]

UNTOLD_MS = 7 * DAY_MS
"""After so long the end of a convoy is not told any more: its issue is gone or may not be written to."""


def to_be_told(board: Board, *, now: int) -> tuple[Convoy, ...]:
    """Convoys whose issue still has to show something: open ones, and those that ended and were not told."""
    since = now - UNTOLD_MS
    return tuple(each for each in board.untold if not each.status.final or each.updated_ts > since)
