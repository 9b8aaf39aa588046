"""What protects a branch, from classic protection as far as it shows, and from rulesets."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from app.forge.github.answers import BranchAnswer, RuleAnswer, read
from app.forge.github.client import Client, Unreadable
from app.ports import BranchRules, RequiredCheck

__all__ = ["branch_rules", "combined"]

_METHODS = ("merge", "squash", "rebase")
_ANY_APP = -1
_UPGRADE = "upgrade to github"


def branch_rules(client: Client, repository: str, branch: str) -> BranchRules:
    """Both sources read; what is not readable is None. `usual`, `methods` and queue are added elsewhere."""
    name = quote(branch, safe="")
    try:
        classic = read(BranchAnswer, client.found(f"/repos/{repository}/branches/{name}"))
    except Unreadable:
        classic = None
    try:
        listed = client.pages(f"/repos/{repository}/rules/branches/{name}")
    except Unreadable as unreadable:
        if not _not_in_plan(unreadable):
            return BranchRules(branch)
        listed = []
    rules = tuple(read(RuleAnswer, each) for each in listed)
    if None in rules:
        return BranchRules(branch)
    return combined(branch, classic, tuple(each for each in rules if each is not None))


def combined(branch: str, classic: BranchAnswer | None, rules: tuple[RuleAnswer, ...]) -> BranchRules:
    """What both say together. Classic protection hides all but its checks from who may not administer."""
    hidden = classic is None or _is_classic(classic)
    checks = _of(rules, "required_status_checks")
    reviews = _of(rules, "pull_request")
    required = None if classic is None else (*_classic_checks(classic), *_ruled_checks(checks))
    approvals = max((_number(each, "required_approving_review_count") for each in reviews), default=0)
    return BranchRules(
        branch,
        required=None if required is None else tuple(dict.fromkeys(required)),
        approvals=None if hidden else approvals,
        code_owners=_said(reviews, "require_code_owner_review", hidden=hidden),
        conversations=_said(reviews, "required_review_thread_resolution", hidden=hidden),
        strict=_said(checks, "strict_required_status_checks_policy", hidden=hidden),
        queue=True if _of(rules, "merge_queue") else None if hidden else False,
        linear=True if _of(rules, "required_linear_history") else None if hidden else False,
        methods=_methods(reviews, linear=bool(_of(rules, "required_linear_history"))),
    )


def _not_in_plan(refused: Unreadable) -> bool:
    """A private repository of an account that pays nothing has no rulesets, and may not be asked for them."""
    return refused.status == 403 and _UPGRADE in str(refused).lower()


def _is_classic(branch: BranchAnswer) -> bool:
    """`protected` alone is also true where only a ruleset protects."""
    enabled = branch.protection.enabled if branch.protection else None
    return branch.protected if enabled is None else enabled


def _classic_checks(branch: BranchAnswer) -> tuple[RequiredCheck, ...]:
    told = branch.protection.required_status_checks if branch.protection else None
    if told is None or told.enforcement_level == "off":
        return ()
    if told.checks:
        return tuple(
            RequiredCheck(each.context, None if each.app_id == _ANY_APP else each.app_id)
            for each in told.checks
        )
    return tuple(RequiredCheck(each) for each in told.contexts)


def _ruled_checks(rules: list[dict[str, Any]]) -> list[RequiredCheck]:
    found = []
    for rule in rules:
        for each in rule.get("required_status_checks") or ():
            if isinstance(each, dict) and each.get("context"):
                found.append(RequiredCheck(str(each["context"]), each.get("integration_id")))
    return found


def _of(rules: tuple[RuleAnswer, ...], kind: str) -> list[dict[str, Any]]:
    return [each.parameters for each in rules if each.type == kind]


def _said(rules: list[dict[str, Any]], name: str, *, hidden: bool) -> bool | None:
    if any(each.get(name) is True for each in rules):
        return True
    return None if hidden else False


def _number(rule: dict[str, Any], name: str) -> int:
    value = rule.get(name)
    return value if isinstance(value, int) else 0


def _methods(reviews: list[dict[str, Any]], *, linear: bool) -> tuple[str, ...]:
    allowed = set(_METHODS)
    for each in reviews:
        if isinstance(told := each.get("allowed_merge_methods"), list) and told:
            allowed &= {str(method) for method in told}
    if linear:
        allowed.discard("merge")
    return tuple(each for each in _METHODS if each in allowed)
