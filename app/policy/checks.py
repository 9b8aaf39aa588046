"""What checks say about a head, the way GitHub reads them.

Neutral and skipped pass, the newest run of a name counts, the expected App must have posted it, a check run
and a status of one name are both required:
https://docs.github.com/en/pull-requests/collaborating-with-pull-requests/collaborating-on-repositories-with-code-quality-features/troubleshooting-required-status-checks
"""

from __future__ import annotations

from collections.abc import Iterable

from app.config import RefineryPolicy, format_duration
from app.policy.case import PolicyCase, listed
from app.ports import BranchRules, CheckSeen, CheckState, RequiredCheck, Verdict

__all__ = ["checks_rule", "ci_rule", "latest", "required_of"]

_CI = "who keeps CI"


def latest(checks: Iterable[CheckSeen], *, app: int = 0) -> tuple[CheckSeen, ...]:
    """The run that counts of each name, poster and workflow, by name. Our own App's never count."""
    newest: dict[tuple[str, int, bool, str], CheckSeen] = {}
    for check in checks:
        if check.ours or (app and check.app == app):
            continue
        key = (check.name, check.app or 0, check.id > 0, check.workflow)
        if key not in newest or _age(check) > _age(newest[key]):
            newest[key] = check
    return tuple(newest[key] for key in sorted(newest))


def _age(check: CheckSeen) -> tuple[bool, int, int, bool, bool, str]:
    """A run under way counts before any that ended: it may be a re-run, or another suite's.

    Statuses are never under way: each one replaces the one before.
    """
    running = check.id > 0 and check.state is CheckState.PENDING and check.completed_ts is None
    state = check.state
    return running, check.started_ts, check.id, state.fails, not state.passes, state.value


def required_of(rules: BranchRules | None, policy: RefineryPolicy) -> tuple[RequiredCheck, ...]:
    """What is required by the branch's rules and by `required_checks`, by name; unread rules add nothing."""
    by_rules = (rules.required if rules else None) or ()
    names = {each.name for each in by_rules}
    ours = (RequiredCheck(name) for name in policy.required_checks if name not in names)
    return tuple(sorted({*by_rules, *ours}, key=lambda each: (each.name, each.app or 0)))


def checks_rule(case: PolicyCase) -> Verdict:
    """Every required check is green."""
    rule = "required checks"
    required = required_of(case.rules, case.policy)
    parts: list[Verdict] = []
    if case.rules is None or case.rules.required is None:
        parts.append(case.unknown("rules", f"what {case.pull.base_branch} requires"))
    if required and case.checks is None:
        parts.append(case.unknown("reports", f"the checks of {case.pull.head[:10]}"))
    elif case.checks is not None:
        runs = latest(case.checks, app=case.app)
        parts += [_required(case, each, runs) for each in required]
    fine = "all are green: " + listed([each.name for each in required]) if required else "none is required"
    return case.summed(rule, parts, fine=fine, noun="check")


def _required(case: PolicyCase, wanted: RequiredCheck, runs: tuple[CheckSeen, ...]) -> Verdict:
    if wanted.app is not None and wanted.app == case.app:
        return case.passed(wanted.name, "our own check: it follows from this verdict and never counts for it")
    named = [each for each in runs if each.name == wanted.name]
    right = [each for each in named if wanted.app is None or each.app == wanted.app]
    if named and not right:
        posters = listed(sorted({f"App {each.app}" if each.app else "an unknown App" for each in named}))
        return case.blocked(
            wanted.name,
            f"reported by {posters}, wanted from App {wanted.app}",
            who=_CI,
            unblock=f"have App {wanted.app} report it, or change who the branch's rules expect",
        )
    if not right:
        return _silent(case, wanted.name, _from(wanted))
    return _green(case, wanted.name, right)


def _green(case: PolicyCase, rule: str, runs: Iterable[CheckSeen]) -> Verdict:
    states = {each.state for each in runs}
    red = sorted(each.value for each in states if each.fails)
    if CheckState.ACTION_REQUIRED in states:
        return case.blocked(
            rule,
            "waits for a person's approval of its run, wanted success",
            who="who may write",
            unblock="approve the run on its page",
        )
    if red:
        return case.blocked(
            rule,
            f"is {listed(red)}, wanted success",
            who="the agent, or who mends the branch",
            unblock=case.mend,
        )
    if CheckState.PENDING in states:
        return case.waiting(rule, "is running, wanted success", who="CI")
    return case.passed(rule, listed(sorted(each.value for each in states)))


def _from(wanted: RequiredCheck) -> str:
    return f"success from App {wanted.app}" if wanted.app is not None else "success"


def _silent(case: PolicyCase, rule: str, wanted: str) -> Verdict:
    """The words hold no clock time: what they say stands in a comment that is edited when they change."""
    due = case.head_since_ts + case.policy.silent_after_ms
    if case.now < due:
        return case.waiting(rule, f"has not reported yet, wanted {wanted}", who="CI", next_look_ts=due)
    return case.blocked(
        rule,
        f"none reported for {format_duration(case.policy.silent_after_ms)}, wanted {wanted}",
        who=_CI,
        unblock="see that it runs for this branch, or take it off what is required",
    )


def ci_rule(case: PolicyCase) -> Verdict:
    """`require_ci` where no check is required: all of the head is complete, green, and has been quiet."""
    rule = "require_ci"
    if not case.policy.require_ci:
        return case.passed(rule, "is off")
    if not case.ci_runs:
        return case.passed(rule, "no workflow runs for this branch")
    if required_of(case.rules, case.policy):
        return case.passed(rule, "the required checks decide")
    if case.checks is None:
        return case.unknown(rule, f"the checks of {case.pull.head[:10]}")
    if case.rules is None or case.rules.usual is None:
        return case.unknown(rule, f"which checks {case.pull.base_branch} usually has")
    runs = latest(case.checks, app=case.app)
    names = sorted({each.name for each in runs} | {*case.rules.usual})
    parts = [_usual(case, name, runs) for name in names] or [_silent(case, "checks", "any check")]
    fine = f"all of {len(names)} are green and settled"
    return case.summed(rule, [*parts, _quiet(case, runs)], fine=fine, noun="check")


def _usual(case: PolicyCase, name: str, runs: tuple[CheckSeen, ...]) -> Verdict:
    named = [each for each in runs if each.name == name]
    return _green(case, name, named) if named else _silent(case, name, f"as on {case.pull.base_branch}")


def _quiet(case: PolicyCase, runs: tuple[CheckSeen, ...]) -> Verdict:
    """Suites come one after another: green at this moment may only mean that the next has not begun."""
    settle = format_duration(case.policy.settle_ms)
    last = max((each.completed_ts or each.started_ts for each in runs), default=0)
    due = max(last, case.head_since_ts) + case.policy.settle_ms
    if case.now < due:
        return case.waiting("settle", f"wanted {settle} without news of a check", who="CI", next_look_ts=due)
    return case.passed("settle", f"no news for {settle}")
