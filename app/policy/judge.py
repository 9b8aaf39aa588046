"""All rules over one pull request, as one tree."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from app.policy.case import PolicyCase
from app.policy.checks import checks_rule, ci_rule
from app.policy.reviews import approvals_rule, changes_rule, conversations_rule, reviews_rule
from app.policy.state import conflict_rule, draft_rule, fresh_rule, open_rule, size_rule, strategy_rule
from app.policy.stops import freeze_rule, hold_rule, labels_rule, protected_rule
from app.ports import Verdict

__all__ = ["explain", "judge"]

_RULES: tuple[Callable[[PolicyCase], Verdict], ...] = (
    open_rule,
    hold_rule,
    labels_rule,
    protected_rule,
    size_rule,
    strategy_rule,
    changes_rule,
    approvals_rule,
    reviews_rule,
    conversations_rule,
    draft_rule,
    conflict_rule,
    checks_rule,
    ci_rule,
    fresh_rule,
    freeze_rule,
)


def judge(case: PolicyCase) -> Verdict:
    """Whether this head may land: a part per rule, DONE only if every part is."""
    return case.summed("policy", [rule(case) for rule in _RULES], fine="every rule is met", noun="rule")


def explain(verdict: Verdict) -> tuple[str, ...]:
    """The tree as lines of plain text: state, rule, what was seen and wanted, who can change it and how."""
    return tuple(_lines(verdict, 0))


def _lines(verdict: Verdict, depth: int) -> list[str]:
    lines = [f"{'  ' * depth}{verdict.state.value:<8} {verdict.rule}: {verdict.because}"]
    if not verdict.parts:
        hint = ": ".join(each for each in (verdict.who, verdict.unblock) if each)
        if verdict.next_look_ts is not None:
            look = datetime.fromtimestamp(verdict.next_look_ts / 1000, UTC)
            hint += f"{'; ' if hint else ''}next look {look:%Y-%m-%d %H:%M:%S} UTC"
        if hint:
            lines.append(f"{'  ' * depth}         → {hint}")
    for each in verdict.parts:
        lines += _lines(each, depth + 1)
    return lines
