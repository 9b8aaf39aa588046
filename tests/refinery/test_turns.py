"""Whose turn it is to land on a code host."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from app.board import Merge, Task, TaskStatus
from app.ports import (
    CheckSeen,
    CheckState,
    ConvoyPaused,
    Decision,
    Dequeue,
    Enqueue,
    Fact,
    Finding,
    HoldPlaced,
    Landing,
    PlannedTask,
    PullSeen,
    PullState,
    QueueSeen,
    RefusedMove,
    Role,
    SessionEnded,
    SessionStarted,
    TaskBlocked,
    TaskDropped,
    WorkPublished,
)
from app.refinery import hub_wanted
from app.refinery.pulls import TASK_LABEL
from app.refinery.watching import landings_wanted
from tests.book import BASE, Book
from tests.refinery.hub import GREEN, LANDED, PULL, RULES, hub, settle

OWN = CheckSeen("brat", CheckState.PENDING, id=9, ours=True)


def publish(book: Book, convoy: int, number: int, head: str) -> PullSeen:
    """A task's work is on its branch, with a pull request that may be merged."""
    owner = book.board().convoys[convoy]
    task, session, branch = owner.tasks[number - 1], f"s-{head[:4]}", f"convoy/{owner.slug}/task-{number}"
    book.write(
        SessionStarted(task.issue, session, Role.WITNESS, "work", 1, BASE, book.now + 60_000, "shell"),
        SessionEnded(task.issue, session, Role.WITNESS, "work", Finding.DONE, 0, 9, head=head),
        WorkPublished(task.issue, session, branch, head, BASE, ("a.py",)),
    )
    return replace(PULL, number=ord(head[0]), head=head, head_branch=branch, labels=frozenset({TASK_LABEL}))


def test_a_landing_that_is_put_off_gives_its_turn_to_whoever_waits_longest() -> None:
    book = Book()
    book.open()
    book.open(PlannedTask("one", "First"), PlannedTask("two", "Second"))
    older, first, second = "1" * 40, "2" * 40, "3" * 40
    seen = hub(publish(book, 0, 1, older), publish(book, 1, 1, first), publish(book, 1, 2, second))
    pending = replace(GREEN, state=CheckState.PENDING)

    def landing(*green: str) -> list[str]:
        checks = {
            each: (GREEN if each in green else pending, replace(OWN, key=f"check:{each}"))
            for each in (older, first, second)
        }
        refs = {f"refs/heads/{each.head_branch}": each.head for each in seen.pulls.values()}
        settle(book, replace(seen, checks=checks), refs=refs)
        merges = [task.merge for convoy in book.board().convoys for task in convoy.tasks if task.merge]
        return [each.head for each in merges if each.result == "running"]

    assert landing(first) == [first]
    assert landing(older, second) == [older]


QUEUED = {"main": replace(RULES, queue=True)}
KEPT: tuple[Callable[[Task], Fact], ...] = (
    lambda task: HoldPlaced(task.issue, None, None, "held by ada", by="ada"),
    lambda task: ConvoyPaused(task.convoy, "ada"),
    lambda task: TaskBlocked(task.issue, "somebody else moved its branch", "/brat retry 1"),
    lambda task: TaskDropped(task.issue, "ada"),
)


def queued() -> tuple[Book, PullSeen, PullSeen]:
    """The first convoy's task is in GitHub's merge queue, the second convoy's waits for its turn."""
    book = Book()
    book.open(PlannedTask("one", "First"), PlannedTask("more", "More"))
    book.open(PlannedTask("two", "Second"))
    first, second = publish(book, 0, 1, "1" * 40), publish(book, 1, 1, "2" * 40)
    first = replace(first, queue=QueueSeen("QUEUED"))
    pulls(book, first)
    pulls(book, first, second)
    return book, first, second


def pulls(book: Book, *seen: PullSeen, **world: Any) -> Decision:
    """What is decided when the host shows these, all green."""
    checks = {each.head: (GREEN, replace(OWN, key=f"check:{each.head}")) for each in seen}
    refs = {f"refs/heads/{each.head_branch}": each.head for each in seen}
    return settle(book, replace(hub(*seen, rules=QUEUED), checks=checks), refs=refs, **world)


def merge_of(book: Book, convoy: int) -> Merge | None:
    return book.board().convoys[convoy].tasks[0].merge


@pytest.mark.parametrize("kept", KEPT)
def test_a_landing_that_may_not_go_on_is_taken_back_and_others_have_their_turn(
    kept: Callable[[Task], Fact],
) -> None:
    book, first, second = queued()
    book.write(kept(book.board().convoys[0].tasks[0]))
    decision = pulls(book, first, second)
    assert Dequeue(first.number) in decision.actions
    assert merge_of(book, 1) is None
    no = {f"queue:{first.number}": RefusedMove("not now")}
    assert "not now" in " ".join(each.because for each in pulls(book, first, second, refused=no).verdicts)
    pulls(book, replace(first, queue=None), second)
    mine, other = merge_of(book, 0), merge_of(book, 1)
    assert mine is not None
    assert other is not None
    assert (mine.result, mine.reason, other.result) == ("failed", "withdrawn", "running")


def test_a_landing_that_may_not_go_on_waits_while_it_may_still_enter_the_queue() -> None:
    book = Book()
    book.open()
    outside = publish(book, 0, 1, "1" * 40)
    (enter,) = [each for each in pulls(book, outside).actions if isinstance(each, Enqueue)]
    assert enter.number == outside.number
    book.write(*(kept(book.board().convoys[0].tasks[0]) for kept in KEPT[:1]))
    (told,) = [each for each in pulls(book, outside).verdicts if each.rule == "landing"]
    assert told.next_look_ts is not None
    assert merge_of(book, 0).result == "running"  # type: ignore[union-attr]
    book.now = told.next_look_ts + 1
    pulls(book, outside)
    assert merge_of(book, 0).result == "failed"  # type: ignore[union-attr]


@pytest.mark.parametrize("kept", KEPT[:3])
def test_a_landing_that_was_too_quick_to_be_taken_back_is_recorded(kept: Callable[[Task], Fact]) -> None:
    book, first, second = queued()
    book.write(kept(book.board().convoys[0].tasks[0]))
    assert first.number in hub_wanted(book.board(), {}).pulls
    landed = replace(first, state=PullState.MERGED, merge_commit=LANDED, queue=None)
    (key,) = landings_wanted(book.board(), hub(landed))
    pulls(book, landed, second, landings={key: Landing("t1", "t1", "t1")})
    task = book.board().convoys[0].tasks[0]
    assert (task.status, task.merge_commit) == (TaskStatus.MERGED, LANDED)
