"""Work on workflow files that the App may not push is handed over, and the rest of it goes on."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Any

from app import refinery
from app.ports import (
    Candidate,
    Decision,
    Finding,
    HoldPlaced,
    HoldReleased,
    HubSeen,
    Inspection,
    Patch,
    PatchKey,
    Publish,
    Role,
    SessionEnded,
    SessionStarted,
    VerdictState,
    WorkKey,
    WorkPublished,
)
from tests.book import BASE, Book, only
from tests.refinery.hub import BRANCH, HEAD, S1, hub, look

CI, REST, NOW = ".github/workflows/ci.yml", "d" * 40, "f" * 40
BARRED = replace(hub(), takes_workflows=False, workflows={BASE: (), NOW: ()})
REFS = {"refs/heads/main": NOW, f"refs/heads/{BRANCH}": ""}
KEY = WorkKey(S1, BASE, HEAD, BRANCH)
WORKS = {KEY: Inspection(HEAD, (CI, "a.py"), (CI,), commits=1)}
ASKED = PatchKey(BASE, HEAD, NOW)
PATCH = Patch((CI,), "diff --git …", there=False)
THERE = replace(PATCH, there=True)


def finished() -> Book:
    """A session has ended well, and its work is on no branch."""
    book = Book()
    book.open()
    issue = book.board().convoys[0].tasks[0].issue
    book.write(SessionStarted(issue, S1, Role.WITNESS, "work", 1, BASE, book.now + 60_000, "shell"))
    book.write(SessionEnded(issue, S1, Role.WITNESS, "work", Finding.DONE, 0, 9, head=HEAD))
    return book


def decided(book: Book, patch: Patch | None, seen: HubSeen = BARRED, **world: Any) -> Decision:
    patches = MappingProxyType({ASKED: patch} if patch else {})
    return look(book, seen, refs=REFS, works=WORKS, patches=patches, **world)


def released(book: Book) -> Book:
    book.write(*decided(book, PATCH).facts)
    book.write(HoldReleased(book.board().convoys[0].tasks[0].issue, HEAD, "ada"))
    return book


def rest(book: Book, built: Candidate) -> dict[str, Any]:
    """The world in which the rest of the work was built on the base."""
    wanted = refinery.wanted(book.board(), {}, {"refs/heads/main": NOW}, hub=BARRED)
    assert wanted.patches == (ASKED,)
    (key,) = wanted.candidates
    assert (key.base, key.head, key.since, key.strategy) == (NOW, HEAD, BASE, "squash")
    return {"candidates": MappingProxyType({key: built})}


def test_work_that_may_not_be_pushed_is_held_at_its_head_with_the_files() -> None:
    held = only(decided(finished(), PATCH).facts, HoldPlaced)
    assert isinstance(held, HoldPlaced)
    assert (held.head, held.paths) == (HEAD, (CI,))
    assert held.reason == f"changes workflow files, which the App may not push: {CI}"


def test_where_the_app_may_push_them_nothing_is_read_and_protected_paths_decide() -> None:
    book = finished()
    free = replace(BARRED, takes_workflows=True)
    wanted = refinery.wanted(book.board(), {}, {"refs/heads/main": NOW}, hub=free)
    assert not wanted.patches
    held = only(decided(book, None, free).facts, HoldPlaced)
    assert isinstance(held, HoldPlaced)
    assert held.reason.startswith("touches protected paths")


def test_a_release_before_the_base_has_the_files_pushes_nothing_and_says_what_is_missing() -> None:
    decision = decided(released(finished()), PATCH)
    assert not decision.actions
    (verdict,) = (each for each in decision.verdicts if each.rule == "workflows")
    assert (verdict.state, verdict.unblock) == (VerdictState.BLOCKED, "apply the patch to main")


def test_once_the_base_has_them_the_rest_is_pushed_as_released() -> None:
    book = released(finished())
    decision = decided(book, THERE, **rest(book, Candidate(REST, "t")))
    (push,) = decision.actions
    assert isinstance(push, Publish)
    assert (push.work.head, push.old) == (REST, None)
    published = only(push.facts, WorkPublished)
    assert isinstance(published, WorkPublished)
    assert (published.head, published.base, published.touched) == (REST, NOW, ("a.py",))
    book.write(*push.facts)
    task = book.board().convoys[0].tasks[0]
    assert {HEAD, REST} <= task.released
    assert task.hold is None


def test_nothing_left_to_push_is_said_with_the_command_that_ends_it() -> None:
    book = released(finished())
    decision = decided(book, THERE, **rest(book, Candidate(None, empty=True)))
    assert [each.unblock for each in decision.verdicts if each.rule == "workflows"] == ["/brat drop 1"]
    assert not decision.actions


def test_what_could_not_be_read_is_not_pushed() -> None:
    decision = decided(released(finished()), None)
    assert not decision.actions
    assert [each.state for each in decision.verdicts if each.rule == "workflows"] == [VerdictState.WAITING]
