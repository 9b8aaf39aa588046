"""What a failure leaves for the next prompt and for a person: short, and the cause first."""

from __future__ import annotations

from dataclasses import replace

from app.board.model import Session
from app.ports import Finding, SessionEnded, SessionResult, Usage

__all__ = ["cap", "ended_fact", "evidence_of", "lost_fact", "unbegun_fact"]

LIMIT = 2048
"""Bytes of free text that may enter an event (docs/events.md)."""

_QUOTING = (Finding.ENGINE_ERROR, Finding.CRASHED)
"""Here the line of reason is a line of output."""


def cap(text: str, limit: int = LIMIT) -> str:
    """The text cut to `limit` bytes of UTF-8, keeping its end, where the cause usually stands."""
    raw = text.encode()
    if len(raw) <= limit:
        return text
    return "…" + raw[-(limit - 3) :].decode(errors="ignore")


def evidence_of(result: SessionResult, *, minimal: bool = False) -> str:
    """One line of reason, then output: of the failing checks, else of the engine. Only output is ever cut."""
    reason = result.error
    if minimal and result.finding in _QUOTING:
        reason = f"exit code {result.exit_code}"
    said = [(reason, "")] if reason else []
    failed = [each for each in result.checks if not each.passed]
    for check in failed:
        code = "was ended by its limit" if check.exit_code is None else f"exit {check.exit_code}"
        said.append((f"$ {check.run}  ({code})", "" if minimal else check.tail))
    if not minimal and not failed and result.finding is not Finding.DONE:
        said.append(("", result.tail))
    if minimal and result.finding is not Finding.DONE:
        said.append(("(output stays with the operator: [log] detail is minimal)", ""))
    return _fitting(said)


def _fitting(said: list[tuple[str, str]]) -> str:
    """Headings with their outputs, which share the room that headings leave; the first line always stays."""
    outputs = sum(bool(output) for _, output in said)
    room = LIMIT - sum(len(heading.encode()) + 2 for heading, _ in said)
    share = max(0, room) // max(1, outputs)
    lines = [
        line
        for heading, output in said
        for line in (heading, cap(output, share) if share > len("…".encode()) else "")
        if line
    ]
    first = cap("".join(lines[:1]), LIMIT // 2)
    rest = "\n".join(lines[1:])
    return f"{first}\n{cap(rest, LIMIT - len(first.encode()) - 1)}" if rest else first


def ended_fact(
    session: Session, result: SessionResult, *, finding: Finding | None = None, minimal: bool = False
) -> SessionEnded:
    """The end of a session as its result tells it; `finding` overrules the runner's own judgement."""
    started = session.started
    return SessionEnded(
        issue=started.issue,
        session=started.session,
        role=started.role,
        purpose=started.purpose,
        finding=finding or result.finding,
        exit_code=result.exit_code,
        ended_ts=result.ended_ts,
        usage=result.usage,
        evidence=evidence_of(result, minimal=minimal),
        log_ref=result.log_ref,
        head=result.head,
        checks=tuple(each.name for each in result.checks if each.passed),
    )


def lost_fact(session: Session, *, now: int, why: str) -> SessionEnded:
    """The end of a session whose runner died without a result."""
    started = session.started
    return SessionEnded(
        issue=started.issue,
        session=started.session,
        role=started.role,
        purpose=started.purpose,
        finding=Finding.CRASHED,
        exit_code=None,
        ended_ts=now,
        evidence=cap(why),
    )


def unbegun_fact(session: Session, *, now: int, why: str) -> SessionEnded:
    """The end of a session that was recorded and never began: nobody's failure, and nothing was spent."""
    lost = lost_fact(session, now=now, why=why)
    return replace(lost, finding=Finding.STOPPED, usage=Usage(usd=0.0))
