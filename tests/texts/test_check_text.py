"""The check run's words for the policy's tree."""

from __future__ import annotations

import pytest
from inline_snapshot import snapshot

from app.ports import Verdict, VerdictState
from app.texts import (
    check_text,
    fits,
)
from tests.texts.samples import RETRY_3, convoy, task
from tests.texts.test_markdown import HOSTILE, shown

DONE, BLOCKED, WAITING = VerdictState.DONE, VerdictState.BLOCKED, VerdictState.WAITING


def tree(state: VerdictState = BLOCKED, *parts: Verdict) -> Verdict:
    return Verdict("issue-3", "policy", state, "1 of 3 conditions holds", parts=parts)


def test_tree_is_told_line_by_line_with_who_can_help() -> None:
    owners = Verdict("i", "code-owners", WAITING, "@acme/core has not answered")
    title, summary, conclusion = check_text(
        tree(
            BLOCKED,
            Verdict("i", "required-checks", DONE, "2 of 2 passed: unit, lint"),
            Verdict("i", "approvals", BLOCKED, "0 of 1", "somebody who may write", "", None, (owners,)),
            Verdict("i", "blocked", BLOCKED, "3 attempts failed", "a maintainer", RETRY_3),
        ),
        convoy=convoy(task(3)),
    )
    assert (title, conclusion) == ("Needs a person: 1 of 3 conditions hold", "action_required")
    assert summary == snapshot("""\
1 of 3 conditions holds

- ✔ **required checks**: 2 of 2 passed: unit, lint
- ✖ **approvals**: 0 of 1
  - ⏳ **code owners**: @ acme/core has not answered
- ✖ **blocked**: 3 attempts failed → a maintainer: `/brat retry 3`\
""")


@pytest.mark.parametrize(
    ("state", "conclusion"),
    [(DONE, "success"), (WAITING, None), (VerdictState.WORKING, None), (BLOCKED, "action_required")],
)
def test_only_what_may_land_is_green(state: VerdictState, conclusion: str | None) -> None:
    assert check_text(tree(state))[2] == conclusion


def test_huge_tree_fits_and_says_what_is_left_out() -> None:
    parts = tuple(Verdict("i", f"rule-{n}", WAITING if n % 2 else DONE, "<|`" * 90) for n in range(2_000))
    title, summary, _ = check_text(tree(WAITING, *parts))
    assert title == "Waiting: 1000 of 2000 conditions hold"
    assert fits(summary)
    assert "`brat policy explain` shows all." in summary


@pytest.mark.parametrize("text", HOSTILE)
def test_t23_foreign_reasons_act_on_nothing(text: str) -> None:
    _, summary, _ = check_text(tree(BLOCKED, Verdict("i", text, BLOCKED, text, text, text)))
    assert shown(summary)[0] <= {"text", "strong_open", "strong_close", "code_inline"}
