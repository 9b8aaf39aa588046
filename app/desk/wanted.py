"""What the desk has to look at on the code host: computed from the log, so no hint is needed."""

from __future__ import annotations

from collections.abc import Iterator

from app.board import Board
from app.config import Config
from app.desk.answers import conversations
from app.desk.asking import DAY_MS, OVERLAP_MS
from app.desk.places import spot_of
from app.desk.untold import to_be_told
from app.ports import Comment, HubSeen, HubWanted, Person, Setting
from app.texts import (
    Place,
    read_comment,
)

__all__ = ["wanted"]

FIRST_MS = DAY_MS
"""Where nothing was answered yet, comments of the last day count: somebody tried it before it ran."""

FARTHEST_MS = 7 * DAY_MS
"""A command that nobody looked at for a week is not carried out any more."""


def wanted(board: Board, setting: Setting, config: Config, *, glance: HubSeen | None = None) -> HubWanted:
    """The desk's part of a look.

    `glance` is a first look, where one was taken: who asks in it and where is looked at too.
    """
    told = [each.request.number for each in to_be_told(board, now=setting.now) if each.request is not None]
    places = [spot_of(board, talk.last.number) for talk in conversations(board.ledger, now=setting.now)]
    commands = tuple(_commands(glance)) if glance is not None else ()
    here = [each.number for each in places if each.place is Place.ISSUE]
    pulls = [each.number for each in places if each.place is Place.PULL or each.convoy is None]
    asked = [each.number for each in commands]
    return HubWanted(
        label=config.mayor.label,
        since_ts=_since(board, setting.now),
        handled=board.ledger.handled,
        issues=tuple(dict.fromkeys((*told, *here, *asked))),
        pulls=tuple(dict.fromkeys(pulls)),
        people=_people(glance, commands),
    )


def _since(board: Board, now: int) -> int:
    """Where the inbox is read from. It stands still while nothing is answered, so lists stay cached."""
    newest = board.ledger.newest.get("comment")
    farthest = (now - FARTHEST_MS) // DAY_MS * DAY_MS
    if newest is None:
        return max(0, (now - FIRST_MS) // DAY_MS * DAY_MS)
    return max(0, newest.ts - OVERLAP_MS, farthest)


def _commands(glance: HubSeen) -> Iterator[Comment]:
    return (each for each in glance.comments if read_comment(each))


def _people(glance: HubSeen | None, commands: tuple[Comment, ...]) -> tuple[Person, ...]:
    """Who put a label on that waits, and who gave a command; what they may do is asked now."""
    if glance is None:
        return ()
    seen = (glance.issues.get(number) for number in glance.triggered)
    labelled = [each.trigger.by for each in seen if each is not None and each.trigger is not None]
    people = (*labelled, *(each.author for each in commands))
    return tuple({each.id: each for each in people if not each.ours}.values())
