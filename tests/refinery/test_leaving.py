"""Pull requests of work that was given up: closed once, with a word, and never against a person."""

from __future__ import annotations

from dataclasses import replace

from app.ports import (
    Action,
    ClosePull,
    Comment,
    ConvoyCancelled,
    EffectIntended,
    EffectSeen,
    Fact,
    HubSeen,
    PlannedTask,
    PostComment,
    PullEnded,
    PullOpened,
    PullState,
    TaskDropped,
)
from app.refinery import hub_wanted
from tests.book import Book
from tests.refinery.hub import ADA, OURS, PULL, hub, published, settle

OPEN = hub(PULL, checks=())


def left(*facts: Fact) -> Book:
    """The first task has a pull request, and then this happens."""
    book = published()
    settle(book, OPEN)
    book.write(*facts)
    return book


def dropped() -> Book:
    book = left()
    book.write(TaskDropped(book.board().convoys[0].tasks[0].issue, "ada", ""))
    return book


def acts(book: Book, seen: HubSeen) -> list[Action]:
    wanted = (ClosePull, PostComment)
    return [each for each in settle(book, seen).actions if isinstance(each, wanted)]


def test_a_dropped_tasks_pull_request_gets_a_word_and_is_closed() -> None:
    book = dropped()
    (word,) = acts(book, OPEN)
    assert isinstance(word, PostComment)
    assert (word.number, word.key) == (3, "left:3")
    assert word.body.startswith("Task 1 was dropped, so this pull request is closed.")
    assert acts(book, replace(OPEN, done={"left:3": 50})) == [ClosePull(3, "close:3")]


def test_a_cancelled_convoys_pull_requests_are_closed_with_the_reason() -> None:
    book = left()
    book.write(ConvoyCancelled(book.board().convoys[0].issue, "ada", ""))
    (word,) = acts(book, OPEN)
    assert isinstance(word, PostComment)
    assert "has ended (cancelled by ada)" in word.body
    assert acts(book, replace(OPEN, done={"left:3": 50})) == [ClosePull(3, "close:3")]


def test_a_word_that_another_process_said_is_found_and_not_said_again() -> None:
    book = dropped()
    acts(book, OPEN)
    said = Comment(50, 3, OURS, "closed", book.now, key="left:3")
    forged = replace(said, author=ADA)
    assert isinstance(acts(book, replace(OPEN, comments=(forged,)))[0], PostComment)
    assert acts(book, replace(OPEN, comments=(said,))) == [ClosePull(3, "close:3")]


def test_what_a_person_reopens_is_not_closed_again() -> None:
    book = dropped()
    acts(book, replace(OPEN, done={"left:3": 50}))
    closed = hub(replace(PULL, state=PullState.CLOSED), checks=())
    settle(book, closed)
    assert book.board().ledger.ref("close:3") == 1
    book.now += 600_000
    assert acts(book, OPEN) == []


def test_what_a_person_closed_before_and_opened_again_is_theirs() -> None:
    book = left()
    task = book.board().convoys[0].tasks[0]
    book.write(PullEnded(task.issue, 3, "ada"), TaskDropped(task.issue, "ada", ""))
    assert acts(book, OPEN) == []


def test_what_was_opened_a_moment_before_its_task_was_dropped_is_found_by_its_branch() -> None:
    book = published()
    book.write(TaskDropped(book.board().convoys[0].tasks[0].issue, "ada", ""))
    assert book.board().convoys[0].tasks[0].pull is None
    (word,) = acts(book, OPEN)
    assert isinstance(word, PostComment)
    assert word.number == 3


def test_a_closing_is_looked_after_from_its_beginning_until_it_is_known() -> None:
    book = published(PlannedTask("one", "First"), PlannedTask("two", "Second"))
    first, second = book.board().convoys[0].tasks
    book.write(PullOpened(first.issue, 3, "https://hub", "b" * 40))
    book.write(PullOpened(second.issue, 5, "https://hub", "c" * 40))
    board = book.write(ConvoyCancelled(first.convoy, "ada", ""))
    assert hub_wanted(board, {}).pulls == ()
    board = book.write(EffectIntended(first.issue, "close:3", "one", 9))
    assert hub_wanted(board, {}).pulls == (3,)
    assert hub_wanted(book.write(EffectSeen(first.issue, "close:3", 1)), {}).pulls == ()


def test_strangers_pull_requests_and_open_work_are_left_alone() -> None:
    theirs = hub(replace(PULL, ours=False), checks=())
    assert acts(dropped(), theirs) == []
    assert acts(left(), OPEN) == []
