"""Answers of which something is not said yet are looked after for two weeks, and no others are visited."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import desk
from app.board import Ledger
from app.config import Config
from app.ports import Answered, EffectIntended, EffectSeen, Fact, Setting
from tests.book import ME, Book

ISSUE, DAY = "97" * 16, 86_400_000
NOW = 1_800_000_000_000
TALKS = {"comment:1": 11, "comment:2": 12, "label:3": 13, "label:4": 14}
"""Where each was said: its number is nowhere in the log, so it is looked at as a pull request."""
SHOWN = ("/brat status", "/brat help")


def answered(key: str, *, text: str, accepted: bool, reply: str, ts: int) -> Answered:
    number = TALKS[":".join(key.split(":")[:2])]
    return Answered(ISSUE, key, number, text, "ada", 3, accepted, reply, ts)


def answers() -> st.SearchStrategy[Fact]:
    keys = st.tuples(st.sampled_from(list(TALKS)), st.sampled_from(("", "", ":0"))).map("".join)
    return st.builds(
        answered,
        keys,
        text=st.sampled_from(("", "/brat approve", "/brat statusses", *SHOWN)),
        accepted=st.booleans(),
        reply=st.sampled_from(("", "Done.")),
        ts=st.sampled_from((NOW - 15 * DAY, NOW - 14 * DAY, NOW - 14 * DAY + 1, NOW - DAY, NOW)),
    )


def effects() -> st.SearchStrategy[Fact]:
    keys = st.tuples(st.sampled_from(("reply", "react")), st.sampled_from(list(TALKS))).map(":".join)
    intended = st.builds(EffectIntended, st.just(ISSUE), keys, st.just("one"), st.just(9))
    return intended | st.builds(EffectSeen, st.just(ISSUE), keys, st.integers(0, 2))


def looked_at(ledger: Ledger) -> Iterator[int]:
    """By a search: numbers of what was said in two weeks and is not answered to its end."""
    recent = [each for each in ledger.answered.values() if each.ts > NOW - 14 * DAY]
    for each in sorted(recent, key=lambda each: each.ts):
        talk = ":".join(each.key.split(":")[:2])
        parts = [other for other in recent if other.number == each.number]
        speaks = any(part.reply or (part.accepted and part.text in SHOWN) for part in parts)
        reacts = talk.startswith("comment:") and any(part.text for part in parts)
        if talk in ledger.answered and (
            (speaks and ledger.ref(f"reply:{talk}") is None)
            or (reacts and ledger.ref(f"react:{talk}") is None)
        ):
            yield each.number


def pulls(book: Book, now: int = NOW) -> tuple[int, ...]:
    setting = Setting(me=ME, repository="/mirror", now=now, hosted=True)
    return desk.wanted(book.board(), setting, Config()).pulls


@given(st.lists(answers() | effects() | effects(), max_size=25))
def test_what_is_not_said_yet_is_what_a_search_of_two_weeks_finds(said: list[Fact]) -> None:
    book = Book()
    book.write(*said)
    assert pulls(book) == tuple(dict.fromkeys(looked_at(book.board().ledger)))


@pytest.mark.parametrize(("late", "wanted"), [(14 * DAY - 1, (11,)), (14 * DAY, ())])
def test_an_answer_that_could_not_be_given_for_two_weeks_is_not_given_any_more(
    late: int, wanted: tuple[int, ...]
) -> None:
    book = Book()
    book.write(answered("comment:1", text="/brat status", accepted=True, reply="", ts=NOW))
    assert pulls(book, NOW + late) == wanted
