"""Required checks as GitHub means them, and `require_ci` where nothing is required."""

from __future__ import annotations

import pytest

from app.policy import judge
from app.ports import CheckState, RequiredCheck, Verdict, VerdictState
from tests.policy.values import ACTIONS, NOW, OURS, case, check, part, rules

BLOCKED, DONE, WAITING = VerdictState.BLOCKED, VerdictState.DONE, VerdictState.WAITING
RED = CheckState.FAILURE
RUNNING = CheckState.PENDING
OPEN_RULES = rules(required=())


def ci(verdict: Verdict) -> Verdict:
    return part(verdict, "required checks", "ci")


@pytest.mark.parametrize("state", CheckState)
def test_neutral_and_skipped_pass_like_success_and_nothing_else_does(state: CheckState) -> None:
    passes = state in (CheckState.SUCCESS, CheckState.NEUTRAL, CheckState.SKIPPED)
    assert (judge(case(checks=(check(state=state),))).state is DONE) is passes


def test_the_newest_run_of_a_name_counts() -> None:
    old, new = check(state=RED, id=1), check(id=2, started_ts=NOW)
    assert judge(case(checks=(new, old))).state is DONE
    assert judge(case(checks=(check(id=1), check(state=RED, id=2, started_ts=NOW)))).state is BLOCKED


def test_a_green_job_does_not_hide_a_red_one_of_the_same_name_in_another_workflow() -> None:
    red, green = check(state=RED, workflow="7:push"), check(id=2, workflow="8:push", started_ts=NOW - 200_000)
    assert judge(case(checks=(red, green))).state is BLOCKED
    assert judge(case(policy={"require_ci": True}, rules=OPEN_RULES, checks=(red, green))).state is BLOCKED
    again = check(id=3, workflow="7:push", started_ts=NOW - 100_000)
    assert judge(case(checks=(red, green, again))).state is DONE


def test_a_rerun_under_way_is_pending_though_the_run_before_was_green() -> None:
    """https://github.com/kubernetes-sigs/prow/issues/337: merged while a re-run is pending."""
    queued = check(state=RUNNING, id=2, started_ts=0)
    assert ci(judge(case(checks=(check(), queued)))).state is WAITING


def test_a_run_gone_stale_is_forgotten_once_a_newer_one_has_ended() -> None:
    stale = check(state=RUNNING, id=1, started_ts=1, completed_ts=2)
    assert judge(case(checks=(stale, check(id=2)))).state is DONE
    assert judge(case(checks=(stale,))).state is WAITING


def test_a_status_replaces_the_one_before() -> None:
    pending, done = check(state=RUNNING, id=0, started_ts=1), check(id=0, started_ts=2)
    assert judge(case(checks=(done, pending))).state is DONE


def test_a_status_and_a_check_run_of_one_name_are_both_required() -> None:
    assert judge(case(checks=(check(), check(state=RED, id=0)))).state is BLOCKED
    assert judge(case(checks=(check(), check(id=0)))).state is DONE


@pytest.mark.parametrize("poster", [99, None])
def test_t11_only_the_expected_app_may_report_a_required_check(poster: int | None) -> None:
    verdict = ci(judge(case(checks=(check(app=poster, id=0),))))
    assert verdict.state is BLOCKED
    assert f"wanted from App {ACTIONS}" in verdict.because


def test_t11_a_forged_green_does_not_hide_the_real_red() -> None:
    forged = check(app=99, id=50, started_ts=NOW)
    assert judge(case(checks=(check(state=RED), forged))).state is BLOCKED


def test_t11_our_own_checks_never_count() -> None:
    anyone = rules(required=(RequiredCheck("ci"),))
    for own in (check(app=OURS), check(app=None, ours=True)):
        verdict = ci(judge(case(rules=anyone, checks=(own,))))
        assert verdict.state is BLOCKED
        assert "none reported" in verdict.because


def test_our_own_check_as_a_required_one_does_not_wait_for_itself() -> None:
    both = rules(required=(RequiredCheck("ci", ACTIONS), RequiredCheck("brat", OURS)))
    assert judge(case(rules=both)).state is DONE


def test_a_silent_check_is_waited_for_and_then_named_with_who_can_help() -> None:
    fresh = ci(judge(case(checks=(), head_since_ts=NOW - 1)))
    assert (fresh.state, fresh.next_look_ts) == (WAITING, NOW - 1 + 600_000)
    silent = ci(judge(case(checks=(), head_since_ts=NOW - 600_000)))
    assert (silent.state, silent.who) == (BLOCKED, "who keeps CI")
    assert silent.because == f"none reported for 10m, wanted success from App {ACTIONS}"


def test_a_run_that_waits_for_approval_asks_a_person_and_no_agent() -> None:
    verdict = ci(judge(case(checks=(check(state=CheckState.ACTION_REQUIRED),))))
    assert (verdict.state, verdict.who) == (BLOCKED, "who may write")


def test_required_checks_of_the_file_come_on_top() -> None:
    wants = {"required_checks": ("lint", "ci")}
    assert part(judge(case(policy=wants)), "required checks", "lint").state is BLOCKED
    assert judge(case(policy=wants, checks=(check(), check("lint", app=5)))).state is DONE
    assert judge(case(policy=wants, checks=(check(app=5), check("lint")))).state is not DONE


def test_nothing_required_and_nothing_wanted_passes_on_red() -> None:
    assert judge(case(rules=OPEN_RULES, checks=(check(state=RED),))).state is DONE


def test_require_ci_wants_all_of_a_head_green_where_nothing_is_required() -> None:
    wants = {"require_ci": True}
    assert judge(case(policy=wants, rules=OPEN_RULES)).state is DONE
    for state, outcome in ((RED, BLOCKED), (RUNNING, WAITING)):
        checks = (check(), check("docs", state, app=5))
        assert judge(case(policy=wants, rules=OPEN_RULES, checks=checks)).state is outcome


def test_require_ci_waits_until_no_news_came_for_the_settle_time() -> None:
    just = (check(completed_ts=NOW - 59_000),)
    settling = part(
        judge(case(policy={"require_ci": True}, rules=OPEN_RULES, checks=just)), "require_ci", "settle"
    )
    assert (settling.state, settling.next_look_ts) == (WAITING, NOW + 1000)
    young = case(policy={"require_ci": True}, rules=OPEN_RULES, head_since_ts=NOW - 59_999)
    assert judge(young).state is WAITING


def test_require_ci_waits_for_each_check_the_base_usually_has() -> None:
    usual = rules(required=(), usual=("ci", "nightly"))
    verdict = judge(case(policy={"require_ci": True}, rules=usual))
    assert part(verdict, "require_ci", "nightly").because == "none reported for 10m, wanted as on main"


def test_require_ci_without_any_check_is_a_stated_reason_and_no_pass() -> None:
    verdict = judge(case(policy={"require_ci": True}, rules=rules(required=(), usual=()), checks=()))
    assert part(verdict, "require_ci", "checks").because == "none reported for 10m, wanted any check"


def test_require_ci_asks_nothing_of_a_branch_without_workflows() -> None:
    silent = case(policy={"require_ci": True}, rules=OPEN_RULES, checks=(), ci_runs=False)
    assert judge(silent).state is DONE
