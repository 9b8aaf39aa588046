"""Boards for tests: real events, folded."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from app.board import Board, Convoy, ConvoyStatus, Session, Task, TaskStatus
from app.config import Config
from app.control import Pass
from app.ports import (
    Finding,
    Life,
    Plan,
    PlannedTask,
    PlanRecorded,
    Role,
    Seen,
    SessionEnded,
    SessionSeen,
    SessionStarted,
    Usage,
    Verdict,
)

__all__ = ["convoy", "ended", "look", "session", "task"]


def task(number: int, **given: object) -> Task:
    """A queued task `t-20250101-000<n>` called `Task <n>`."""
    spec = PlannedTask(f"task-{number}", f"Task {number}")
    made = Task(
        issue=f"{number:x}" * 32,
        id=f"t-20250101-000{number}",
        convoy="c" * 32,
        number=number,
        spec=spec,
        depends_on=(),
        status=TaskStatus.QUEUED,
        created_ts=0,
        updated_ts=0,
    )
    return replace(made, **given)  # type: ignore[arg-type]


def convoy(*tasks: Task, **given: object) -> Convoy:
    """An approved convoy `jwt` with these tasks."""
    plan = PlanRecorded("c" * 32, "h", Plan("", ()), (), ())
    made = Convoy(
        issue="c" * 32,
        id="c-20250101-0001",
        slug="jwt",
        title="Use JWT",
        goal="Use JWT",
        base="main",
        base_commit="b" * 40,
        target="refs/heads/main",
        strategy="rebase",
        approval="auto",
        planner="checklist",
        by="Ada",
        status=ConvoyStatus.ACTIVE,
        opened_ts=0,
        updated_ts=0,
        actor="a" * 32,
        tasks=tasks,
        plan=plan,
        approved_by="policy",
    )
    return replace(made, **given)  # type: ignore[arg-type]


def session(of: str, *, attempt: int = 1, purpose: str = "work") -> Session:
    """An open session of the `shell` engine, started at 1000 ms."""
    role = Role.REFINERY if purpose == "check" else Role.WITNESS
    id = f"s-20250101-{purpose[0]}{attempt:03}"
    engine = None if purpose == "check" else "shell"
    started = SessionStarted(of, id, role, purpose, attempt, "b" * 40, 9_000, engine=engine)
    return Session(started, 1_000, "a" * 32)


def ended(session: Session, finding: Finding = Finding.DONE, usd: float | None = None) -> Session:
    """The session with its end."""
    start = session.started
    end = SessionEnded(
        start.issue, start.session, start.role, start.purpose, finding, 0, 5_000, usage=Usage(usd=usd)
    )
    return replace(session, ended=end)


def look(*convoys: Convoy, verdicts: Iterable[Verdict] = (), lines: dict[str, str] | None = None) -> Pass:
    """A pass that saw these convoys; `lines` are what living sessions said last."""
    sessions = {id: SessionSeen(Life.ALIVE, "engine", 0, line) for id, line in (lines or {}).items()}
    return Pass(Board(convoys=convoys), Seen(sessions=sessions), Config(), tuple(verdicts))
