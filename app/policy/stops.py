"""What people put in the way on purpose: holds, freezes, labels, protected paths."""

from __future__ import annotations

from datetime import datetime

from app.config import zone_of
from app.globs import matches
from app.policy.case import PolicyCase, listed
from app.policy.freeze import frozen_until
from app.ports import Verdict, VerdictState

__all__ = ["freeze_rule", "hold_rule", "labels_rule", "protected_rule"]


def hold_rule(case: PolicyCase) -> Verdict:
    """No hold on the task, nor on exactly this head."""
    for hold in case.holds:
        if hold.head is None:
            return case.blocked(
                "hold", f"{hold.reason} ({hold.by})", who=hold.by, unblock=case.command("unhold")
            )
        if hold.head == case.pull.head and hold.head not in case.released:
            return case.blocked(
                "hold",
                f"{hold.reason} ({hold.by}), wanted a release of {hold.head[:10]}",
                who="who may write",
                unblock=case.command("release"),
            )
    return case.passed("hold", "none")


def freeze_rule(case: PolicyCase) -> Verdict:
    """No freeze window is open; the end of the last open one is when to look again."""
    ends = [(frozen_until(each, case.now), each) for each in case.policy.freeze]
    open_ = [(end, each) for end, each in ends if end is not None]
    if not open_:
        return case.passed("freeze", "no window is open")
    end, window = max(open_, key=lambda each: each[0])
    until = datetime.fromtimestamp(end / 1000, zone_of(window.timezone))
    return Verdict(
        case.subject,
        "freeze",
        VerdictState.WAITING,
        f"until {until:%Y-%m-%d %H:%M} {window.timezone}",
        who="who may change .brat/config.toml",
        unblock="take the [[refinery.freeze]] away",
        next_look_ts=end,
    )


def labels_rule(case: PolicyCase) -> Verdict:
    """None of `blocker_labels` on issue or pull request; GitHub's labels ignore case."""
    rule, blockers = "labels", {each.casefold() for each in case.policy.blocker_labels}
    if not blockers:
        return case.passed(rule, "none stops landing")
    seen = sorted(each for each in {*case.pull.labels, *(case.labels or ())} if each.casefold() in blockers)
    if seen:
        return case.blocked(
            rule, f"{listed(seen)}, wanted none of them", who="who may label", unblock="take it off"
        )
    if case.labels is None:
        return case.unknown(rule, "the issue's labels")
    return case.passed(rule, f"none of {listed(case.policy.blocker_labels)}")


def protected_rule(case: PolicyCase) -> Verdict:
    """What CI, owners and agents obey changes only with a person's release of exactly this head."""
    rule, globs = "protected paths", tuple(each.lower() for each in case.policy.protected)
    if not globs:
        return case.passed(rule, "none is named")
    if case.pull.head in case.released:
        return case.passed(rule, f"{case.pull.head[:10]} is released")
    if case.paths is None:
        return case.unknown(rule, "the changed files")
    touched = sorted(each for each in case.paths if matches(globs, each.lower()))
    if not touched:
        return case.passed(rule, "none is touched")
    return case.blocked(
        rule,
        f"touches {listed(touched)}, wanted a release of {case.pull.head[:10]}",
        who="who may write",
        unblock=case.command("release"),
    )
