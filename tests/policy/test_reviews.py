"""Approvals, changes requested, conversations: by people who may write now."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.policy import judge, may_write
from app.ports import Access, Person, ReviewSeen, ReviewState, Verdict, VerdictState
from tests.policy.values import ALICE, BOT, MALLORY, NOW, case, part, review, rules

ONE = rules(approvals=1)
ASKED = ReviewState.CHANGES_REQUESTED


def approvals(*reviews: ReviewSeen, **other: Any) -> Verdict:
    return part(judge(case(rules=ONE, pull={"reviews": reviews}, **other)), "approvals")


def test_an_approval_by_a_writer_counts() -> None:
    assert approvals(review()).state is VerdictState.DONE
    assert approvals().because == "0 of 1, wanted 1"


def test_t8_approvals_of_strangers_of_bots_and_of_ourselves_do_not_count() -> None:
    ours = Person(9, "brat[bot]", bot=True, ours=True)
    verdict = approvals(review(MALLORY), review(BOT), review(ours))
    assert verdict.state is VerdictState.BLOCKED
    assert approvals(review(BOT), allow_bots=frozenset({BOT.id})).state is VerdictState.DONE


def test_the_same_person_counts_once_and_the_latest_verdict_stands() -> None:
    two = rules(approvals=2)
    twice = (review(id=1), review(id=2, submitted_ts=NOW))
    assert (
        part(judge(case(rules=two, pull={"reviews": twice})), "approvals").because
        == "1 of 2 (alice), wanted 2"
    )
    later = review(state=ReviewState.DISMISSED, id=2, submitted_ts=NOW)
    assert approvals(review(), later).state is VerdictState.BLOCKED


def test_a_comment_after_an_approval_takes_nothing_back() -> None:
    assert (
        approvals(review(), review(state=ReviewState.COMMENTED, id=2, submitted_ts=NOW)).state
        is VerdictState.DONE
    )


def test_a_number_in_the_file_can_ask_for_more_and_never_for_less() -> None:
    assert part(judge(case(policy={"approvals": 1})), "approvals").state is VerdictState.BLOCKED
    lenient = case(policy={"approvals": 0}, rules=ONE)
    assert part(judge(lenient), "approvals").state is VerdictState.BLOCKED


def test_access_that_could_not_be_asked_is_neither_yes_nor_no() -> None:
    verdict = approvals(review(), access={})
    assert verdict.state is VerdictState.WAITING
    assert verdict.because.startswith("unknown: whether alice may write")


def test_changes_requested_by_a_writer_block_until_that_person_says_otherwise() -> None:
    asked = review(state=ASKED)
    verdict = part(judge(case(pull={"reviews": (asked,)})), "changes requested")
    assert (verdict.state, verdict.who) == (VerdictState.BLOCKED, "alice")
    approved = review(id=2, submitted_ts=NOW)
    assert judge(case(pull={"reviews": (asked, approved)})).state is VerdictState.DONE


def test_t8_changes_requested_by_strangers_block_nothing() -> None:
    assert judge(case(pull={"reviews": (review(MALLORY, ASKED),)})).state is VerdictState.DONE


def test_code_owners_are_githubs_to_judge_and_unread_they_wait() -> None:
    owned = rules(code_owners=True)
    assert judge(case(rules=owned)).state is VerdictState.DONE
    assert part(judge(case(pull={"review_missing": True})), "reviews").state is VerdictState.BLOCKED
    unread = judge(case(rules=owned, pull={"review_missing": None}))
    assert part(unread, "reviews").state is VerdictState.WAITING


def test_a_number_in_the_file_settles_what_the_app_may_not_read() -> None:
    """https://github.com/isaacs/github/issues/1940: protection cannot be read without administration."""
    unread, pull = rules(approvals=None, code_owners=None), {"review_missing": None, "reviews": (review(),)}
    assert judge(case(rules=unread, pull=pull)).state is VerdictState.WAITING
    assert judge(case(rules=unread, pull=pull, policy={"approvals": 1})).state is VerdictState.DONE


@pytest.mark.parametrize(("count", "wanted"), [(0, None), (0, True), (3, False), (None, False)])
def test_conversations_pass_where_none_is_open_or_none_need_be_closed(
    count: int | None, wanted: bool | None
) -> None:
    assert (
        judge(case(rules=rules(conversations=wanted), pull={"conversations": count})).state
        is VerdictState.DONE
    )


@pytest.mark.parametrize(("count", "wanted"), [(3, True), (3, None), (None, True), (None, None)])
def test_open_or_unread_conversations_wait(count: int | None, wanted: bool | None) -> None:
    verdict = judge(case(rules=rules(conversations=wanted), pull={"conversations": count}))
    assert part(verdict, "conversations").state is not VerdictState.DONE


@pytest.mark.parametrize("access", Access)
def test_t21_only_write_access_lets_a_persons_word_count(access: Access) -> None:
    expected = None if access is Access.UNKNOWN else access.writes
    assert may_write(ALICE, {ALICE.id: access}, frozenset()) is expected
    assert may_write(replace(ALICE, ours=True), {ALICE.id: access}, frozenset({ALICE.id})) is False


def test_t3_a_name_that_ends_in_bot_is_worth_nothing() -> None:
    assert may_write(BOT, {BOT.id: Access.ADMIN}, frozenset()) is False
