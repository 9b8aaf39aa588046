"""A chunk file: a short header and a canonical CBOR array of events. Decoding is strict."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import cbor2

from app.errors import RepositoryError
from app.grite.events import BadEvent, Event, event_from_wire, event_to_wire

__all__ = ["CHUNK_EVENTS", "chunk_hash", "decode_chunk", "encode_chunk"]

CHUNK_EVENTS = 1000
"""The most events that one chunk of ours holds."""

_MAGIC = b"GRITECNK"
_OLD_MAGIC = b"GRITCHNK"
_HEADER = _MAGIC + (1).to_bytes(2, "little") + b"\x07cbor-v1"
_REMEDY = "run `brat doctor`; the log is never rewritten, restore this commit from another clone"


def encode_chunk(events: Sequence[Event]) -> bytes:
    """The chunk file of these events, in this order."""
    return _HEADER + cbor2.dumps([event_to_wire(event) for event in events], canonical=True)


def chunk_hash(data: bytes) -> str:
    """BLAKE2b-256 of the whole file, in hex."""
    return hashlib.blake2b(data, digest_size=32).hexdigest()


def decode_chunk(data: bytes, *, place: str) -> tuple[Event, ...]:
    """The events of a chunk file, in its order. Raises RepositoryError that names place, event and reason."""
    _check_header(data, place)
    body = data[len(_HEADER) :]
    wires = _load(body, place)
    if not isinstance(wires, list):
        raise _damaged("not an array of events", place)
    events: list[Event] = []
    for number, wire in enumerate(wires):
        try:
            events.append(event_from_wire(wire))
        except BadEvent as reason:
            raise _damaged(f"event {number}: {reason}", place) from reason
    return tuple(events)


def _check_header(data: bytes, place: str) -> None:
    if data.startswith(_OLD_MAGIC):
        raise RepositoryError(
            "this chunk was written by grite before 0.5 (magic GRITCHNK): old, not damaged",
            place=place,
            remedy="export the issues with that grite and import them into a new log",
        )
    if not data.startswith(_MAGIC):
        raise _damaged("no chunk of grite: the magic is missing", place)
    if not data.startswith(_HEADER):
        raise RepositoryError(
            f"unknown chunk version or codec {data[8:18]!r}",
            place=place,
            remedy="a newer grite wrote this log; update brat",
        )


def _load(body: bytes, place: str) -> object:
    try:
        value: object = cbor2.loads(body)
        again = cbor2.dumps(value, canonical=True)
    except (cbor2.CBORError, ValueError, TypeError, OverflowError, RecursionError, EOFError) as reason:
        raise _damaged(f"not CBOR: {reason}", place) from reason
    if again != body:
        raise _damaged("CBOR is not canonical, or bytes follow it", place)
    return value


def _damaged(reason: str, place: str) -> RepositoryError:
    return RepositoryError(f"damaged: {reason}", place=place, remedy=_REMEDY)
