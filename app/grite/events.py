"""One event: what is said, by whom, when; its id is the hash of exactly that.

The order of a log is `(ts, actor, id)`; hex compares like the bytes it stands for.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import cbor2

from app.grite.ids import ActorId, EventId, IssueId
from app.grite.kinds import Kind
from app.grite.payload import kind_of, payload_of
from app.values import dataclass

__all__ = ["BadEvent", "Draft", "Event", "event_from_wire", "event_to_wire", "make_event", "recompute_id"]

_VERSION = 1
_LARGEST = 2**64


class BadEvent(ValueError):
    """An event on the wire that is not what it says; the text is the reason."""


@dataclass(frozen=True, slots=True)
class Event:
    """A fact in the log. `ts` is in milliseconds since the epoch; `sig` signs the 32 bytes of `id`."""

    id: EventId
    issue: IssueId
    actor: ActorId
    ts: int
    parent: EventId | None
    kind: Kind
    sig: bytes | None = None

    @property
    def order(self) -> tuple[int, str, str]:
        """The place of this event in its log."""
        return (self.ts, self.actor, self.id)


@dataclass(frozen=True, slots=True)
class Draft:
    """What a caller wants to say; the log gives time, actor, id and signature."""

    issue: IssueId
    kind: Kind
    parent: EventId | None = None


def make_event(
    draft: Draft, actor: ActorId, ts: int, *, sign: Callable[[EventId], bytes] | None = None
) -> Event:
    """The draft as an event of `actor` at `ts`."""
    tag, payload = payload_of(draft.kind)
    parent = None if draft.parent is None else bytes.fromhex(draft.parent)
    identity = _hash([_VERSION, bytes.fromhex(draft.issue), bytes.fromhex(actor), ts, parent, tag, payload])
    sig = None if sign is None else sign(identity)
    return Event(identity, draft.issue, actor, ts, draft.parent, draft.kind, sig)


def recompute_id(event: Event) -> EventId:
    """The id that the event should have."""
    return make_event(Draft(event.issue, event.kind, event.parent), event.actor, event.ts).id


def event_to_wire(event: Event) -> list[object]:
    """The eight places of an event inside a chunk."""
    tag, payload = payload_of(event.kind)
    parent = None if event.parent is None else bytes.fromhex(event.parent)
    return [
        bytes.fromhex(event.id),
        bytes.fromhex(event.issue),
        bytes.fromhex(event.actor),
        event.ts,
        parent,
        tag,
        payload,
        event.sig,
    ]


def event_from_wire(wire: object) -> Event:
    """The event, its id recomputed. Raises BadEvent."""
    if type(wire) is not list or len(wire) != 8:
        raise BadEvent("not an array of eight")
    identity, issue, actor, ts, parent, tag, payload, sig = wire
    for name, value, length in (("event id", identity, 32), ("issue id", issue, 16), ("actor", actor, 16)):
        if type(value) is not bytes or len(value) != length:
            raise BadEvent(f"{name} is not {length} bytes")
    if type(ts) is not int or not 0 <= ts < _LARGEST or type(tag) is not int:
        raise BadEvent("time or kind tag is not a number")
    for name, value, length in (("parent", parent, 32), ("signature", sig, 64)):
        if value is not None and (type(value) is not bytes or len(value) != length):
            raise BadEvent(f"{name} is not {length} bytes")
    found = _hash([_VERSION, issue, actor, ts, parent, tag, payload])
    if found != identity.hex():
        raise BadEvent(f"id is {identity.hex()[:16]}…, its content hashes to {found[:16]}…")
    return Event(
        id=found,
        issue=IssueId(issue.hex()),
        actor=ActorId(actor.hex()),
        ts=ts,
        parent=None if parent is None else EventId(parent.hex()),
        kind=kind_of(tag, payload),
        sig=sig,
    )


def _hash(preimage: list[object]) -> EventId:
    return EventId(hashlib.blake2b(cbor2.dumps(preimage, canonical=True), digest_size=32).hexdigest())
