"""Whose turn it is to land on a code host."""

from __future__ import annotations

from dataclasses import replace

from app.ports import (
    CheckSeen,
    CheckState,
    Finding,
    PlannedTask,
    PullSeen,
    Role,
    SessionEnded,
    SessionStarted,
    WorkPublished,
)
from app.refinery.pulls import TASK_LABEL
from tests.book import BASE, Book
from tests.refinery.hub import GREEN, PULL, hub, settle

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
