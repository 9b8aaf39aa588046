"""What the pull request itself must be: open, ours, ready, mergeable, up to date, of a size and kind."""

from __future__ import annotations

from app.policy.case import SOON_MS, PolicyCase
from app.ports import PullState, Verdict, VerdictState

__all__ = ["conflict_rule", "draft_rule", "fresh_rule", "open_rule", "size_rule", "strategy_rule"]


def open_rule(case: PolicyCase) -> Verdict:
    """Open, opened by our own App from this repository (T19), and for the branch whose rules were read."""
    rule, pull = "open", case.pull
    if pull.state is not PullState.OPEN:
        by = f" by {pull.ended_by.login}" if pull.ended_by else ""
        reopen = "reopen it" if pull.state is PullState.CLOSED else ""
        return case.blocked(rule, f"is {pull.state}{by}, wanted open", who="who may write", unblock=reopen)
    if not pull.ours:
        return case.blocked(
            rule, "is not our own App's, wanted: is", who="who opened it", unblock="merge it by hand"
        )
    if pull.base_branch != case.target:
        # A person did it, or GitHub when the base was deleted.
        return case.blocked(
            rule,
            f"goes to {pull.base_branch}, wanted {case.target}",
            who="who may write",
            unblock=f"set its base to {case.target} again",
        )
    return case.passed(rule, "it is open")


def draft_rule(case: PolicyCase) -> Verdict:
    """We open none: a person made it one, and says when it is none any more."""
    if case.pull.draft:
        remedy = "mark it ready for review"
        return case.blocked("draft", "is one, wanted none", who="who may write", unblock=remedy)
    return case.passed("draft", "it is no draft")


def conflict_rule(case: PolicyCase) -> Verdict:
    """Merges without conflict. GitHub computes it after each push: not yet known is not a no."""
    rule, base = "conflict", case.pull.base_branch
    if case.pull.mergeable is None:
        soon = case.now + SOON_MS
        return case.waiting(
            rule, f"GitHub has not yet said whether it merges with {base}", who="GitHub", next_look_ts=soon
        )
    if case.pull.mergeable:
        return case.passed(rule, f"none with {base}")
    return case.blocked(
        rule,
        f"with {base}, wanted none",
        who="the agent, or who mends the branch",
        unblock=case.mend,
    )


def fresh_rule(case: PolicyCase) -> Verdict:
    """Contains the base where the rules want it (or a push can only fast-forward)."""
    rule, base = "up to date", case.pull.base_branch
    if case.rules is not None and case.rules.queue:
        return case.passed(rule, "the merge queue tests it on the base")
    strict = case.policy.land == "push" or (case.rules.strict if case.rules else None)
    if strict is False or case.pull.behind is False:
        return case.passed(rule, "need not be" if strict is False else f"contains {base}")
    if case.pull.behind is None:
        return case.unknown(rule, f"whether it lacks commits of {base}")
    if case.rules is None and strict is None:
        return case.unknown(rule, f"whether {base} wants it to contain all of its commits")
    if strict is None:
        # Only administrators may read it, and who refuses the merge then is GitHub, with the reason.
        return case.passed(rule, f"lacks commits of {base}; whether it must not, GitHub says at the merge")
    return _behind(case, rule)


def _behind(case: PolicyCase, rule: str) -> Verdict:
    because = f"lacks commits of {case.pull.base_branch}, wanted none"
    if case.policy.update == "never":
        return case.blocked(rule, because, who="who may write", unblock="update the branch")
    because += ": it is updated and tested again"
    soon = case.now + SOON_MS
    return Verdict(case.subject, rule, VerdictState.WORKING, because, who="brat", next_look_ts=soon)


def size_rule(case: PolicyCase) -> Verdict:
    rule, most, lines = "size", case.policy.max_lines, case.pull.changed_lines
    if most is None:
        return case.passed(rule, "no limit")
    if lines is None:
        return case.unknown(rule, "the number of changed lines")
    if lines <= most or case.pull.head in case.released:
        return case.passed(rule, f"{lines} changed lines, at most {most} or released")
    return case.blocked(
        rule,
        f"{lines} changed lines, wanted at most {most}",
        who="who may write",
        unblock=case.command("release"),
    )


def strategy_rule(case: PolicyCase) -> Verdict:
    """The branch takes what `strategy` makes; `linear` unread is left to GitHub, which tests nothing less."""
    rule, strategy, rules = "strategy", case.policy.strategy, case.rules
    if rules is None:
        return case.unknown(rule, f"how {case.pull.base_branch} may be merged into")
    if rules.queue:
        return case.passed(rule, "the merge queue decides")
    allowed = [each for each in rules.methods if not (each == "merge" and rules.linear)]
    if case.policy.land == "push":
        allowed = [each for each in ("merge", "squash", "rebase") if not (each == "merge" and rules.linear)]
    if strategy in allowed:
        return case.passed(rule, f"{strategy} is allowed")
    no, who = f"{strategy} is not allowed on {case.pull.base_branch}", "a maintainer"
    if not allowed:
        remedy = f"allow {strategy} in the repository's settings or the branch's rules"
        return case.blocked(rule, f"{no}, nor is another way to merge", who=who, unblock=remedy)
    wanted = f"wanted {' or '.join(allowed)}, or the settings to allow {strategy}"
    return case.blocked(rule, f"{no}, {wanted}", who=who, unblock=f"/brat strategy {allowed[0]}")
