"""Session and merge facts as the Rust tool's comment blocks, and back."""

from __future__ import annotations

from app.board.blocks import Scalar, write_lines_block
from app.ports import (
    Finding,
    MergeFailed,
    MergeStarted,
    MergeSucceeded,
    Role,
    SessionEnded,
    SessionStarted,
    Usage,
)

__all__ = [
    "ended_block",
    "merge_block",
    "read_merge",
    "read_session",
    "started_block",
]

MergeFact = MergeStarted | MergeFailed | MergeSucceeded

_EXIT_REASON = {
    Finding.TIMEOUT: "timeout",
    Finding.SILENT: "timeout",
    Finding.CRASHED: "crash",
    Finding.OUTPUT_LIMIT: "signal",
    Finding.STOPPED: "user-stop",
}
"""The Rust tool's five words; `finding` beside it is exact."""


def started_block(fact: SessionStarted, *, started_ts: int) -> str:
    """`[session]` with `state = "spawned"`."""
    values = _common(fact, started_ts) | {
        "state": "spawned",
        "purpose": fact.purpose,
        "attempt": fact.attempt,
        "base": fact.base,
        "deadline_ts": fact.deadline_ts,
        "model": fact.model,
        "carry": fact.carry,
        "commit": fact.commit,
        "reserved_usd": fact.reserved_usd,
        "isolation": fact.isolation,
    }
    return write_lines_block("session", values)


def ended_block(fact: SessionEnded, started: SessionStarted, *, started_ts: int) -> str:
    """`[session]` with `state = "exit"`."""
    values = _common(started, started_ts) | {
        "state": "exit",
        "last_heartbeat_ts": fact.ended_ts,
        "exit_code": fact.exit_code,
        "exit_reason": _EXIT_REASON.get(fact.finding, "completed"),
        "last_output_ref": fact.log_ref,
        "purpose": fact.purpose,
        "finding": fact.finding.value,
        "ended_ts": fact.ended_ts,
        "input_tokens": fact.usage.input_tokens,
        "output_tokens": fact.usage.output_tokens,
        "usd": fact.usage.usd,
        "evidence": fact.evidence,
        "head": fact.head,
        "checks": ",".join(fact.checks),
    }
    return write_lines_block("session", values)


def _common(started: SessionStarted, started_ts: int) -> dict[str, Scalar]:
    return {
        "state": "",
        "session_id": started.session,
        "role": started.role.value,
        "session_type": "polecat",
        "engine": started.engine or "none",
        "worktree": "",
        "pid": None,
        "started_ts": started_ts,
        "last_heartbeat_ts": started_ts,
        "exit_code": None,
        "exit_reason": None,
        "last_output_ref": None,
    }


def read_session(issue: str, values: dict[str, object]) -> SessionStarted | SessionEnded | None:
    """The fact of a `[session]` block; None for a state without effect. Raises ValueError."""
    state = values.get("state")
    if state == "spawned":
        return SessionStarted(
            issue=issue,
            session=_text(values, "session_id"),
            role=Role(_text(values, "role")),
            purpose=_text(values, "purpose"),
            attempt=_number(values, "attempt"),
            base=_text(values, "base"),
            deadline_ts=_number(values, "deadline_ts"),
            engine=None if values.get("engine") == "none" else _optional(values, "engine"),
            model=_optional(values, "model"),
            carry=_optional(values, "carry"),
            commit=_optional(values, "commit"),
            reserved_usd=_amount(values, "reserved_usd"),
            isolation=_optional(values, "isolation") or "",
        )
    if state == "exit":
        code = values.get("exit_code")
        return SessionEnded(
            issue=issue,
            session=_text(values, "session_id"),
            role=Role(_text(values, "role")),
            purpose=_text(values, "purpose"),
            finding=Finding(_text(values, "finding")),
            exit_code=code if isinstance(code, int) else None,
            ended_ts=_number(values, "ended_ts"),
            usage=Usage(
                _count(values, "input_tokens"), _count(values, "output_tokens"), _amount(values, "usd")
            ),
            evidence=_optional(values, "evidence") or "",
            log_ref=_optional(values, "last_output_ref"),
            head=_optional(values, "head"),
            checks=tuple(each for each in (_optional(values, "checks") or "").split(",") if each),
        )
    return None


def merge_block(fact: MergeFact) -> str:
    """`[merge]` with the result running, failed or succeeded."""
    values: dict[str, Scalar] = {"attempt": fact.attempt, "strategy": fact.strategy, "pr": None}
    if isinstance(fact, MergeStarted):
        values |= {"result": "running", "reason": None, "merge_commit": None}
        values |= {"base": fact.base, "head": fact.head, "commit": fact.commit, "tree": fact.tree}
    elif isinstance(fact, MergeFailed):
        values |= {"result": "failed", "reason": fact.reason, "merge_commit": None, "evidence": fact.evidence}
    else:
        values |= {"result": "succeeded", "reason": None, "merge_commit": fact.commit}
        values |= {"base": fact.base, "checked": ",".join(fact.checked)}
    return write_lines_block("merge", values)


def read_merge(issue: str, values: dict[str, object]) -> MergeFact | None:
    """The fact of a `[merge]` block; None for a result without effect. Raises ValueError."""
    attempt, strategy = _number(values, "attempt"), _text(values, "strategy")
    match values.get("result"):
        case "running":
            base, head = _text(values, "base"), _text(values, "head")
            return MergeStarted(
                issue, attempt, strategy, base, head, _text(values, "commit"), _text(values, "tree")
            )
        case "failed":
            evidence = _optional(values, "evidence") or ""
            return MergeFailed(issue, attempt, strategy, _text(values, "reason"), evidence)
        case "succeeded":
            checked = tuple(each for each in (_optional(values, "checked") or "").split(",") if each)
            commit = _optional(values, "merge_commit")
            return MergeSucceeded(issue, attempt, strategy, commit, _text(values, "base"), checked)
    return None


def _text(values: dict[str, object], key: str) -> str:
    value = values.get(key)
    if not isinstance(value, str):
        raise ValueError(f"{key} is not a text")
    return value


def _optional(values: dict[str, object], key: str) -> str | None:
    return None if values.get(key) is None else _text(values, key)


def _number(values: dict[str, object], key: str) -> int:
    value = values.get(key)
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"{key} is not a whole number")
    return value


def _count(values: dict[str, object], key: str) -> int | None:
    return None if values.get(key) is None else _number(values, key)


def _amount(values: dict[str, object], key: str) -> float | None:
    value = values.get(key)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
