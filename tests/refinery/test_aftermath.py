"""What is awaited after a landing on a base that had moved."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.board import ConvoyStatus
from app.config import RefineryPolicy
from app.ports import (
    CheckSeen,
    CheckState,
    ConvoyResumed,
    FeedbackGiven,
    Landing,
    MergePull,
    MergeStarted,
    MergeSucceeded,
)
from app.refinery.aftermath import stopped
from app.refinery.watching import hub_wanted, landings_wanted
from tests.book import BASE, Book
from tests.refinery.hub import GREEN, HEAD, LANDED, MERGED, PULL, RULES, hub, look, published, settle
from tests.refinery.test_turns import OWN, publish

GATHERED = "e" * 40
PENDING, RED = replace(GREEN, state=CheckState.PENDING), replace(GREEN, state=CheckState.FAILURE)


def landed() -> Book:
    """The only task has landed on a base that had moved."""
    book = published()
    settle(book, hub(PULL))
    book.write(*look(book, hub(MERGED), landing=("t2", "t1", "t2")).facts)
    assert ("watch", LANDED) in book.board().convoys[0].feedback
    return book


@pytest.mark.parametrize("heard", [(), (PENDING,)])
def test_p5_a_convoy_is_not_complete_before_the_checks_of_its_last_landing_are_in(
    heard: tuple[CheckSeen, ...],
) -> None:
    book = landed()
    (told,) = settle(book, replace(hub(), checks={LANDED: heard})).verdicts
    assert (told.rule, told.who) == ("watch", "CI")
    assert "build" in told.because
    wanted = hub_wanted(book.board(), {"refs/heads/main": LANDED})
    assert (LANDED in wanted.heads, wanted.rules) == (True, ("main",))
    settle(book, replace(hub(), checks={LANDED: (GREEN,)}))
    assert book.board().convoys[0].status is ConvoyStatus.COMPLETE


def test_p5_a_last_landing_that_is_red_is_said() -> None:
    book = landed()
    settle(book, replace(hub(), checks={LANDED: (RED,)}))
    convoy = book.board().convoys[0]
    assert convoy.paused is not None
    assert "is red there: build" in convoy.paused.why
    book.write(ConvoyResumed(convoy.issue, "ada"))
    settle(book, replace(hub(), checks={LANDED: (RED,)}))
    assert book.board().convoys[0].status is ConvoyStatus.COMPLETE


def test_a_base_without_ci_is_waited_for_as_long_as_silence_may_last_and_not_at_all_if_none_counts() -> None:
    book = landed()
    (told,) = settle(book, replace(hub(), checks={LANDED: ()})).verdicts
    assert told.next_look_ts is not None
    assert told.next_look_ts - book.now <= RefineryPolicy().silent_after_ms
    book.now = told.next_look_ts
    settle(book, replace(hub(), checks={LANDED: ()}))
    assert book.board().convoys[0].status is ConvoyStatus.COMPLETE
    book = landed()
    settle(book, replace(hub(), checks={LANDED: (RED,)}, rules={"main": replace(RULES, required=())}))
    assert book.board().convoys[0].status is ConvoyStatus.COMPLETE


def test_p5_a_red_base_holds_every_convoy_on_it_until_a_person_looked() -> None:
    book = Book()
    book.open()
    book.open()
    first, other = "1" * 40, "2" * 40
    one, two = publish(book, 0, 1, first), publish(book, 1, 1, other)
    refs = {f"refs/heads/{each.head_branch}": each.head for each in (one, two)}
    checks = {each: (GREEN, replace(OWN, key=f"check:{each}")) for each in (first, other)}
    seen, task = replace(hub(one, two), checks=checks), book.board().convoys[1].tasks[0]
    book.write(MergeStarted(task.issue, 1, "rebase", "", other, other, ""))
    issue = book.board().convoys[0].issue
    book.write(FeedbackGiven(issue, "watch", LANDED))
    decision = settle(book, replace(seen, checks={**checks, LANDED: (RED,)}), refs=refs)
    assert not [each for each in decision.actions if isinstance(each, MergePull)]
    told = next(each for each in decision.verdicts if each.subject == task.issue)
    assert "nothing more lands on main" in told.because
    assert "resume" in told.unblock
    book.write(ConvoyResumed(issue, "ada"))
    landing = settle(book, seen, refs=refs).actions
    assert [each for each in landing if isinstance(each, MergePull)]


def home(*trees: str) -> Book:
    """All of a convoy was gathered on its own branch, and its pull request is merged as these trees."""
    book = published(target="convoy")
    issue = book.board().convoys[0].tasks[0].issue
    book.write(MergeStarted(issue, 1, "rebase", BASE, HEAD, HEAD, ""))
    book.write(MergeSucceeded(issue, 1, "rebase", GATHERED, BASE))
    pull = replace(MERGED, number=9, head=GATHERED, head_branch="convoy/jwt/main")
    (key,) = landings_wanted(book.board(), hub(pull))
    assert (key.commit, key.head) == (LANDED, GATHERED)
    settle(book, replace(hub(pull), checks={LANDED: (PENDING,)}), landings={key: Landing(*trees)})
    return book


def test_p5_what_comes_home_as_it_was_tested_is_complete() -> None:
    assert home("t", "t", "t").board().convoys[0].status is ConvoyStatus.COMPLETE


def test_p5_what_comes_home_on_a_base_that_moved_is_watched_there() -> None:
    book = home("t2", "t1", "t2")
    assert book.board().convoys[0].status is ConvoyStatus.ACTIVE
    settle(book, replace(hub(), checks={LANDED: (GREEN,)}))
    assert book.board().convoys[0].status is ConvoyStatus.COMPLETE


def test_p5_what_comes_home_as_something_else_stops_every_landing_on_the_base() -> None:
    book = home("t3", "t1", "t2")
    convoy = book.board().convoys[0]
    assert convoy.paused is not None
    assert "neither the tested one" in convoy.paused.why
    stop = stopped(book.board(), "refs/heads/main")
    assert stop is not None
    assert stop.slug == "jwt"
