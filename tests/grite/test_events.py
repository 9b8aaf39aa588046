"""Ids, kinds and their bytes."""

from __future__ import annotations

import cbor2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.grite import (
    PROJECT_CONTEXT,
    ActorId,
    AssigneeAdded,
    AssigneeRemoved,
    AttachmentAdded,
    CommentAdded,
    ContextUpdated,
    DependencyAdded,
    DependencyRemoved,
    Draft,
    Event,
    EventId,
    IssueCreated,
    IssueId,
    IssueUpdated,
    Kind,
    LabelAdded,
    LabelRemoved,
    LinkAdded,
    ProjectContextUpdated,
    StateChanged,
    Symbol,
    Unknown,
    file_context,
)
from app.grite.chunks import decode_chunk, encode_chunk
from app.grite.events import make_event
from tests.grite.conftest import ISSUE

ACTOR = ActorId("101112131415161718191a1b1c1d1e1f")
PARENT = EventId(bytes(range(0x20, 0x40)).hex())

texts = st.text(st.characters(codec="utf-8"), max_size=40)
hashes = st.binary(min_size=32, max_size=32).map(bytes.hex)
issues = st.binary(min_size=16, max_size=16).map(lambda raw: IssueId(raw.hex()))
actors = st.binary(min_size=16, max_size=16).map(lambda raw: ActorId(raw.hex()))
lines = st.integers(0, 2**32 - 1)
dependency_types = st.sampled_from(["blocks", "depends_on", "related_to"])
plain_cbor = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64) | texts | st.binary(max_size=20),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(texts, inside, max_size=3),
    max_leaves=8,
)

KINDS: dict[str, st.SearchStrategy[Kind]] = {
    "IssueCreated": st.builds(IssueCreated, texts, texts, st.lists(texts, max_size=5).map(tuple)),
    "IssueUpdated": st.builds(IssueUpdated, st.none() | texts, st.none() | texts),
    "CommentAdded": st.builds(CommentAdded, texts),
    "LabelAdded": st.builds(LabelAdded, texts),
    "LabelRemoved": st.builds(LabelRemoved, texts),
    "StateChanged": st.builds(StateChanged, st.sampled_from(["open", "closed"])),
    "LinkAdded": st.builds(LinkAdded, texts, st.none() | texts),
    "AssigneeAdded": st.builds(AssigneeAdded, texts),
    "AssigneeRemoved": st.builds(AssigneeRemoved, texts),
    "AttachmentAdded": st.builds(AttachmentAdded, texts, hashes, texts),
    "DependencyAdded": st.builds(DependencyAdded, issues, dependency_types),
    "DependencyRemoved": st.builds(DependencyRemoved, issues, dependency_types),
    "ContextUpdated": st.builds(
        ContextUpdated,
        texts,
        texts,
        st.lists(st.builds(Symbol, texts, texts, lines, lines), max_size=4).map(tuple),
        texts,
        hashes,
    ),
    "ProjectContextUpdated": st.builds(ProjectContextUpdated, texts, texts),
    "Unknown": st.builds(
        Unknown, st.integers(15, 2**32), plain_cbor.map(lambda value: cbor2.dumps(value, canonical=True))
    ),
}


@st.composite
def events_of(draw: st.DrawFn, kinds: st.SearchStrategy[Kind]) -> Event:
    """An event of one of these kinds, by anybody, at any time."""
    draft = Draft(draw(issues), draw(kinds), draw(st.none() | hashes.map(EventId)))
    sig = draw(st.none() | st.binary(min_size=64, max_size=64))
    return make_event(
        draft, draw(actors), draw(st.integers(0, 2**64 - 1)), sign=None if sig is None else lambda _: sig
    )


VECTORS = [
    (
        make_event(Draft(ISSUE, IssueCreated("Test", "Body", ("bug", "p0"))), ACTOR, 1700000000000),
        "9c2aee7924bf7482dd3842c6ec32fd5103883b9d2354f63df2075ac61fe3d827",
    ),
    (
        make_event(Draft(ISSUE, IssueUpdated("Title 2", None)), ACTOR, 1700000000000),
        "5227efec6ae3d41725827edb3e62d00a595784d7adec58fb4e1b787c44c4b333",
    ),
    (
        make_event(Draft(ISSUE, CommentAdded("Looks good"), PARENT), ACTOR, 1700000001000),
        "fca597420160df9f7230b28384a27dc86656b206520e5c8085e78cbb02a46e27",
    ),
    (
        make_event(Draft(ISSUE, LabelAdded("bug")), ACTOR, 1700000002000),
        "d742a0d9c83f17176e30511d62045686b491ddf55f8d1dfe7a74921787bdd436",
    ),
    (
        make_event(Draft(ISSUE, LabelRemoved("wip")), ACTOR, 1700000003000),
        "f23e9c69c3fa4cd2889e57fe1c547630afa132052197a5fe449e6d5acf22c40c",
    ),
]


@pytest.mark.parametrize(("event", "published"), VECTORS)
def test_event_ids_equal_the_published_vectors(event: Event, published: str) -> None:
    assert event.id == published


def test_labels_given_in_any_order_make_the_same_event() -> None:
    one = make_event(Draft(ISSUE, IssueCreated("Test", "Body", ("p0", "bug"))), ACTOR, 1)
    assert one == make_event(Draft(ISSUE, IssueCreated("Test", "Body", ("bug", "p0"))), ACTOR, 1)


def test_context_issues_are_derived() -> None:
    assert file_context("a.py") == "c0e38e3ad38e8a748745c678c84abbbc"
    assert PROJECT_CONTEXT == "f" * 32


@pytest.mark.parametrize("name", KINDS)
@given(data=st.data())
def test_every_kind_comes_back_as_it_went(name: str, data: st.DataObject) -> None:
    event = data.draw(events_of(KINDS[name]))
    chunk = encode_chunk([event])
    assert decode_chunk(chunk, place="here") == (event,)
    assert encode_chunk(decode_chunk(chunk, place="here")) == chunk


@given(tag=st.integers(1, 14), payload=plain_cbor, ts=st.integers(0, 2**64 - 1))
def test_a_payload_of_unforeseen_shape_is_carried_on_unchanged(tag: int, payload: object, ts: int) -> None:
    kind = Unknown(tag, cbor2.dumps(payload, canonical=True))
    chunk = encode_chunk([make_event(Draft(ISSUE, kind), ACTOR, ts)])
    assert encode_chunk(decode_chunk(chunk, place="here")) == chunk
