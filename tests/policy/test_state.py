"""What the pull request itself must be, and what people put in its way."""

from __future__ import annotations

from typing import Any

import pytest

from app.policy import judge
from app.ports import HoldPlaced, Person, PullState, VerdictState
from app.texts import Command, Place, parse
from tests.policy.values import HEAD, NOW, case, part, rules

BLOCKED, DONE, WAITING, WORKING = (
    VerdictState.BLOCKED,
    VerdictState.DONE,
    VerdictState.WAITING,
    VerdictState.WORKING,
)


def state(rule: str, **other: Any) -> VerdictState:
    return part(judge(case(**other)), rule).state


def test_a_pull_request_that_is_as_it_should_be_may_land() -> None:
    assert judge(case()).state is DONE


def test_t19_a_pull_request_that_is_not_our_own_is_not_landed() -> None:
    assert state("open", pull={"ours": False}) is BLOCKED


def test_a_closed_one_says_by_whom_and_does_not_land() -> None:
    closed = part(judge(case(pull={"state": PullState.CLOSED, "ended_by": Person(1, "alice")})), "open")
    assert closed.because == "is closed by alice, wanted open"


def test_one_that_was_pointed_at_another_base_does_not_land_there() -> None:
    moved = part(judge(case(pull={"base_branch": "production"})), "open")
    assert (moved.state, moved.because) == (BLOCKED, "goes to production, wanted main")
    assert moved.unblock == "set its base to main again"


def test_mergeable_not_yet_computed_is_looked_at_again_soon_and_is_no_conflict() -> None:
    verdict = part(judge(case(pull={"mergeable": None})), "conflict")
    assert (verdict.state, verdict.next_look_ts) == (WAITING, NOW + 15_000)
    assert state("conflict", pull={"mergeable": False}) is BLOCKED


def test_a_draft_does_not_land_until_whoever_made_it_one_says_so() -> None:
    verdict = part(judge(case(pull={"draft": True})), "draft")
    assert (verdict.state, verdict.who) == (BLOCKED, "who may write")


@pytest.mark.parametrize(
    ("strict", "behind", "outcome"),
    [
        (True, True, WORKING),
        (True, False, DONE),
        (True, None, WAITING),
        (False, True, DONE),
        (False, None, DONE),
        (None, False, DONE),
        (None, True, DONE),
        (None, None, WAITING),
    ],
)
def test_behind_matters_where_the_rules_are_strict(
    strict: bool | None, behind: bool | None, outcome: VerdictState
) -> None:
    assert state("up to date", rules=rules(strict=strict), pull={"behind": behind}) is outcome


def test_behind_is_a_persons_where_updates_are_off_and_nobodys_with_a_queue() -> None:
    behind = {"behind": True}
    assert state("up to date", pull=behind, policy={"update": "never"}) is BLOCKED
    assert state("up to date", pull=behind, rules=rules(queue=True)) is DONE


def test_a_push_can_only_fast_forward() -> None:
    loose = rules(strict=False)
    assert state("up to date", pull={"behind": True}, rules=loose, policy={"land": "push"}) is WORKING


def test_a_strategy_that_the_branch_refuses_is_said_before_the_merge_is_tried() -> None:
    verdict = part(judge(case(rules=rules(methods=("squash",)))), "strategy")
    assert verdict.because == "rebase is not allowed on main, wanted squash, or the settings to allow rebase"
    assert (verdict.who, verdict.unblock) == ("a maintainer", "/brat strategy squash")
    assert state("strategy", policy={"strategy": "merge"}, rules=rules(linear=True)) is BLOCKED
    assert state("strategy", policy={"land": "push"}, rules=rules(methods=("squash",))) is DONE


def test_a_branch_that_takes_no_method_at_all_needs_its_settings_and_no_command() -> None:
    verdict = part(judge(case(rules=rules(methods=("merge",), linear=True))), "strategy")
    assert verdict.because == "rebase is not allowed on main, nor is another way to merge"
    assert verdict.unblock == "allow rebase in the repository's settings or the branch's rules"


