"""What protects a branch: both sources, and what cannot be seen is unknown."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from app.forge.github import Client
from app.forge.github.protection import branch_rules
from app.ports import BranchRules, RequiredCheck
from tests.forge.github.conftest import REPO, GitHub

OPEN: dict[str, Any] = {"name": "main", "protected": False, "protection": {"enabled": False}}


def look(github: GitHub, client: Client, branch: Any, rules: Any) -> BranchRules:
    github.on("GET", f"{REPO}/branches/main", branch)
    github.on("GET", f"{REPO}/rules/branches/main", rules)
    return branch_rules(client, "ada/auth", "main")


def rule(kind: str, **parameters: Any) -> dict[str, Any]:
    return {"type": kind, "parameters": parameters, "ruleset_id": 1}


def test_an_unprotected_branch_asks_for_nothing(github: GitHub, client: Client) -> None:
    rules = look(github, client, OPEN, [])
    assert rules == BranchRules(
        "main", (), 0, code_owners=False, conversations=False, strict=False, queue=False, linear=False
    )


def test_classic_checks_with_their_app_and_the_rest_unknown(github: GitHub, client: Client) -> None:
    checks = [{"context": "ci", "app_id": 15368}, {"context": "lint", "app_id": -1}, {"context": "x"}]
    required = {"enforcement_level": "non_admins", "contexts": ["ci", "lint", "x"], "checks": checks}
    branch = {"protected": True, "protection": {"enabled": True, "required_status_checks": required}}
    rules = look(github, client, branch, [])
    assert rules.required == (RequiredCheck("ci", 15368), RequiredCheck("lint"), RequiredCheck("x"))
    assert (rules.approvals, rules.strict, rules.conversations, rules.queue) == (None, None, None, None)


def test_checks_that_are_switched_off_are_not_required(github: GitHub, client: Client) -> None:
    required = {"enforcement_level": "off", "contexts": ["old"], "checks": [{"context": "old"}]}
    branch = {"protected": True, "protection": {"enabled": True, "required_status_checks": required}}
    assert look(github, client, branch, []).required == ()


def test_rulesets_are_read_whole(github: GitHub, client: Client) -> None:
    checks = [{"context": "ci", "integration_id": 15368}, {"context": "lint"}]
    rules = look(
        github,
        client,
        {**OPEN, "protected": True},
        [
            rule(
                "required_status_checks",
                required_status_checks=checks,
                strict_required_status_checks_policy=True,
            ),
            rule(
                "pull_request",
                required_approving_review_count=2,
                require_code_owner_review=True,
                required_review_thread_resolution=True,
                allowed_merge_methods=["squash", "merge"],
            ),
            rule("required_linear_history"),
            rule("merge_queue"),
            {"type": "something_new"},
        ],
    )
    assert rules == BranchRules(
        "main",
        (RequiredCheck("ci", 15368), RequiredCheck("lint")),
        2,
        code_owners=True,
        conversations=True,
        strict=True,
        queue=True,
        linear=True,
        methods=("squash",),
    )


@pytest.mark.parametrize("plan", ["GitHub Pro", "GitHub Team"])
def test_a_plan_without_rulesets_has_no_rules(github: GitHub, client: Client, plan: str) -> None:
    words = f"Upgrade to {plan} or make this repository public to enable this feature."
    rules = look(github, client, OPEN, httpx.Response(403, json={"message": words}))
    assert (rules.required, rules.approvals, rules.strict, rules.queue) == ((), 0, False, False)


@pytest.mark.parametrize(("branch", "rules"), [(500, []), (404, []), (OPEN, 500), (OPEN, 403), (OPEN, ["x"])])
def test_what_cannot_be_read_is_unknown(github: GitHub, client: Client, branch: Any, rules: Any) -> None:
    seen = look(github, client, branch, rules)
    assert (seen.required, seen.approvals, seen.strict) == (None, None, None)
