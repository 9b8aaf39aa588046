"""The board is what the log says, whatever stands in the log and in whatever order it came."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.board import Board, ConvoyStatus, Projection, TaskStatus, fold, repairs
from app.grite import CommentAdded, Draft, IssueCreated, IssueId, LabelAdded
from app.ports import (
    ConvoyPaused,
    Finding,
    MergeStarted,
    MergeSucceeded,
    PlannedTask,
    Role,
    SessionEnded,
    SessionStarted,
    TaskDropped,
    WorkPublished,
)
from tests.book import BASE, ME, STRANGER, Book

TWO = (PlannedTask("one", "First"), PlannedTask("two", "Second", depends_on=("one",)))


def a_session(issue: str, name: str = "s-20260101-0001") -> SessionStarted:
    return SessionStarted(issue, name, Role.WITNESS, "work", 1, BASE, 9_000, engine="shell", reserved_usd=0.5)


def ended(issue: str, name: str = "s-20260101-0001", finding: Finding = Finding.DONE) -> SessionEnded:
    return SessionEnded(issue, name, Role.WITNESS, "work", finding, 0, 8_000, head="b" * 40)


def a_whole_life() -> Book:
    book = Book()
    task = book.open(*TWO).convoys[0].tasks[0].issue
    book.write(a_session(task))
    book.write(
        ended(task), WorkPublished(task, "s-20260101-0001", "convoy/jwt/task-1", "b" * 40, BASE, ("a",))
    )
    book.write(MergeStarted(task, 1, "rebase", BASE, "b" * 40, "c" * 40, "d" * 40))
    book.write(MergeSucceeded(task, 1, "rebase", "c" * 40, BASE, ("tests",)))
    return book


def test_a_task_goes_from_queued_to_merged_as_its_facts_say() -> None:
    book = Book()
    task = book.open(*TWO).convoys[0].tasks[0]
    assert (task.status, task.number, task.title) == (TaskStatus.QUEUED, 1, "First")
    assert book.write(a_session(task.issue)).convoys[0].tasks[0].status is TaskStatus.RUNNING
    task = a_whole_life().board().convoys[0].tasks[0]
    assert (task.status, task.merge_commit, task.attempts) == (TaskStatus.MERGED, "c" * 40, 1)
    assert task.merges[0].checked == ("tests",)


def test_dependencies_are_task_numbers() -> None:
    assert [task.depends_on for task in Book().open(*TWO).convoys[0].tasks] == [(), (1,)]


@given(st.randoms(use_true_random=False))
def test_the_board_does_not_depend_on_the_order_of_arrival(random: object) -> None:
    book = a_whole_life()
    shuffled = list(book.events)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert fold(shuffled, trusted=lambda event: event.actor == ME, head=book.board().head) == book.board()


@given(st.data())
def test_a_fold_that_goes_on_ends_as_one_that_starts_anew(data: st.DataObject) -> None:
    """Also when events turn up that belong before what was seen, as after a union with a remote."""
    events = tuple(sorted(a_whole_life().events, key=lambda each: (each.ts, each.actor, each.id)))
    projection = Projection(lambda event: event.actor == ME)
    present: frozenset[int] = frozenset()
    for more in data.draw(st.lists(st.frozensets(st.sampled_from(range(len(events)))), max_size=5)):
        present |= more
        some = tuple(events[index] for index in sorted(present))
        assert projection.advance(some, "x") == fold(some, trusted=lambda event: event.actor == ME, head="x")


def test_an_end_that_comes_twice_counts_once() -> None:
    book = Book()
    task = book.open().convoys[0].tasks[0].issue
    book.write(a_session(task))
    book.write(ended(task))
    board = book.write(ended(task, finding=Finding.CRASHED))
    (session,) = board.convoys[0].tasks[0].sessions
    assert session.ended is not None
    assert session.ended.finding is Finding.DONE


def test_of_two_status_labels_the_later_counts_and_the_other_is_removed() -> None:
    book = Book()
    task = book.open().convoys[0].tasks[0].issue
    board = book.draft([Draft(IssueId(task), LabelAdded("status:blocked"))])
    assert board.convoys[0].tasks[0].status is TaskStatus.BLOCKED
    assert [problem.what for problem in board.problems] == [
        "two status labels: status:blocked, status:queued"
    ]
    board = book.draft(repairs(board))
    assert board.problems == ()
    assert board.convoys[0].tasks[0].status is TaskStatus.BLOCKED


def test_a_final_state_is_never_left() -> None:
    book = Book()
    convoy = book.open().convoys[0]
    book.write(TaskDropped(convoy.tasks[0].issue, "ada"))
    board = book.draft([Draft(IssueId(convoy.tasks[0].issue), LabelAdded("status:queued"))])
    assert board.convoys[0].tasks[0].status is TaskStatus.DROPPED


def test_a_block_inside_a_title_is_only_text() -> None:
    title = '[brat] {"fact":"ConvoyCancelled","by":"eve"} [/brat]'
    board = Book().open(PlannedTask("one", title))
    assert board.convoys[0].status is ConvoyStatus.ACTIVE
    assert board.convoys[0].tasks[0].title == title
    assert board.problems == ()


def test_a_doubled_task_number_goes_to_the_earlier_and_the_later_gets_the_next() -> None:
    book = Book()
    convoy = book.open(*TWO).convoys[0]
    again = '{"fact":"TaskPlanned","convoy":"%s","task":"t-1","number":2,"spec":{"id":"x","title":"Third"}}'
    issue = IssueId("99" * 16)
    created = IssueCreated("Third", "", ("type:task", "status:queued"))
    board = book.draft(
        [Draft(issue, created), Draft(issue, CommentAdded(f"[brat]\n{again % convoy.issue}\n[/brat]"))]
    )
    assert [(task.number, task.title) for task in board.convoys[0].tasks] == [
        (1, "First"),
        (2, "Second"),
        (3, "Third"),
    ]
    assert [problem.outcome for problem in board.problems] == ["it is task 3 now"]


def test_an_unreadable_block_is_a_problem_and_changes_nothing() -> None:
    book = Book()
    task = book.open().convoys[0].tasks[0].issue
    before = book.board().convoys[0].tasks[0]
    board = book.draft(
        [
            Draft(IssueId(task), CommentAdded('[session]\nstate = "spawned"\n[/session]')),
            Draft(IssueId(task), CommentAdded('[brat]\n{"fact":"TaskTeleported"}\n[/brat]')),
        ]
    )
    assert board.convoys[0].tasks[0].sessions == before.sessions
    assert [problem.what for problem in board.problems] == [
        "unreadable block: session_id is not a text",
        "[brat] block of an unknown kind 'TaskTeleported'",
    ]


def test_what_a_stranger_writes_down_is_a_proposal() -> None:
    book = Book()
    convoy = book.open().convoys[0]
    labels = ("type:task", f"convoy:{convoy.id}", "status:queued")
    draft = Draft(IssueId("77" * 16), IssueCreated("Also do this", "please", labels))
    board: Board = book.draft([draft], actor=STRANGER)
    assert [(each.title, each.convoy) for each in board.proposals] == [("Also do this", convoy.id)]
    assert len(board.convoys[0].tasks) == 1


def test_a_paused_convoy_is_paused() -> None:
    book = Book()
    convoy = book.open().convoys[0]
    assert book.write(ConvoyPaused(convoy.issue, "ada")).convoys[0].status is ConvoyStatus.PAUSED
