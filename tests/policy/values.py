"""A pull request that may land, from which each test takes something away."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from app.config import RefineryPolicy
from app.policy import PolicyCase
from app.ports import (
    Access,
    BranchRules,
    CheckSeen,
    CheckState,
    Person,
    PullSeen,
    PullState,
    RequiredCheck,
    ReviewSeen,
    ReviewState,
    Verdict,
)

__all__ = [
    "ACTIONS",
    "ALICE",
    "BOT",
    "HEAD",
    "MALLORY",
    "NOW",
    "OURS",
    "case",
    "check",
    "part",
    "review",
    "rules",
]

NOW = 1_800_000_000_000
HEAD = "a" * 40
ACTIONS = 15368
OURS = 777
ALICE = Person(1, "alice")
MALLORY = Person(2, "mallory")
BOT = Person(3, "helper[bot]", bot=True)

PULL = PullSeen(
    number=7,
    url="https://github.com/o/r/pull/7",
    title="t",
    body="",
    state=PullState.OPEN,
    ours=True,
    head=HEAD,
    head_branch="convoy/x/task-1",
    base_branch="main",
    mergeable=True,
    behind=False,
    conversations=0,
    review_missing=False,
    changed_lines=10,
)
RULES = BranchRules(
    "main",
    required=(RequiredCheck("ci", ACTIONS),),
    approvals=0,
    code_owners=False,
    conversations=False,
    strict=True,
    queue=False,
    linear=False,
    usual=("ci",),
)


def check(name: str = "ci", state: CheckState = CheckState.SUCCESS, **other: Any) -> CheckSeen:
    """A check run of GitHub Actions that began five minutes ago."""
    given = {"app": ACTIONS, "id": 1, "started_ts": NOW - 300_000, **other}
    return CheckSeen(name, state, **given)


def rules(**other: Any) -> BranchRules:
    return replace(RULES, **other)


def review(by: Person = ALICE, state: ReviewState = ReviewState.APPROVED, **other: Any) -> ReviewSeen:
    given = {"id": 1, "body": "", "head": HEAD, "submitted_ts": NOW - 1000, **other}
    return ReviewSeen(author=by, state=state, **given)


def case(
    *, pull: dict[str, Any] | None = None, policy: dict[str, Any] | None = None, **other: Any
) -> PolicyCase:
    """A case that may land, but for what is given."""
    given: dict[str, Any] = {
        "head_since_ts": NOW - 3_600_000,
        "target": "main",
        "checks": (check(),),
        "rules": RULES,
        "paths": ("src/a.py",),
        "labels": frozenset({"brat"}),
        "access": {ALICE.id: Access.WRITE, MALLORY.id: Access.READ},
        "app": OURS,
        "task": 1,
        **other,
    }
    return PolicyCase("issue", replace(PULL, **(pull or {})), RefineryPolicy(**(policy or {})), NOW, **given)


def part(verdict: Verdict, *path: str) -> Verdict:
    """The part of the tree by the names of its rules."""
    for name in path:
        (verdict,) = (each for each in verdict.parts if each.rule == name)
    return verdict
