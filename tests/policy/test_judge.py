"""What holds for every verdict, whatever was seen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from app.policy import PolicyCase, explain, judge
from app.ports import CheckSeen, CheckState, RequiredCheck, ReviewState, Verdict, VerdictState
from tests.policy.values import ACTIONS, ALICE, MALLORY, NOW, OURS, case, check, review, rules

DONE = VerdictState.DONE
NAMES = st.sampled_from(["ci", "lint", "brat"])
APPS = st.sampled_from([None, ACTIONS, OURS, 99])
TIMES = st.integers(NOW - 900_000, NOW)
CHECKS = st.builds(
    CheckSeen,
    NAMES,
    st.sampled_from(CheckState),
    app=APPS,
    id=st.integers(0, 3),
    started_ts=TIMES,
    completed_ts=st.none() | TIMES,
    ours=st.booleans(),
)
REQUIRED = st.lists(st.builds(RequiredCheck, NAMES, APPS), max_size=3, unique=True).map(tuple)
MAYBE = st.none() | st.booleans()
RULES = st.builds(
    rules,
    required=st.none() | REQUIRED,
    approvals=st.none() | st.integers(0, 2),
    code_owners=MAYBE,
    conversations=MAYBE,
    strict=MAYBE,
    queue=MAYBE,
    usual=st.none() | st.lists(NAMES, max_size=2, unique=True).map(tuple),
)
REVIEWS = st.builds(
    review,
    st.sampled_from([ALICE, MALLORY]),
    st.sampled_from(ReviewState),
    id=st.integers(1, 9),
    submitted_ts=TIMES,
)
PULLS = st.fixed_dictionaries(
    {
        "draft": st.booleans(),
        "mergeable": MAYBE,
        "behind": MAYBE,
        "reviews": st.lists(REVIEWS, max_size=3).map(tuple),
        "conversations": st.none() | st.integers(0, 1),
        "review_missing": MAYBE,
        "changed_lines": st.none() | st.integers(0, 20),
    }
)
POLICIES = st.fixed_dictionaries(
    {
        "require_ci": st.booleans(),
        "required_checks": st.lists(NAMES, max_size=2, unique=True).map(tuple),
        "approvals": st.just("rules") | st.integers(0, 2),
        "land": st.sampled_from(["api", "push"]),
        "update": st.sampled_from(["auto", "never"]),
        "max_lines": st.none() | st.just(10),
    }
)
CASES = st.builds(
    case,
    pull=PULLS,
    policy=POLICIES,
    rules=st.none() | RULES,
    checks=st.none() | st.lists(CHECKS, max_size=4).map(tuple),
    paths=st.none() | st.just(("a",)),
    labels=st.none() | st.just(frozenset({"x"})),
    head_since_ts=TIMES,
)


def leaves(verdict: Verdict) -> Iterator[Verdict]:
    if not verdict.parts:
        yield verdict
    for each in verdict.parts:
        yield from leaves(each)


@given(CASES)
def test_done_means_that_every_part_is_done(seen: PolicyCase) -> None:
    verdict = judge(seen)
    assert (verdict.state is DONE) == all(each.state is DONE for each in leaves(verdict))


@given(CASES)
def test_p6_whatever_waits_says_why_and_who_or_when(seen: PolicyCase) -> None:
    for each in leaves(judge(seen)):
        assert each.because
        assert each.state is DONE or each.who
        assert each.next_look_ts is None or each.next_look_ts > seen.now


def eased(before: PolicyCase, after: PolicyCase) -> list[str]:
    """Rules that were not met and now are."""
    pairs = zip(judge(before).parts, judge(after).parts, strict=True)
    return [now.rule for then, now in pairs if then.state is not DONE and now.state is DONE]


@given(CASES, NAMES, APPS, st.integers(0, 9), TIMES)
def test_a_red_check_more_never_makes_a_rule_pass(
    seen: PolicyCase, name: str, app: int | None, number: int, started: int
) -> None:
    red = CheckSeen(name, CheckState.FAILURE, app=app, id=number, started_ts=started)
    if seen.checks is not None:
        assert eased(seen, replace(seen, checks=(*seen.checks, red))) == []


@given(CASES, REQUIRED)
def test_a_required_check_more_never_makes_a_rule_pass(
    seen: PolicyCase, more: tuple[RequiredCheck, ...]
) -> None:
    if seen.rules is not None and seen.rules.required:
        stricter = replace(seen.rules, required=tuple({*seen.rules.required, *more}))
        assert eased(seen, replace(seen, rules=stricter)) == []


@given(CASES, st.randoms(use_true_random=False))
def test_the_order_in_which_checks_and_reviews_are_listed_is_nothing(seen: PolicyCase, chance: Any) -> None:
    checks, reviews = list(seen.checks or ()), list(seen.pull.reviews)
    chance.shuffle(checks)
    chance.shuffle(reviews)
    if len({each.id for each in reviews}) < len(reviews):
        return
    mixed = replace(
        seen,
        checks=tuple(checks) if seen.checks is not None else None,
        pull=replace(seen.pull, reviews=tuple(reviews)),
    )
    assert judge(mixed) == judge(seen)


READ = ("mergeable", "behind", "conversations", "changed_lines")


@example(case(rules=rules(approvals=2), policy={"approvals": 1}), "rules")
@example(case(rules=rules(approvals=1)), "rules")
@example(case(rules=rules(strict=True), pull={"behind": True}), "rules")
@given(CASES, st.sampled_from(["checks", "rules", "paths", "labels", *READ]))
def test_what_cannot_be_read_never_makes_a_rule_pass(seen: PolicyCase, what: str) -> None:
    nothing: dict[str, Any] = {what: None}
    of_pull = replace(seen, pull=replace(seen.pull, **nothing)) if what in READ else None
    assert eased(seen, of_pull or replace(seen, **nothing)) == []


@pytest.mark.parametrize(
    "name", [each.name for each in fields(rules()) if each.name not in ("branch", "methods")]
)
def test_a_rule_that_cannot_be_read_waits_where_it_would_matter(name: str) -> None:
    pull = {"behind": True, "conversations": 1, "review_missing": None, "mergeable": True}
    lenient = rules(strict=False, required=())
    seen = case(pull=pull, rules=lenient, policy={"require_ci": True})
    assert judge(seen).state is DONE
    nothing: dict[str, Any] = {name: None}
    blind = judge(replace(seen, rules=replace(lenient, **nothing)))
    assert (blind.state is DONE) is (name in ("queue", "linear", "strict"))


@given(CASES, st.integers(0, 30_000))
def test_the_same_state_reads_the_same_a_moment_later(seen: PolicyCase, later: int) -> None:
    """Words stand in a comment and a check run that are edited only when something changed."""
    now, then = judge(seen), judge(replace(seen, now=seen.now + later))
    if now.state is then.state and [each.state for each in leaves(now)] == [
        each.state for each in leaves(then)
    ]:
        assert [each.because for each in leaves(now)] == [each.because for each in leaves(then)]


def test_the_gravest_part_leads_and_the_earliest_look_counts() -> None:
    verdict = judge(case(checks=(check(state=CheckState.FAILURE),), pull={"mergeable": None}))
    assert (verdict.state, verdict.next_look_ts) == (VerdictState.BLOCKED, NOW + 15_000)
    assert verdict.because == snapshot("required checks: ci: is failure, wanted success (and 1 more rule)")


def test_every_rule_is_explained_in_the_documents() -> None:
    page = (Path(__file__).parents[2] / "docs/policy.md").read_text()
    assert [each.rule for each in judge(case()).parts if f"\n| `{each.rule}` |" not in page] == []


def test_the_tree_is_told_in_plain_lines() -> None:
    seen = case(
        checks=(), head_since_ts=NOW, pull={"reviews": (review(state=ReviewState.CHANGES_REQUESTED),)}
    )
    assert "\n".join(explain(judge(seen))) == snapshot("""\
blocked  policy: changes requested: by alice, wanted: by nobody (and 1 more rule)
  done     open: it is open
  done     hold: none
  done     labels: none stops landing
  done     protected paths: none is touched
  done     size: no limit
  done     strategy: rebase is allowed
  blocked  changes requested: by alice, wanted: by nobody
           → alice: approve, or dismiss the review
  done     approvals: none is wanted
  done     reviews: the branch's rules want no more
  done     conversations: all are resolved
  done     draft: it is no draft
  done     conflict: none with main
  waiting  required checks: ci: has not reported yet, wanted success from App 15368
    waiting  ci: has not reported yet, wanted success from App 15368
             → CI; next look 2027-01-15 08:10:00 UTC
  done     require_ci: is off
  done     up to date: contains main
  done     freeze: no window is open\
""")
