"""Each fact comes back from the log as it went in, and counts only when the pinned key signed it."""

from __future__ import annotations

import typing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.board import (
    approve_plan,
    convoy_facts_of_plan,
    read_block,
    record,
    replan,
    write_json_block,
    write_lines_block,
)
from app.ports import (
    ConvoyOpened,
    EffectIntended,
    Fact,
    Plan,
    PlannedTask,
    PlanRecorded,
    ReplanAsked,
    RequestVoided,
    SessionStarted,
    TaskCommented,
)
from tests.board.facts import every_fact
from tests.book import STRANGER, Book

OPENING = {ConvoyOpened, PlanRecorded}
NAMES = [type(fact).__name__ for fact in every_fact(Book().open().convoys[0])]


def test_every_kind_of_fact_is_in_the_list() -> None:
    known = {kind.__name__ for kind in typing.get_args(Fact) if kind not in OPENING}
    assert set(NAMES) == known


@pytest.mark.parametrize("name", NAMES)
def test_t20_a_decision_that_the_pinned_key_did_not_sign_counts_for_nothing(name: str) -> None:
    book = Book()
    convoy = book.open().convoys[0]
    fact = next(each for each in every_fact(convoy) if type(each).__name__ == name)
    needs = [each for each in every_fact(convoy) if isinstance(each, SessionStarted)]
    if name == "SessionEnded":
        book.write(*needs)
    before = book.board()
    after = book.write(fact, actor=STRANGER)
    assert after.convoys == before.convoys


@pytest.mark.parametrize("name", NAMES)
def test_a_signed_decision_changes_the_board(name: str) -> None:
    """The counterpart: the test above could not fail if nothing ever counted."""
    book = Book()
    convoy = book.open(approval="required").convoys[0]
    fact = next(each for each in every_fact(convoy) if type(each).__name__ == name)
    needed = {"SessionEnded": SessionStarted, "EffectSeen": EffectIntended}.get(name, ())
    book.write(*(each for each in every_fact(convoy) if isinstance(each, needed)))
    before = book.board()
    after = book.write(fact)
    assert (after.convoys, after.ledger) != (before.convoys, before.ledger)


def test_another_plan_replaces_one_that_has_not_begun_and_numbers_go_on() -> None:
    book = Book()
    convoy = book.open(approval="required").convoys[0]
    asked = book.write(*replan(convoy, by="Ada", text="smaller")).convoys[0]
    assert (asked.plan, asked.tasks, asked.wishes) == (None, (), ("smaller",))
    other = Plan("", (PlannedTask("only", "Only"),))
    second = book.write(convoy_facts_of_plan(book.board(), convoy.issue, other, hash="h2", now=5)).convoys[0]
    assert [task.number for task in second.tasks] == [len(convoy.tasks) + 1]
    assert book.board().problems == ()


def test_an_issue_that_changed_after_approval_needs_a_new_one() -> None:
    book = Book()
    convoy = book.open(approval="auto").convoys[0]
    voided = book.write(RequestVoided(convoy.issue, "its body was edited", "new")).convoys[0]
    assert (voided.approved_by, voided.approval, voided.approved_digest) == (None, "required", "new")
    again = book.write(*approve_plan(voided, by="Ada", digest="new")).convoys[0]
    assert (again.approved_by, again.voided) == ("Ada", "")


HOSTILE = st.sampled_from(
    ["[/brat]", "[brat]", "[/session]", "\n", "[session]", '"', "\\", "\u2028", "fixes #9"]
)
TEXTS = st.lists(st.text(max_size=12) | HOSTILE, max_size=8).map("".join)


@given(TEXTS)
def test_no_text_can_close_or_fake_a_block(text: str) -> None:
    book = Book()
    convoy = book.open().convoys[0]
    facts = [each for each in every_fact(convoy, text) if not isinstance(each, TaskCommented | ReplanAsked)]
    board = book.write(*facts)
    task = board.convoys[0].tasks[0]
    assert board.problems == ()
    assert task.merges[0].evidence == ("" if task.merges[0].result == "succeeded" else text)
    assert task.sessions[0].ended is not None
    assert task.sessions[0].ended.evidence == text


@given(TEXTS)
def test_blocks_are_read_as_they_were_written(text: str) -> None:
    assert read_block(write_json_block({"fact": "X", "text": text})) == ("brat", {"fact": "X", "text": text})
    lines = write_lines_block("session", {"state": text, "number": 3, "none": None})
    assert read_block(lines) == ("session", {"state": text, "number": 3, "none": None})


def test_writing_a_fact_is_a_function_of_board_and_fact() -> None:
    book = Book()
    convoy = book.open().convoys[0]
    facts = every_fact(convoy)
    assert record(book.board(), facts, now=5) == record(book.board(), facts, now=5)
