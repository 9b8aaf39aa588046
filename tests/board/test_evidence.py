"""What an event keeps of a failure: the reason always, and as much output as fits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.board import evidence_of
from app.ports import CheckResult, Finding, SessionResult

REASON = "it was ended at its time limit"
LIMIT = 2048
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20).map(lambda text: text * 200)


def result(tail: str, *, error: str = REASON, checks: tuple[CheckResult, ...] = ()) -> SessionResult:
    return SessionResult(
        session="s-1",
        finding=Finding.ACCEPTANCE if checks else Finding.TIMEOUT,
        exit_code=None,
        started_ts=1,
        ended_ts=2,
        tail=tail,
        checks=checks,
        error=error,
    )


def red_check(command: str, tail: str) -> CheckResult:
    return CheckResult(command, command, exit_code=1, tail=tail, duration_ms=1)


@pytest.mark.parametrize("output", ["f" * LIMIT, "a line\n" * 400, "ü" * LIMIT])
def test_a_flood_of_output_does_not_push_out_the_reason(output: str) -> None:
    first, _, rest = evidence_of(result(output)).partition("\n")
    assert first == REASON
    assert rest.startswith("…")
    assert rest.endswith(output[-9:])


def test_each_failed_check_keeps_its_command_and_the_end_of_its_output() -> None:
    red = [red_check(name, "x" * LIMIT + name) for name in ("one", "two")]
    said = evidence_of(result("", error="2 of 2 commands failed", checks=tuple(red)))
    assert [line for line in said.splitlines() if line.startswith("$")] == [
        "$ one  (exit 1)",
        "$ two  (exit 1)",
    ]
    assert said.startswith("2 of 2 commands failed\n")
    assert "xone\n" in said
    assert said.endswith("xtwo")


@given(TEXT, TEXT, st.lists(TEXT, max_size=4))
def test_no_failure_says_more_than_an_event_may_hold(tail: str, error: str, outputs: list[str]) -> None:
    checks = tuple(red_check(each, each) for each in outputs)
    assert len(evidence_of(result(tail, error=error, checks=checks)).encode()) <= LIMIT
