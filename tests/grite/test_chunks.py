"""Damage is named, age is not damage."""

from __future__ import annotations

import contextlib

import cbor2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import RepositoryError
from app.grite import CommentAdded, Draft
from app.grite.chunks import chunk_hash, decode_chunk, encode_chunk
from app.grite.events import event_to_wire, make_event
from tests.grite.conftest import ISSUE
from tests.grite.test_events import ACTOR

EVENTS = [make_event(Draft(ISSUE, CommentAdded(f"number {n}")), ACTOR, n) for n in range(3)]
CHUNK = encode_chunk(EVENTS)


def rewritten(wires: list[list[object]]) -> bytes:
    return CHUNK[:18] + cbor2.dumps(wires, canonical=True)


def test_an_edited_event_is_named_by_chunk_and_number() -> None:
    wires = [event_to_wire(event) for event in EVENTS]
    wires[1][3] = 77
    with pytest.raises(RepositoryError, match=r"^here: damaged: event 1: id is [0-9a-f]{16}…, its content"):
        decode_chunk(rewritten(wires), place="here")


def test_bytes_after_the_end_are_damage() -> None:
    with pytest.raises(RepositoryError, match=r"not CBOR|not canonical"):
        decode_chunk(CHUNK + b"\x00", place="here")


def test_a_number_written_too_long_is_damage() -> None:
    with pytest.raises(RepositoryError, match="not canonical"):
        decode_chunk(CHUNK[:18] + b"\x98\x03" + CHUNK[19:], place="here")


def test_a_chunk_of_an_older_grite_is_named_old_and_not_damaged() -> None:
    with pytest.raises(RepositoryError, match=r"before 0\.5 .*old, not damaged") as caught:
        decode_chunk(b"GRITCHNK" + CHUNK[8:], place="here")
    assert caught.value.remedy


def test_a_newer_chunk_version_is_named() -> None:
    with pytest.raises(RepositoryError, match="unknown chunk version") as caught:
        decode_chunk(CHUNK[:8] + b"\x02" + CHUNK[9:], place="here")
    assert "update brat" in str(caught.value)


@pytest.mark.parametrize(
    ("place", "value"),
    [(0, b"short"), (1, "text"), (2, None), (3, -1), (3, True), (4, b""), (5, "1"), (7, b"x")],
)
def test_a_field_of_the_wrong_type_is_damage(place: int, value: object) -> None:
    wire = event_to_wire(EVENTS[0])
    wire[place] = value
    with pytest.raises(RepositoryError, match="event 0"):
        decode_chunk(rewritten([wire]), place="here")


@given(at=st.integers(0, len(CHUNK) - 1), bit=st.integers(0, 7))
def test_no_flipped_bit_goes_unnoticed(at: int, bit: int) -> None:
    flipped = bytearray(CHUNK)
    flipped[at] ^= 1 << bit
    assert chunk_hash(bytes(flipped)) != chunk_hash(CHUNK)
    with pytest.raises(RepositoryError):
        decode_chunk(bytes(flipped), place="here")


@given(body=st.binary(max_size=200))
def test_any_bytes_are_either_events_or_a_named_error(body: bytes) -> None:
    with contextlib.suppress(RepositoryError):
        assert encode_chunk(decode_chunk(CHUNK[:18] + body, place="here")) == CHUNK[:18] + body
