"""What a session's end is called, as tables."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.ports import CheckResult, EngineSetup, Finding, Usage
from app.runner.engines.port import EngineReport
from app.runner.judge import Evidence, judge, priced, worth_checking
from app.runner.watch import End

WELL = EngineReport(ok=True, answer="done")
GOOD = Evidence(exit_code=0, report=WELL, touched=("a",))
RED = CheckResult("tests", "pytest", 1, "", 5)
GREEN = replace(RED, exit_code=0)
FAILED = EngineReport(ok=False, error="no key")
KILLED = "the engine was killed by signal 9: no key"
MUTE = EngineReport(ok=False)
EMPTY = EngineReport(ok=True, answer=" ")
PLAN = Evidence(exit_code=0, report=WELL, read_only=True)


@pytest.mark.parametrize(
    ("seen", "finding", "error"),
    [
        (GOOD, Finding.DONE, ""),
        (replace(GOOD, checks=(GREEN,)), Finding.DONE, ""),
        (replace(GOOD, checks=(GREEN, RED)), Finding.ACCEPTANCE, "1 of 2 commands failed: tests"),
        (replace(GOOD, touched=()), Finding.NO_CHANGE, "the engine ended well but changed nothing"),
        (replace(GOOD, marked=("a",)), Finding.CONFLICT_LEFT, "conflict markers are left in a"),
        (replace(GOOD, unfinished="no .git"), Finding.CRASHED, "the workspace cannot be read: no .git"),
        (replace(GOOD, report=FAILED), Finding.ENGINE_ERROR, "no key"),
        (
            replace(GOOD, report=FAILED, exit_code=137),
            Finding.CRASHED,
            KILLED,
        ),
        (
            replace(GOOD, report=EngineReport(ok=False), exit_code=2),
            Finding.ENGINE_ERROR,
            "the engine failed with exit code 2",
        ),
        (PLAN, Finding.DONE, ""),
        (
            replace(PLAN, report=EMPTY),
            Finding.ENGINE_ERROR,
            "the engine gave no answer",
        ),
        (Evidence(checks=(GREEN,)), Finding.DONE, ""),
        (Evidence(checks=(RED,)), Finding.ACCEPTANCE, "1 of 1 commands failed: tests"),
    ],
)
def test_end_is_judged_by_what_is_left(seen: Evidence, finding: Finding, error: str) -> None:
    assert judge(seen) == (finding, error)


@pytest.mark.parametrize(
    ("end", "finding"),
    [
        (End.TIMEOUT, Finding.TIMEOUT),
        (End.SILENT, Finding.SILENT),
        (End.OUTPUT_LIMIT, Finding.OUTPUT_LIMIT),
        (End.STOPPED, Finding.STOPPED),
    ],
)
def test_engine_that_we_ended_is_never_done_whatever_it_says(end: End, finding: Finding) -> None:
    assert judge(replace(GOOD, end=end, checks=(GREEN,)))[0] is finding


def test_acceptance_is_run_only_where_it_can_decide() -> None:
    assert worth_checking(GOOD)
    assert worth_checking(Evidence())
    assert not worth_checking(replace(GOOD, touched=()))
    assert not worth_checking(replace(GOOD, report=FAILED))


def test_prices_fill_in_what_the_engine_does_not_say() -> None:
    setup = EngineSetup("codex", input_usd_per_mtok=3.0, output_usd_per_mtok=15.0)
    assert priced(Usage(2000, 100), setup) == Usage(2000, 100, 0.0075)
    assert priced(Usage(2000, 100, 1.0), setup).usd == 1.0
    assert priced(Usage(2000, None), setup).usd is None
    assert priced(Usage(2000, 100), EngineSetup("codex")).usd is None