def test_size_has_a_limit_only_where_one_is_set() -> None:
    assert state("size", policy={"max_lines": 9}) is BLOCKED
    assert state("size", policy={"max_lines": 10}) is DONE
    assert state("size", policy={"max_lines": 9}, released=frozenset({HEAD})) is DONE
    assert state("size", policy={"max_lines": 9}, pull={"changed_lines": None}) is WAITING
    assert state("size", pull={"changed_lines": None}) is DONE


def test_a_hold_names_who_placed_it_and_the_command_that_ends_it() -> None:
    hold = HoldPlaced("issue", None, None, "release week", by="alice")
    verdict = part(judge(case(holds=(hold,))), "hold")
    assert (verdict.state, verdict.because, verdict.unblock) == (
        BLOCKED,
        "release week (alice)",
        "/brat unhold 1",
    )


def test_a_hold_of_a_head_ends_with_its_release_or_with_another_head() -> None:
    hold = HoldPlaced("issue", None, HEAD, "touches .github")
    assert state("hold", holds=(hold,)) is BLOCKED
    assert state("hold", holds=(hold,), released=frozenset({HEAD})) is DONE
    assert state("hold", holds=(hold,), pull={"head": "b" * 40}) is DONE


def test_in_a_convoys_own_pull_request_each_way_out_is_one_that_exists() -> None:
    pull, policy = {"mergeable": False, "changed_lines": 9}, {"max_lines": 1}
    home = case(pull=pull, policy=policy, paths=(".github/x",), task=0, unreleased=(1, 3))
    verdict = judge(home)
    ways = {each: part(verdict, each).unblock for each in ("protected paths", "size", "conflict")}
    assert ways == {
        "protected paths": "/brat release 1,3",
        "size": "/brat release 1,3",
        "conflict": "push what mends it to convoy/x/task-1",
    }


@pytest.mark.parametrize("task", [0, 2])
@pytest.mark.parametrize("known", [True, False])
def test_every_comment_that_a_rule_asks_for_is_one_that_can_be_given(task: int, known: bool) -> None:
    pull = {"mergeable": False, "changed_lines": 9} if known else {"behind": None, "changed_lines": None}
    seen: dict[str, Any] = (
        {"paths": (".github/x",)} if known else {"paths": None, "checks": None, "labels": None}
    )
    given = {"rules": rules(methods=("merge",)) if known else None, "unreleased": (1, 3), **seen}
    verdict = judge(case(pull=pull, policy={"max_lines": 1, "blocker_labels": ("x",)}, task=task, **given))
    asked = [each.unblock for each in verdict.parts if each.unblock.startswith("/brat")]
    assert asked
    for said in asked:
        (command,) = parse(said, place=Place.PULL)
        assert isinstance(command, Command), said


def test_t7_protected_paths_wait_for_a_release_of_exactly_this_head() -> None:
    touched = (".github/workflows/ci.yml", "src/a.py")
    verdict = part(judge(case(paths=touched)), "protected paths")
    assert (verdict.state, verdict.unblock) == (BLOCKED, "/brat release 1")
    assert state("protected paths", paths=touched, released=frozenset({"b" * 40})) is BLOCKED
    assert state("protected paths", paths=touched, released=frozenset({HEAD})) is DONE
    assert state("protected paths", paths=(".GitHub/x",)) is BLOCKED


@pytest.mark.parametrize("where", ["pull", "issue"])
def test_a_blocker_label_counts_on_issue_and_pull_request_in_any_case(where: str) -> None:
    label = frozenset({"Do Not Merge"})
    given: dict[str, Any] = {"pull": {"labels": label}} if where == "pull" else {"labels": label}
    assert state("labels", policy={"blocker_labels": ("do not merge",)}, **given) is BLOCKED
    assert state("labels", **given) is DONE
