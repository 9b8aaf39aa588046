"""Where a comment stands: which convoy, which task, issue or pull request."""

from __future__ import annotations

from app.board import Board, Convoy, Task
from app.texts import Place
from app.values import dataclass

__all__ = ["Spot", "latest_convoy", "spot_of"]


@dataclass(frozen=True, slots=True)
class Spot:
    """A number of the code host. `task`: this is its own pull request."""

    number: int
    place: Place = Place.ISSUE
    convoy: Convoy | None = None
    task: Task | None = None


def latest_convoy(board: Board, number: int) -> Convoy | None:
    """The convoy that was asked for in this issue: the open one, else the newest."""
    return _newest(board.open_convoys, number) or _newest(board.convoys, number)


def _newest(convoys: tuple[Convoy, ...], number: int) -> Convoy | None:
    asked = [each for each in convoys if each.request is not None and each.request.number == number]
    return max(asked, key=lambda each: each.opened_ts, default=None)


def spot_of(board: Board, number: int, *, on_pull: bool = False) -> Spot:
    """What the log knows of a number; a pull request is known once it was recorded.

    `on_pull`: the code host says that it is one, be it ours or anybody's.
    """
    if (convoy := latest_convoy(board, number)) is not None:
        return Spot(number, Place.ISSUE, convoy)
    for convoy in board.convoys:
        if convoy.pull is not None and convoy.pull.number == number:
            return Spot(number, Place.PULL, convoy)
        for task in convoy.tasks:
            if task.pull is not None and task.pull.number == number:
                return Spot(number, Place.PULL, convoy, task)
    return Spot(number, Place.PULL if on_pull else Place.ISSUE)
