"""Facts from a command into the log: decided on the newest board, written by compare-and-swap."""

from __future__ import annotations

import getpass
from collections.abc import Callable
from typing import TYPE_CHECKING

from app.board import Board, fold, record
from app.errors import Moved
from app.ports import Fact

if TYPE_CHECKING:
    from app.wiring import Workshop

__all__ = ["person", "record_facts"]

_ATTEMPTS = 8
"""A running loop writes a few times a second at most."""


def record_facts(workshop: Workshop, decide: Callable[[Board], tuple[Fact, ...]]) -> tuple[Fact, ...]:
    """Write what `decide` says of the board; when somebody else wrote first, it is asked again.

    Raises what `decide` raises, and Moved when others were faster each time.
    """
    log = workshop.log(write=True)
    trust, _ = workshop.pins.trust(log.read())
    for attempt in range(_ATTEMPTS):
        history = log.read()
        board = fold(history.events, trusted=trust, head=history.head)
        facts = decide(board)
        if not facts:
            return ()
        try:
            log.append(record(board, facts, now=workshop.surroundings.clock()), expected=board.head)
        except Moved:
            if attempt == _ATTEMPTS - 1:
                raise
            continue
        break
    return facts


def person(workshop: Workshop) -> str:
    """Who asks, as git knows them here; else the name on this machine."""
    import pygit2

    named = workshop.surroundings.environ.get("GIT_AUTHOR_NAME")
    if named:
        return named
    try:
        named = pygit2.Repository(str(workshop.repository.common_dir)).config["user.name"]
    except KeyError:
        named = None
    return named or getpass.getuser()
