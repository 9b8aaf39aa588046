"""A pull request that people end while work on it goes on."""

from __future__ import annotations

from dataclasses import replace

from app.board import TaskStatus
from app.ports import (
    Finding,
    FollowUpWanted,
    HoldPlaced,
    HoldReleased,
    OpenPull,
    PostComment,
    PullOpened,
    Role,
    SessionEnded,
    SessionStarted,
    WorkPublished,
)
from tests.book import BASE, Book
from tests.refinery.hub import ADA, BRANCH, HEAD, MERGED, PULL, SAID, hub, look, published, settle

S2, NEXT = "s-20260101-0002", "9" * 40
REFS = {f"refs/heads/{BRANCH}": NEXT}


def followed_up() -> Book:
    """A session went on from the head of the pull request, and its work is published."""
    book = published()
    book.write(*look(book, hub(PULL)).facts)
    issue = book.board().convoys[0].tasks[0].issue
    book.write(FollowUpWanted(issue, "review", "please", HEAD))
    began = SessionStarted(issue, S2, Role.WITNESS, "work", 2, BASE, book.now + 60_000, "shell", carry=HEAD)
    end = SessionEnded(issue, S2, Role.WITNESS, "work", Finding.DONE, 0, 9, head=NEXT)
    book.write(began)
    book.write(end, WorkPublished(issue, S2, BRANCH, NEXT, BASE, ("a.py",)))
    return book


def test_what_a_session_added_after_a_person_merged_comes_in_another_pull_request() -> None:
    book = followed_up()
    merged = replace(MERGED, ended_by=ADA)
    (note,) = settle(book, hub(merged), refs=REFS).actions
    assert isinstance(note, PostComment)
    assert note.number == 3
    assert HEAD[:12] in note.body
    assert NEXT[:12] in note.body
    done = {**SAID, note.key: 8}
    issue = book.board().convoys[0].tasks[0].issue
    book.write(HoldPlaced(issue, None, None, "held by ada", by="ada"))
    assert not settle(book, hub(merged, done=done), refs=REFS).actions
    book.write(HoldReleased(issue, None, "ada"))
    (opened,) = settle(book, hub(merged, done=done), refs=REFS).actions
    assert isinstance(opened, OpenPull)
    assert opened.head == BRANCH
    book.write(*look(book, hub(merged, replace(PULL, number=5, head=NEXT), done=done), refs=REFS).facts)
    task = book.board().convoys[0].tasks[0]
    assert (task.status, task.pull and task.pull.number) == (TaskStatus.NEEDS_REVIEW, 5)
    assert isinstance(task.pull, PullOpened)


def test_all_that_a_person_merged_after_the_session_has_landed() -> None:
    book = followed_up()
    settle(book, hub(replace(MERGED, head=NEXT, ended_by=ADA)), refs=REFS)
    assert book.board().convoys[0].tasks[0].status is TaskStatus.MERGED
