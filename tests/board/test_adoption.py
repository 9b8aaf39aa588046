"""An issue that somebody else opened becomes a task by a signed word, and by nothing of theirs."""

from __future__ import annotations

from app.board import Board, record
from app.grite import Draft, IssueCreated, IssueId, LabelAdded, fold
from app.ports import Plan, PlannedTask, TaskAdded
from tests.book import STRANGER, Book

ISSUE = "ab" * 16


def proposed(book: Book) -> Board:
    """A convoy of one task, and a stranger's issue that claims to be merged already."""
    book.open(PlannedTask("first", "First"))
    drafts = [Draft(IssueId(ISSUE), IssueCreated("Fix it", "Please", ("type:task", "status:merged")))]
    return book.draft(drafts, actor=STRANGER)


def approved(board: Board) -> TaskAdded:
    spec = PlannedTask("task-2", "Fix it", depends_on=("first",))
    return TaskAdded(ISSUE, board.convoys[0].issue, 2, "t-20250101-0002", Plan("", (spec,)), "ada")


def test_an_approved_proposal_is_a_task_of_the_same_issue() -> None:
    book = Book()
    board = proposed(book)
    assert [each.issue for each in board.proposals] == [ISSUE]
    board = book.write(approved(board))
    task = board.convoys[0].tasks[1]
    assert (task.issue, task.number, task.status, task.depends_on) == (ISSUE, 2, "queued", (1,))
    assert board.proposals == ()
    assert board.problems == ()


def test_an_approval_creates_no_second_issue_and_says_every_label() -> None:
    board = proposed(Book())
    kinds = [draft.kind for draft in record(board, [approved(board)], now=1)]
    assert not any(isinstance(each, IssueCreated) for each in kinds)
    labels = {each.label for each in kinds if isinstance(each, LabelAdded)}
    assert labels == {f"convoy:{board.convoys[0].id}", "status:queued", "task:t-20250101-0002", "type:task"}


def test_others_who_read_the_log_see_the_dependency() -> None:
    book = Book()
    board = book.write(approved(proposed(book)))
    (edge,) = fold(tuple(book.events))[IssueId(ISSUE)].dependencies
    assert edge.target == board.convoys[0].tasks[0].issue


def test_what_the_stranger_labels_afterwards_changes_nothing() -> None:
    book = Book()
    book.write(approved(proposed(book)))
    board = book.draft([Draft(IssueId(ISSUE), LabelAdded("status:dropped"))], actor=STRANGER)
    assert board.convoys[0].tasks[1].status == "queued"


def test_a_proposal_dated_after_its_approval_stays_a_task() -> None:
    book = Book()
    board = book.open(PlannedTask("first", "First"))
    late = Book()
    late.now = book.now + 10_000_000
    late.draft([Draft(IssueId(ISSUE), IssueCreated("Fix it", "", ("type:task",)))], actor=STRANGER)
    book.write(approved(board))
    book.events += late.events
    board = book.board()
    assert [task.issue for task in board.convoys[0].tasks][1:] == [ISSUE]
    assert board.proposals == ()
