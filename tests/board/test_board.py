"""What a board tells apart of convoys that are over is what a search through all of them would find."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from app.board import Board, Convoy, ConvoyStatus, Task, TaskStatus, convoy_main, task_branch
from app.ports import (
    BaseTakenOver,
    ConvoyCancelled,
    ConvoyCompleted,
    EffectIntended,
    EffectSeen,
    Fact,
    MergeStarted,
    MergeSucceeded,
    PlannedTask,
    PullOpened,
    RequestSource,
    TaskDropped,
)
from tests.book import BASE, Book

TASKS = (PlannedTask("one", "First"), PlannedTask("two", "Second"))
HEAD, TREE = "b" * 40, "d" * 40
ASKED = RequestSource(7, "https://hub/7", "d" * 64, "ada", 3, "label:7", 1)


def three() -> Book:
    """Two convoys of issues of a code host, and one that was asked for elsewhere."""
    book = Book()
    for number, request in enumerate((ASKED, None, ASKED)):
        book.open(*TASKS, goal=f"Number {number}", request=request)
    return book


def possible(convoy: Convoy, number: int) -> Iterator[tuple[Fact, ...]]:
    for task in convoy.tasks:
        yield (TaskDropped(task.issue, "ada", ""),)
        yield (PullOpened(task.issue, 10 * number + task.number, "https://hub", HEAD),)
        landing = MergeStarted(task.issue, 1, "rebase", BASE, HEAD, HEAD, TREE)
        yield (landing, MergeSucceeded(task.issue, 1, "rebase", HEAD, BASE, ()))
    yield (PullOpened(convoy.issue, 10 * number, "https://hub", HEAD),)
    yield (ConvoyCancelled(convoy.issue, "ada", ""),)
    yield (ConvoyCompleted(convoy.issue, HEAD),)
    yield (BaseTakenOver(convoy.issue, "main", BASE, HEAD),)
    yield (EffectIntended(convoy.issue, f"told:{convoy.id}", "one", 9),)
    yield (EffectSeen(convoy.issue, f"told:{convoy.id}", 1),)


POSSIBLE = [
    each for number, convoy in enumerate(three().board().convoys, 1) for each in possible(convoy, number)
]


def given_up(board: Board) -> Iterator[tuple[Convoy, Task | None]]:
    for convoy in board.convoys:
        failed = convoy.status is ConvoyStatus.FAILED
        for task in convoy.tasks:
            if task.status is TaskStatus.DROPPED or (failed and not task.status.final):
                yield convoy, task
        if failed:
            yield convoy, None


@given(st.lists(st.sampled_from(POSSIBLE), max_size=12))
def test_what_a_look_needs_of_the_past_is_what_a_search_finds(course: list[tuple[Fact, ...]]) -> None:
    book = three()
    for each in course:
        book.write(*each)
    board = book.board()
    merged = sum(task.status is TaskStatus.MERGED for each in board.convoys for task in each.tasks)
    taken = sum(each.taken_over is not None for each in board.convoys)
    assert board.landings == (merged, taken, sum(each.status.final for each in board.convoys))
    assert board.untold == tuple(
        each
        for each in board.convoys
        if each.request is not None and (not each.status.final or board.ledger.ref(f"told:{each.id}") is None)
    )
    found: dict[int | str, list[Convoy]] = {}
    for convoy, task in given_up(board):
        opened = task.pull if task else convoy.pull
        branch = task_branch(convoy.slug, task.number) if task else convoy_main(convoy.slug)
        for key in (branch, *((opened.number,) if opened else ())):
            found.setdefault(key, []).append(convoy)
    assert dict(board.given_up) == {key: tuple(each) for key, each in found.items()}
    assert [(each, task) for each in board.convoys for task in each.given_up] == list(given_up(board))
