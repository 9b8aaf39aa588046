"""What the ledger tells apart as facts arrive is what a search through all of it would find."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from app.board import Ledger, Projection, fold, may_speak, talk_of
from app.ports import Answered, EffectIntended, EffectSeen, Fact
from tests.book import ME, Book

ISSUE, OTHER = "97" * 16, "96" * 16
KEYS = ("comment:1", "comment:1:0", "comment:1:1", "comment:2", "label:3", "label:4", "unlabel:3")
EFFECTS = ("reply:comment:1", "react:comment:1", "react:comment:2", "reply:label:3", "told:c-1", "close:3")


def answer(key: str, *, issue: str = ISSUE, text: str = "", accepted: bool = True, ts: int = 1) -> Answered:
    return Answered(issue, key, 7, text, "ada", 3, accepted, "Done." if text == "?" else "", ts)


def answers() -> st.SearchStrategy[tuple[Fact, ...]]:
    made = st.builds(
        answer,
        st.sampled_from(KEYS),
        issue=st.sampled_from((ISSUE, OTHER)),
        text=st.sampled_from(("", "?", "/brat approve", "/brat status")),
        accepted=st.booleans(),
        ts=st.integers(1, 3),
    )
    return made.map(lambda each: (each,))


def effect(key: str, owner: str, *, begun: bool, seen: bool) -> tuple[Fact, ...]:
    intended = (EffectIntended(ISSUE, key, owner, 9),) if begun else ()
    return (*intended, EffectSeen(ISSUE, key, len(owner))) if seen else intended


def effects() -> st.SearchStrategy[tuple[Fact, ...]]:
    owners = st.sampled_from(("one", "three"))
    flags = {"begun": st.sampled_from((True, True, False)), "seen": st.sampled_from((True, True, False))}
    return st.builds(effect, st.sampled_from(EFFECTS), owners, **flags)


def facts() -> st.SearchStrategy[list[Fact]]:
    said = st.lists(answers() | effects(), max_size=25)
    return said.map(lambda groups: [fact for group in groups for fact in group])


def unsaid(ledger: Ledger) -> Iterator[Answered]:
    """By a search."""
    known = [*ledger.answered.values()]
    for each in sorted(known, key=lambda each: each.ts):
        talk = talk_of(each.key)
        parts = [other for other in known if talk_of(other.key) == talk]
        reply = ledger.ref(f"reply:{talk}") is None and any(map(may_speak, parts))
        react = talk.startswith("comment:") and ledger.ref(f"react:{talk}") is None
        if talk in ledger.answered and (reply or (react and any(other.text for other in parts))):
            yield each


def newest(ledger: Ledger, kind: str) -> Answered | None:
    by_time = sorted(ledger.answered.values(), key=lambda each: each.ts)
    return next((each for each in reversed(by_time) if each.key.startswith(f"{kind}:")), None)


def last_label(ledger: Ledger, issue: str) -> int:
    mine = [each for each in ledger.answered.values() if each.accepted and each.issue == issue]
    events = [each.key.removeprefix("label:") for each in mine if each.key.startswith("label:")]
    return max((int(each) for each in events if each.isdecimal()), default=0)


@given(facts())
def test_what_is_told_apart_is_what_a_search_finds(said: list[Fact]) -> None:
    ledger = Book().write(*said).ledger
    keys = ledger.answered.keys()
    assert ledger.begun == {key: each for key, each in ledger.effects.items() if each.seen is None}
    comments = {key for key in keys if key.startswith("comment:") and key.count(":") == 1}
    assert ledger.handled == comments | {key for key in keys if key.startswith("label:")}
    told = {key.removeprefix("told:") for key in ledger.effects if key.startswith("told:")}
    assert ledger.told == {each for each in told if ledger.ref(f"told:{each}") is not None}
    assert ledger.unsaid == tuple(unsaid(ledger))
    for kind in ("comment", "label", "unlabel"):
        assert ledger.newest.get(kind) == newest(ledger, kind)
    for issue in (ISSUE, OTHER):
        assert ledger.labelled.get(issue, 0) == last_label(ledger, issue)


@given(facts(), st.data())
def test_a_ledger_that_grows_is_the_one_of_its_facts(said: list[Fact], data: st.DataObject) -> None:
    book = Book()
    for each in said:
        book.write(each)
    projection = Projection(lambda event: event.actor == ME)
    for end in sorted(data.draw(st.sets(st.integers(0, len(book.events))))):
        events = tuple(book.events[:end])
        whole = fold(events, trusted=lambda event: event.actor == ME, head="x")
        assert projection.advance(events, "x").ledger == whole.ledger


def test_what_is_asked_of_a_time_is_the_rest_of_what_is_unsaid() -> None:
    told = [answer(f"label:{at}", text="?", ts=at) for at in (3, 1, 2)]
    ledger = Book().write(*told).ledger
    assert [each.ts for each in ledger.unsaid_since(2)] == [2, 3]


def test_what_was_answered_at_one_time_stands_as_in_the_log() -> None:
    keys = ["comment:1:0", "comment:2", "comment:1"]
    ledger = Book().write(*(answer(each, text="?") for each in keys)).ledger
    assert [each.key for each in ledger.unsaid] == keys
