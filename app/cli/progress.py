"""What a run looks like now: a row per task, a line per convoy. Pure: one look in, words out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from app.board import Convoy, Session, Task, TaskStatus, last_failure
from app.cli.times import duration
from app.control import Pass, newest
from app.ports import Life, Verdict, VerdictState
from app.values import dataclass

__all__ = ["NOT_DONE", "Line", "Row", "changes", "convoy_line", "landing_line", "one_line", "rows"]

NOT_DONE = "not done"
"""What became of a task whose convoy ended without it; its recorded status stays what it was."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")


@dataclass(frozen=True, slots=True)
class Row:
    """One task as shown. `since_ts` is when the present state began, in ms; `says` is its last line.

    `why` is what made another session necessary.
    """

    key: str
    name: str
    title: str
    state: str
    engine: str
    since_ts: int
    says: str
    running: bool = False
    why: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One change of state, for output that is not a terminal."""

    key: str
    text: str


def one_line(text: str) -> str:
    """Foreign text on one line, without what moves a cursor or turns writing round."""
    return _CONTROL.sub(" ", text).strip()


def rows(done: Pass, convoys: Iterable[Convoy]) -> tuple[Row, ...]:
    """A row per task, in number order; a convoy without a plan has one row for its planning."""
    chosen = tuple(convoys)
    verdicts = newest(done.verdicts)
    found: list[Row] = []
    for convoy in chosen:
        prefix = f"{convoy.slug}/" if len(chosen) > 1 else ""
        if convoy.plan is None:
            found.append(_planning_row(convoy, done, verdicts.get(convoy.issue), prefix=prefix))
        for task in convoy.tasks:
            row = _task_row(task, done, verdicts.get(task.issue), prefix=prefix)
            given_up = convoy.status.final and not task.status.final and not row.running
            found.append(replace(row, state=NOT_DONE, says="") if given_up else row)
    return tuple(found)


def changes(before: Mapping[str, Row], now: Iterable[Row]) -> Iterator[Line]:
    """A line for each row whose state differs from what was said before."""
    for row in now:
        known = before.get(row.key)
        if known is not None and (known.state, known.engine) == (row.state, row.engine):
            continue
        if known is None and row.state == "queued":
            continue
        by = f" [{row.engine}]" if row.engine and row.running else ""
        says = f": {row.says}" if row.says and not row.running else ""
        says = f", after: {row.why}" if row.why and row.running else says
        yield Line(row.key, f"{row.name:>2}  {row.state:<9}  {row.title}{by}{says}")


def convoy_line(convoy: Convoy, *, now: int) -> str:
    """`auth-jwt: 2 of 6 merged, 1m 20s, 0.42 USD`."""
    merged = sum(task.status is TaskStatus.MERGED for task in convoy.tasks)
    until = convoy.updated_ts if convoy.status.final else now
    parts = [f"{merged} of {len(convoy.tasks)} merged" if convoy.plan else "planning"]
    parts.append(duration(until - convoy.opened_ts))
    spent = [each.ended.usage.usd for each in convoy.all_sessions if each.ended and each.ended.usage.usd]
    if spent:
        parts.append(f"{sum(spent):.2f} USD")
    state = "" if convoy.status.value == "active" else f" ({convoy.status})"
    return f"{convoy.slug}{state}: {', '.join(parts)}"


def landing_line(convoys: Iterable[Convoy]) -> str:
    """What the Refinery lands now; empty: nothing."""
    for convoy in convoys:
        for task in convoy.tasks:
            merge = task.merge
            if task.status is TaskStatus.NEEDS_REVIEW and merge is not None and merge.result == "running":
                target = convoy.target.removeprefix("refs/heads/")
                return f"landing: task {task.number} on {target} ({_checks(task)})"
    return ""


def _checks(task: Task) -> str:
    running = any(each.open and each.started.purpose == "check" for each in task.sessions)
    return "its checks run" if running or task.merge is None else task.merge.strategy


def _planning_row(convoy: Convoy, done: Pass, verdict: Verdict | None, *, prefix: str) -> Row:
    session = next((each for each in convoy.planners if each.open), None)
    state = "planning" if session else "to plan"
    if convoy.status.final:
        state = convoy.status.value
    since = session.started_ts if session else convoy.updated_ts
    says = _heard(session, done) or (verdict.because if verdict else "") or convoy.reason
    engine = (session.started.engine or "") if session else (convoy.engine or "")
    running = session is not None
    return Row(convoy.issue, f"{prefix}-", convoy.title, state, engine, since, one_line(says), running)


def _task_row(task: Task, done: Pass, verdict: Verdict | None, *, prefix: str) -> Row:
    session = next((each for each in reversed(task.sessions) if each.open), None)
    engine = session.started.engine if session and session.started.engine else _last_engine(task)
    since = session.started_ts if session else task.updated_ts
    says = _heard(session, done) or _says(task, verdict)
    return Row(
        key=task.issue,
        name=f"{prefix}{task.number}",
        title=one_line(task.title),
        state=_state(task, session, verdict),
        engine=engine or "",
        since_ts=since,
        says=one_line(says),
        running=session is not None and session.started.purpose == "work",
        why=one_line(_why(task)),
    )


def _why(task: Task) -> str:
    """What sent the task back to an agent; empty for a first attempt."""
    if task.follow_up is not None:
        return _says(task, None)
    failed = last_failure(task)
    return failed.ended.finding.value if failed is not None and failed.ended is not None else ""


def _state(task: Task, session: Session | None, verdict: Verdict | None) -> str:
    """One or two words; `rework` is a session on work that did not land."""
    if task.status is TaskStatus.RUNNING:
        attempt = session.started.attempt if session else 0
        if session and session.started.carry:
            return "rework"
        return "retrying" if session is None else "running" if attempt < 2 else f"attempt {attempt}"
    if task.status is TaskStatus.NEEDS_REVIEW:
        return _landing_state(task, session)
    if task.status is TaskStatus.QUEUED and verdict is not None and verdict.state is VerdictState.BLOCKED:
        return "held" if verdict.rule == "hold" else verdict.rule
    return task.status.value


def _landing_state(task: Task, session: Session | None) -> str:
    if task.hold is not None:
        return "held"
    if session is not None and session.started.purpose == "work":
        return "rework"
    if task.follow_up is not None:
        return "sent back"
    if session is not None:
        return "checking"
    return "landing" if task.merge is not None and task.merge.result == "running" else "to land"


def _says(task: Task, verdict: Verdict | None) -> str:
    if task.status is TaskStatus.MERGED:
        return task.merge_commit[:12] if task.merge_commit else "nothing was left to land"
    if task.follow_up is not None:
        paths = ", ".join(task.follow_up.paths)
        return f"{task.follow_up.reason}{f' in {paths}' if paths else ''}"
    if task.status is TaskStatus.NEEDS_REVIEW and task.merge is not None and task.merge.result == "running":
        return "its checks run on the merged tree" if any(each.open for each in task.sessions) else ""
    if verdict is None or verdict.rule == "session":
        return ""
    return verdict.because


def _heard(session: Session | None, done: Pass) -> str:
    """The engine's last line, else the phase that the runner is in."""
    view = done.seen.sessions.get(session.id) if session else None
    if view is None or view.life is not Life.ALIVE:
        return ""
    return view.last_line or view.phase


def _last_engine(task: Task) -> str:
    worked = (each.started.engine for each in reversed(task.sessions) if each.started.purpose == "work")
    return next((each for each in worked if each), "") or task.engine or ""
