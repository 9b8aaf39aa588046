"""The status in words: open convoys with their tasks, what waits, what is closed, whose decisions count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from app.board import Convoy, Task, TaskStatus
from app.cli.observing import NOBODY, Observation, Waiting
from app.cli.progress import convoy_line, one_line, rows
from app.cli.status_json import engine_for, interventions
from app.cli.tables import Column, indented, style_of, table
from app.cli.times import ago, duration, in_how_long
from app.ports import Life

__all__ = ["Styled", "convoy_lines", "status_lines", "trust_lines", "waiting_lines"]

Styled = tuple[str, str]
"""A line and its style on a terminal."""

CLOSED_SHOWN = 5
_TASKS = (
    Column("#", right=True),
    Column("task", shrinks=True),
    Column("state"),
    Column("engine"),
    Column("tries", right=True),
    Column("time", right=True),
    Column("pull", right=True),
)


def status_lines(look: Observation, *, room: int) -> Iterator[Styled]:
    """All of it; the way on comes last, where the eye is."""
    board = look.board
    if not board.convoys and not board.proposals:
        yield "No convoy yet.", ""
        yield '-> brat mayor start --task "what shall be done"', ""
        if look.hint:
            yield f"-> if this repository is worked on elsewhere: {look.hint}", ""
    for convoy in board.open_convoys:
        yield from convoy_lines(look, convoy, room=room)
        yield "", ""
    yield from _queue(look)
    yield from _proposals(look, room)
    yield from _closed(look)
    yield from _interventions(look, room)
    yield from trust_lines(look, room=room)
    if look.unattended_work:
        yield "No brat process runs here.", "yellow"
        yield "-> brat mayor resume", ""


def convoy_lines(look: Observation, convoy: Convoy, *, room: int) -> Iterator[Styled]:
    """One convoy: where it stands, where it lands, its tasks with what each waits for."""
    yield convoy_line(convoy, now=look.now), "bold"
    yield from _plain(indented(convoy.title, by=2, room=room))
    if convoy.request is not None:
        yield from _plain(
            indented(f"asked for by {convoy.request.by} in {convoy.request.url}", by=2, room=room)
        )
    target = convoy.target.removeprefix("refs/heads/")
    where = target if target == convoy.base else f"{target}, then on {convoy.base}"
    approved = f"; plan approved by {convoy.approved_by}" if convoy.approved_by else ""
    yield from _plain(indented(f"lands on {where} ({convoy.strategy}){approved}", by=2, room=room))
    yield from waiting_lines(look.waiting(convoy), by=2, room=room, now=look.now)
    if not convoy.tasks:
        return
    shown = {row.key: row for row in rows(look.done, (convoy,))}
    cells = [
        (
            str(task.number),
            task.title,
            shown[task.issue].state,
            shown[task.issue].engine or engine_for(task, look.done.config),
            str(task.attempts or "-"),
            duration(look.now - shown[task.issue].since_ts) if shown[task.issue].running else "",
            f"#{task.pull.number}" if task.pull else "",
        )
        for task in convoy.tasks
    ]
    columns = _TASKS if convoy.request else _TASKS[:-1]
    lines = list(table(columns, [each[: len(columns)] for each in cells], room=room - 2))
    yield f"  {lines[0]}", "dim"
    for task, line in zip(convoy.tasks, lines[1:], strict=True):
        yield f"  {line}", style_of(shown[task.issue].state)
        yield from _plain(_sessions(look, task, room))
        waiting = look.waiting(task)
        if waiting is None or waiting != look.waiting(convoy):
            yield from waiting_lines(waiting, by=6, room=room, now=look.now)


def waiting_lines(waiting: Waiting | None, *, by: int, room: int, now: int) -> Iterator[Styled]:
    """The reason, then who does what. That nobody runs brat is said once, at the end of all."""
    if waiting is None or waiting == NOBODY:
        return
    until = f" (looked at again {in_how_long(waiting.until, now=now)})" if waiting.until else ""
    needs = f"needs {waiting.who}: " if waiting.command and waiting.who else ""
    yield from _plain(indented(needs + waiting.reason + until, by=by, room=room))
    if waiting.command:
        yield f"{' ' * by}-> {waiting.command}", ""


def trust_lines(look: Observation, *, room: int) -> Iterator[Styled]:
    """Whose decisions are shown, and whose do not count here."""
    if look.board.convoys and not look.pinned:
        signers = ", ".join(each[:8] for each in look.board.signers)
        said = (
            f"Decisions here are signed by {signers}: not pinned, so they are shown and nothing acts on them."
        )
        yield from ((line, "yellow") for line in indented(said, by=0, room=room))
        yield f"-> brat log --pin {look.board.signers[0][:8] if look.board.signers else 'ACTOR'}", ""
    if look.pinned:
        for actor in look.uncounted:
            said = f"Convoys signed by {actor[:8]} are in the log and do not count here: not pinned."
            yield from ((line, "yellow") for line in indented(said, by=0, room=room))
            yield f"-> brat log --pin {actor[:8]}", ""
    if look.board.problems:
        count = len(look.board.problems)
        yield f"{count} thing{'' if count == 1 else 's'} in the log without effect.", "yellow"
        yield "-> brat doctor", ""


def _sessions(look: Observation, task: Task, room: int) -> Iterator[str]:
    """Open sessions of a task: what each is for, for how long, and its last line."""
    for session in task.sessions:
        if not session.open:
            continue
        view = look.session(session)
        since = duration(look.now - session.started_ts)
        said = {
            Life.ALIVE: view.last_line or view.phase or "just started",
            Life.ENDED: "has ended; not recorded yet",
            Life.DEAD: "its runner died; not recorded yet",
            Life.ABSENT: "recorded; does not run on this machine",
            Life.UNKNOWN: "runs on another machine, or nobody looked",
        }[view.life]
        yield from indented(
            f"{session.id} ({session.started.purpose}, {since}): {one_line(said)}", by=6, room=room
        )


def _queue(look: Observation) -> Iterator[Styled]:
    tasks = [task for convoy in look.board.open_convoys for task in convoy.tasks]
    landing = sum(
        task.status is TaskStatus.NEEDS_REVIEW and task.merge is not None and task.merge.result == "running"
        for task in tasks
    )
    ready = [task for task in tasks if task.hold is None and task.follow_up is None]
    waiting = sum(task.status is TaskStatus.NEEDS_REVIEW for task in ready) - landing
    if landing or waiting:
        yield f"Merge queue: {landing} landing, {waiting} waiting", ""
        yield "", ""


def _proposals(look: Observation, room: int) -> Iterator[Styled]:
    if not look.board.proposals:
        return
    yield "Proposed by others (`brat task approve ID` makes a task of it):", ""
    rows = [(each.issue[:8], each.title, ago(each.created_ts, now=look.now)) for each in look.board.proposals]
    columns = (Column("id"), Column("title", shrinks=True), Column("when"))
    yield from ((f"  {line}", "") for line in table(columns, rows, room=room - 2))
    yield "", ""


def _closed(look: Observation) -> Iterator[Styled]:
    closed = sorted(
        (each for each in look.board.convoys if each.status.final), key=lambda each: each.updated_ts
    )
    if not closed:
        return
    more = f" (the last {CLOSED_SHOWN} of {len(closed)})" if len(closed) > CLOSED_SHOWN else ""
    yield f"Closed{more}:", ""
    for convoy in reversed(closed[-CLOSED_SHOWN:]):
        merged = sum(task.status is TaskStatus.MERGED for task in convoy.tasks)
        state = "landed" if convoy.status.value == "complete" else convoy.status.value
        why = f"; {one_line(convoy.reason)}" if convoy.reason else ""
        when = ago(convoy.updated_ts, now=look.now)
        yield (
            f"  {convoy.slug}: {state}, {merged} of {len(convoy.tasks)} merged, {when}{why}",
            style_of(convoy.status.value) if convoy.reason else "",
        )
        if convoy.request is not None:
            yield f"    {convoy.request.url}", ""
    yield "", ""


def _interventions(look: Observation, room: int) -> Iterator[Styled]:
    found = [each for each in interventions(look) if each["kind"] != "held-task"]
    if not found:
        return
    yield "Waits long for a person:", "yellow"
    for each in found:
        since = duration(look.now - each["since_ts"])
        yield from _plain(indented(f"{each['subject']} ({since}): {each['reason']}", by=2, room=room))
        yield f"  -> {each['command']}", ""
    yield "", ""


def _plain(lines: Iterable[str]) -> Iterator[Styled]:
    return ((line, "") for line in lines)
