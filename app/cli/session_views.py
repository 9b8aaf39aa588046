"""Sessions as shown by `brat session list` and `show`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from app.board import Board
from app.cli.call import Call
from app.cli.naming import FoundSession, find_session, find_task
from app.cli.observing import Observation, Observer
from app.cli.status_json import session_json
from app.cli.tables import Column, columns_of, indented, put, style_of, table
from app.cli.times import ago, duration, stamp

if TYPE_CHECKING:
    from app.wiring import Workshop

__all__ = ["list_sessions", "show_session"]

ENDED_SHOWN = 15
_COLUMNS = (
    Column("session"),
    Column("for"),
    Column("purpose"),
    Column("engine"),
    Column("state"),
    Column("time", right=True),
    Column("last", shrinks=True),
)


def list_sessions(call: Call, task: str | None, *, everything: bool) -> None:
    """`brat session list`."""
    look = Observer(call.workshop()).look()
    found = sorted(_all(look.board), key=lambda each: each.session.started_ts, reverse=True)
    if task is not None:
        issue = find_task(look.board, task).task.issue
        found = [each for each in found if each.task and each.task.issue == issue]
    if call.json:
        call.answer(
            {"sessions": [session_json(look, each.convoy, (each.task, each.session)) for each in found]}
        )
        return
    ended = [each for each in found if not each.session.open]
    kept = ended if everything or task is not None else ended[:ENDED_SHOWN]
    shown = [each for each in found if each.session.open] + kept
    if not shown:
        put(call, "No session yet.")
        return
    for line in table(_COLUMNS, (_row(look, each) for each in shown), room=columns_of(call)):
        put(call, line)
    if len(ended) > len(kept):
        put(call, f"and {len(ended) - len(kept)} more that ended (--all)")


def show_session(call: Call, name: str) -> None:
    """`brat session show`."""
    workshop = call.workshop()
    look = Observer(workshop).look()
    found = find_session(look.board, name)
    log = workshop.dispatch().folder(found.session.id).log
    here = str(log) if log.exists() else None
    if call.json:
        told = session_json(look, found.convoy, (found.task, found.session))
        call.answer({"session": {**told, "log_path": here}})
        return
    for head, value in _facts(look, workshop, found):
        lines = list(indented(value, by=10, room=columns_of(call))) or [""]
        put(call, f"{head:<10}{lines[0][10:]}", style=style_of(value))
        for line in lines[1:]:
            put(call, line)


def _all(board: Board) -> Iterator[FoundSession]:
    for convoy in board.convoys:
        yield from (FoundSession(convoy, None, each) for each in convoy.sessions)
        yield from (FoundSession(convoy, task, each) for task in convoy.tasks for each in task.sessions)


def _owner(found: FoundSession) -> str:
    return f"{found.convoy.slug}/{found.task.number}" if found.task else f"{found.convoy.slug} (plan)"


def _row(look: Observation, found: FoundSession) -> tuple[str, ...]:
    session, ended = found.session, found.session.ended
    view = look.session(session)
    until = ended.ended_ts if ended else look.now
    last = ended.evidence.partition("\n")[0] if ended and ended.finding.value != "done" else ""
    return (
        session.id,
        _owner(found),
        f"{session.started.purpose} {session.started.attempt}",
        session.started.engine or "-",
        ended.finding.value if ended else view.life.value,
        duration(until - session.started_ts),
        last if ended else view.last_line or view.phase,
    )


def _facts(look: Observation, workshop: Workshop, found: FoundSession) -> Iterator[tuple[str, str]]:
    session, started, ended = found.session, found.session.started, found.session.ended
    view = look.session(session)
    yield "session", f"{session.id} ({_owner(found)})"
    model = f", model {started.model}" if started.model else ""
    by = f" by {started.engine}{model}" if started.engine else ""
    yield "purpose", f"{started.purpose}, attempt {started.attempt}{by}, for the {started.role.value.title()}"
    yield "started", f"{stamp(session.started_ts)} ({ago(session.started_ts, now=look.now)})"
    if ended is None:
        yield "state", f"{view.life.value}{f', in phase {view.phase}' if view.phase else ''}"
        yield "time", f"{duration(look.now - session.started_ts)}, ended by {stamp(started.deadline_ts)}"
        if view.last_line:
            yield "last line", view.last_line
    else:
        code = "" if ended.exit_code is None else f" (exit code {ended.exit_code})"
        yield "ended", f"{ended.finding.value}{code} after {duration(ended.ended_ts - session.started_ts)}"
        if ended.evidence:
            yield "evidence", ended.evidence
        if ended.checks:
            yield "passed", ", ".join(ended.checks)
        if ended.head:
            yield "head", ended.head
        usage = ended.usage
        if usage.input_tokens is not None or usage.usd is not None:
            cost = "" if usage.usd is None else f", {usage.usd:.4f} USD"
            yield "usage", f"{usage.input_tokens or 0} tokens in, {usage.output_tokens or 0} out{cost}"
    yield "base", started.base[:12]
    yield "isolation", started.isolation or "unknown"
    log = workshop.dispatch().folder(session.id).log
    yield "output", str(log) if log.exists() else "not on this machine"
