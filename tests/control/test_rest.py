"""What is over costs a look nothing, however much of it the log holds."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType

from hypothesis import given
from hypothesis import strategies as st

from app import desk, mayor, refinery, witness
from app.board import ConvoyStatus, Projection, fold, record, repairs
from app.grite import Draft, IssueId, LabelAdded
from app.ports import (
    Answered,
    ConvoyCancelled,
    ConvoyPaused,
    EffectIntended,
    EffectSeen,
    Fact,
    Finding,
    HubSeen,
    Life,
    PlannedTask,
    PullOpened,
    PullSeen,
    PullState,
    RequestSource,
    Seen,
    SessionSeen,
)
from tests.board.test_fold import a_session, ended
from tests.book import ME, Book

TASKS = (PlannedTask("one", "First"), PlannedTask("two", "Second", depends_on=("one",)))


def with_ended(convoys: int) -> Book:
    """So many convoys that are over, and one whose plan waits for a person."""
    book = Book()
    for number in range(convoys):
        board = book.open(*TASKS, goal=f"Number {number}")
        task = board.convoys[-1].tasks[0].issue
        book.write(a_session(task, f"s-{number}"))
        book.write(
            ended(task, f"s-{number}", Finding.NO_CHANGE), ConvoyCancelled(board.convoys[-1].issue, "ada")
        )
    book.open(*TASKS, goal="The last one", approval="required")
    return book


def calls(work: Callable[[], object]) -> int:
    """How many functions it calls, Python's own among them."""
    counted = 0

    def count(frame: FrameType, what: str, given: object) -> None:
        nonlocal counted
        counted += what in ("call", "c_call")

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return counted


def looking(book: Book) -> int:
    """What the pure rooms do in a look, once it has been looked before."""
    board, look = book.board(), book.look()

    def once() -> None:
        sessions = witness.wanted(board).sessions + mayor.wanted(board).sessions
        assert sessions == ()
        refinery.wanted(board, {}, {})
        for room in (mayor, witness, refinery):
            decision = room.decide(look)
            assert not record(board, decision.facts, now=look.now)
        assert not repairs(board)

    once()
    return calls(once)


def test_a_look_does_not_visit_what_is_over() -> None:
    assert looking(with_ended(12)) == looking(with_ended(2))


def told(issue: str, key: str) -> tuple[Fact, ...]:
    return EffectIntended(issue, key, "one", 9), EffectSeen(issue, key, 1)


def with_told(convoys: int) -> Book:
    """So many convoys of a code host's issues that were cancelled and told of, and one that is open."""
    book = Book()
    for number in range(10, 10 + convoys):
        asked = RequestSource(number, "https://hub", "d" * 64, "ada", 3, f"label:{number}", book.now)
        convoy = book.open(*TASKS, goal=f"Number {number}", request=asked).convoys[-1]
        said = {f"label:{number}": "label brat", f"comment:{number}": "/brat approve"}
        for key, text in said.items():
            book.write(Answered(convoy.issue, key, number, text, "ada", 3, True, ts=book.now))
        book.write(PullOpened(convoy.tasks[0].issue, 100 + number, "https://hub", "b" * 40))
        book.write(ConvoyCancelled(convoy.issue, "ada"), *told(convoy.issue, f"react:comment:{number}"))
        book.write(*told(convoy.issue, f"close:{100 + number}"), *told(convoy.issue, f"told:{convoy.id}"))
    book.open(*TASKS, goal="The last one", approval="required")
    return book


def glancing(book: Book) -> int:
    """The same on a code host, where an open pull request of ours is about nothing of the past."""
    pull = PullSeen(3, "https://hub", "One", "", PullState.OPEN, True, "b" * 40, "convoy/new/task-1", "main")
    look = book.look(Seen(hub=HubSeen(pulls={3: pull}, pulls_listed=True)), hosted=True)
    board = look.board

    def once() -> None:
        assert desk.wanted(board, look.setting, look.config).issues == ()
        assert desk.refs_wanted(board, now=look.now) == ()
        assert refinery.hub_wanted(board, {}).pulls == ()
        assert not desk.decide(look, start=lambda *_, **__: ()).facts
        assert not desk.tell(look, ()).facts
        assert not refinery.decide(look).actions
        assert sum(board.landings)

    once()
    return calls(once)


def test_a_look_at_a_code_host_does_not_visit_what_is_over_and_told() -> None:
    assert glancing(with_told(12)) == glancing(with_told(2))


def test_a_session_of_a_convoy_that_is_over_is_still_ended() -> None:
    book = with_ended(1)
    convoy = book.open(*TASKS, goal="Another").convoys[-1]
    book.write(a_session(convoy.tasks[0].issue, "s-late"))
    book.write(ConvoyCancelled(convoy.issue, "ada"))
    seen = Seen(sessions={"s-late": SessionSeen(Life.DEAD)})
    facts = witness.decide(book.look(seen)).facts
    assert [getattr(each, "session", None) for each in facts] == ["s-late"]
    assert book.write(*facts).convoys[-1].at_rest


def test_a_label_too_many_is_mended_where_all_is_over_too() -> None:
    book = with_ended(1)
    task = book.board().convoys[0].tasks[0]
    board = book.draft([Draft(IssueId(task.issue), LabelAdded("status:blocked"))])
    assert [str(each.issue) for each in repairs(board)] == [task.issue]
    assert book.draft(repairs(board)).convoys[0].at_rest


def test_a_fact_about_one_convoy_leaves_the_others_as_they_are() -> None:
    book = with_ended(2)
    projection = Projection(lambda event: event.actor == ME)
    before = projection.advance(tuple(book.events), "before")
    book.write(ConvoyPaused(before.convoys[-1].issue, "ada"))
    after = projection.advance(tuple(book.events), "after")
    assert [new is old for new, old in zip(after.convoys, before.convoys, strict=True)] == [True, True, False]
    assert after.convoys[-1].status is ConvoyStatus.PAUSED


@given(st.data())
def test_a_fold_of_several_convoys_that_goes_on_ends_as_one_that_starts_anew(data: st.DataObject) -> None:
    events = tuple(sorted(with_ended(2).events, key=lambda each: (each.ts, each.actor, each.id)))
    projection = Projection(lambda event: event.actor == ME)
    for end in sorted(data.draw(st.sets(st.integers(1, len(events)), min_size=1))):
        whole = fold(events[:end], trusted=lambda event: event.actor == ME, head="x")
        assert projection.advance(events[:end], "x") == whole


def test_what_is_written_of_one_convoy_reads_no_other() -> None:
    def writing(book: Book) -> int:
        board = book.board()
        facts = (ConvoyPaused(board.convoys[-1].issue, "ada"),)
        return calls(lambda: record(board, facts, now=book.now))

    assert writing(with_ended(12)) == writing(with_ended(2))
