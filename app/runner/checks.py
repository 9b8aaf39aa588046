"""Acceptance commands and checks: each in the sandbox, without keys, under its own limit."""

from __future__ import annotations

import subprocess
import time
from dataclasses import replace

from app.ports import CheckResult, CheckSpec
from app.runner.isolation import Command, Io, Sandbox
from app.runner.output import Output
from app.runner.redact import Redactor, last_bytes, plain_text
from app.runner.watch import Bounds, End, Ran, run
from app.values import dataclass

__all__ = ["Checked", "run_checks"]

KEPT = 64 * 1024
NOT_FOUND = (
    "a program was not found in the sandbox: only the system's programs are visible there; "
    "`[sandbox] path` and `read_only` in the operator's settings show more"
)


@dataclass(frozen=True, slots=True)
class Checked:
    """`end` is what cut the session short, `EXITED` when every check had its turn."""

    results: tuple[CheckResult, ...] = ()
    end: End = End.EXITED


def run_checks(
    checks: tuple[CheckSpec, ...], sandbox: Sandbox, bounds: Bounds, *, output: Output, network: bool
) -> Checked:
    """Run them all, also after a red one. `bounds.deadline` is the session's own."""
    results: list[CheckResult] = []
    for check in checks:
        begun = time.monotonic()
        deadline = min(bounds.deadline, begun + check.timeout_ms / 1000)
        own = replace(bounds, deadline=deadline, idle=None, keep=KEPT, say=output)
        command = Command(("/bin/sh", "-c", check.run), network=network)
        ran = run(sandbox, command, own, io=Io(stderr=subprocess.STDOUT))
        output.flush()
        results.append(_result(check, ran, output.redactor, duration_ms=_since(begun)))
        if ran.end in (End.STOPPED, End.OUTPUT_LIMIT):
            return Checked(tuple(results), ran.end)
        if ran.end is End.TIMEOUT and time.monotonic() >= bounds.deadline:
            return Checked(tuple(results), End.TIMEOUT)
    return Checked(tuple(results))


def _result(check: CheckSpec, ran: Ran, redactor: Redactor, *, duration_ms: int) -> CheckResult:
    tail = last_bytes(redactor(plain_text(ran.stdout.decode("utf-8", "replace"))))
    if ran.end is not End.EXITED:
        tail = last_bytes(f"{tail.rstrip()}\n[ended after {duration_ms} ms: {ran.end}]")
        return CheckResult(check.name, check.run, None, tail, duration_ms)
    if ran.exit_code == 127:
        tail = last_bytes(f"{tail.rstrip()}\n[{NOT_FOUND}]")
    return CheckResult(check.name, check.run, ran.exit_code, tail, duration_ms)


def _since(begun: float) -> int:
    return round((time.monotonic() - begun) * 1000)
