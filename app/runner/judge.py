"""How a session ended, from what it left: an exit code of 0 proves nothing, nor does a claim. Pure."""

from __future__ import annotations

from app.ports import CheckResult, EngineSetup, Finding, Usage
from app.runner.engines.port import EngineReport
from app.runner.watch import End
from app.values import dataclass

__all__ = ["Evidence", "judge", "priced", "worth_checking"]

CUT = {
    End.TIMEOUT: Finding.TIMEOUT,
    End.SILENT: Finding.SILENT,
    End.OUTPUT_LIMIT: Finding.OUTPUT_LIMIT,
    End.STOPPED: Finding.STOPPED,
}
SAID = {
    End.TIMEOUT: "it was ended at its time limit",
    End.SILENT: "it was ended after saying nothing for its idle limit",
    End.OUTPUT_LIMIT: "it was ended at its output limit",
    End.STOPPED: "it was stopped",
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known at the end. No `report`: no engine ran; `unfinished` says why no work could be taken."""

    end: End = End.EXITED
    exit_code: int | None = None
    report: EngineReport | None = None
    read_only: bool = False
    touched: tuple[str, ...] = ()
    marked: tuple[str, ...] = ()
    unfinished: str = ""
    checks: tuple[CheckResult, ...] = ()


def judge(seen: Evidence) -> tuple[Finding, str]:
    """The finding and one line on it. What we did to the engine outweighs what it said afterwards."""
    if seen.end is not End.EXITED:
        return CUT[seen.end], SAID[seen.end]
    if seen.report is not None:
        judged = _engine(seen, seen.report)
        if judged is not None:
            return judged
    red = [each.name for each in seen.checks if not each.passed]
    if red:
        return Finding.ACCEPTANCE, f"{len(red)} of {len(seen.checks)} commands failed: {', '.join(red)}"
    return Finding.DONE, ""


def worth_checking(seen: Evidence) -> bool:
    """Whether acceptance commands can still turn this into success."""
    return judge(seen)[0] is Finding.DONE


def priced(usage: Usage, setup: EngineSetup) -> Usage:
    """With the operator's prices where the engine names no cost itself."""
    prices = (setup.input_usd_per_mtok, setup.output_usd_per_mtok)
    tokens = (usage.input_tokens, usage.output_tokens)
    if usage.usd is not None or None in prices or None in tokens:
        return usage
    usd = sum((count or 0) * (price or 0.0) for count, price in zip(tokens, prices, strict=True)) / 1e6
    return Usage(usage.input_tokens, usage.output_tokens, usd)


def _engine(seen: Evidence, report: EngineReport) -> tuple[Finding, str] | None:
    """None: as far as the engine goes, all is well."""
    if not report.ok:
        return _failed(seen.exit_code, report.error)
    if seen.read_only:
        return None if report.answer.strip() else (Finding.ENGINE_ERROR, "the engine gave no answer")
    return _left(seen)


def _failed(code: int | None, error: str) -> tuple[Finding, str]:
    if code is not None and 128 < code <= 192:
        return Finding.CRASHED, f"the engine was killed by signal {code - 128}" + (
            f": {error}" if error else ""
        )
    return Finding.ENGINE_ERROR, error or f"the engine failed with exit code {code}"


def _left(seen: Evidence) -> tuple[Finding, str] | None:
    if seen.unfinished:
        return Finding.CRASHED, f"the workspace cannot be read: {seen.unfinished}"
    if not seen.touched:
        return Finding.NO_CHANGE, "the engine ended well but changed nothing"
    if seen.marked:
        return Finding.CONFLICT_LEFT, f"conflict markers are left in {', '.join(seen.marked[:5])}"
    return None
