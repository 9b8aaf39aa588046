"""Whose decisions count here: the guard before a command writes, and the pinning of another actor's key."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from app.board import Board, fold
from app.cli.call import Call
from app.cli.tables import put
from app.control import PinnedTrust
from app.errors import UserError
from app.grite import ActorId, PublicKey, announced_keys

if TYPE_CHECKING:
    from app.wiring import Workshop

__all__ = ["deciding_board", "fingerprint", "pin_actor"]

_SHORTEST = 4


def deciding_board(workshop: Workshop) -> Board:
    """The board that a command decides on, before an identity is made for it. Raises UserError."""
    workshop.refuse_unpinned()
    history = workshop.log().read()
    return fold(history.events, trusted=PinnedTrust(workshop.pins.load()), head=history.head)


def fingerprint(key: PublicKey) -> str:
    """Sixteen bytes of the key's SHA-256 in groups of four, to compare by eye or by telephone."""
    text = hashlib.sha256(bytes.fromhex(key)).hexdigest()[:32]
    return " ".join(text[at : at + 4] for at in range(0, 32, 4))


def pin_actor(call: Call, workshop: Workshop, name: str, *, confirmed: str | None) -> None:
    """From now on this actor's decisions count here, once a person has confirmed the fingerprint."""
    announced = announced_keys(workshop.log().read().events)
    actor = _one(name, tuple(announced))
    key = announced[actor]
    print_ = fingerprint(key)
    if workshop.pins.load().get(actor) == key:
        _told(call, (actor, print_), f"Actor {actor[:8]} is pinned here already.")
        return
    if not _agreed(call, (actor, print_), confirmed):
        raise UserError("not pinned", remedy="ask the actor's owner for the fingerprint and compare")
    workshop.pins.pin(actor, key)
    _told(call, (actor, print_), f"Pinned: decisions of {actor[:8]} count here from now on.")


def _one(name: str, actors: tuple[ActorId, ...]) -> ActorId:
    found = [each for each in actors if len(name) >= _SHORTEST and each.startswith(name.lower())]
    if len(found) == 1:
        return found[0]
    listed = ", ".join(each[:8] for each in sorted(found or actors)) or "none yet"
    said = (
        f"{name!r} names {len(found)} actors" if found else f"no actor {name!r} announced a key in this log"
    )
    raise UserError(said, remedy=f"one of: {listed}")


def _agreed(call: Call, named: tuple[ActorId, str], confirmed: str | None) -> bool:
    actor, print_ = named
    if confirmed is not None:
        if confirmed.replace(" ", "").lower() != print_.replace(" ", ""):
            raise UserError(
                f"the fingerprint of {actor[:8]} is another one: {print_}",
                remedy="pin nothing, and find out why",
            )
        return True
    if not call.terminal:
        raise UserError(
            f"the key of {actor[:8]} has the fingerprint {print_}",
            remedy=f'compare it with its owner, then: brat log --pin {actor[:8]} --fingerprint "{print_}"',
        )
    import typer

    put(call, f"Actor        {actor}")
    put(call, f"Fingerprint  {print_}")
    return typer.confirm("Does its owner see the same fingerprint?", default=False)


def _told(call: Call, named: tuple[ActorId, str], said: str) -> None:
    actor, print_ = named
    if call.json:
        call.answer({"pinned": {"actor": actor, "fingerprint": print_}})
    else:
        call.say(said)
