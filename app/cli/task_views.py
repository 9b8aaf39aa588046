"""Tasks as shown by `brat task list` and `show`."""

from __future__ import annotations

from collections.abc import Iterator

from app.board import Merge, Session, Task, task_branch
from app.cli.call import Call
from app.cli.naming import FoundTask, find_convoy, find_task
from app.cli.observing import Observation, Observer
from app.cli.progress import one_line, rows
from app.cli.status_json import engine_for, session_json, task_json
from app.cli.status_view import Styled, trust_lines, waiting_lines
from app.cli.tables import Column, columns_of, indented, put, style_of, table
from app.cli.times import ago, duration

__all__ = ["list_tasks", "show_task"]

_COLUMNS = (
    Column("task"),
    Column("title", shrinks=True),
    Column("state"),
    Column("engine"),
    Column("tries", right=True),
    Column("id"),
)


def list_tasks(call: Call, convoy: str | None, *, everything: bool) -> None:
    """`brat task list`."""
    look = Observer(call.workshop()).look()
    chosen = look.board.convoys if everything else look.board.open_convoys
    if convoy is not None:
        chosen = (find_convoy(look.board, convoy),)
    found = [FoundTask(each, task) for each in chosen for task in each.tasks]
    if call.json:
        told = [{"convoy": each.convoy.slug, **task_json(look, each.convoy, each.task)} for each in found]
        call.answer({"tasks": told})
        return
    if not found:
        more = " (--all shows those of closed ones)" if look.board.convoys else ""
        put(call, f"No task in an open convoy{more}.")
        return
    room = columns_of(call)
    shown = {row.key: row for row in rows(look.done, chosen)}
    cells = [
        (
            each.name,
            each.task.title,
            shown[each.task.issue].state,
            shown[each.task.issue].engine or engine_for(each.task, look.done.config),
            str(each.task.attempts or "-"),
            each.task.id,
        )
        for each in found
    ]
    lines = list(table(_COLUMNS, cells, room=room))
    put(call, lines[0], style="dim")
    for each, line in zip(found, lines[1:], strict=True):
        put(call, line, style=style_of(shown[each.task.issue].state))
        for text, style in waiting_lines(look.waiting(each.task), by=4, room=room, now=look.now):
            put(call, text, style=style)


def show_task(call: Call, name: str, convoy: str | None) -> None:
    """`brat task show`."""
    look = Observer(call.workshop()).look()
    found = find_task(look.board, name, convoy=convoy)
    if call.json:
        call.answer(
            {
                "task": {
                    "convoy": found.convoy.slug,
                    **task_json(look, found.convoy, found.task),
                    **_more(look, found),
                }
            }
        )
        return
    for text, style in _lines(look, found, room=columns_of(call)):
        put(call, text, style=style)


def _more(look: Observation, found: FoundTask) -> dict[str, object]:
    task = found.task
    return {
        "plan_id": task.spec.id,
        "parts": list(task.parts),
        "instructions": task.spec.instructions,
        "criteria": list(task.spec.criteria),
        "commands": list(task.spec.commands),
        "paths": list(task.spec.paths),
        "remarks": list(task.remarks),
        "touched": list(task.work.touched) if task.work else [],
        "sessions": [session_json(look, found.convoy, (task, each)) for each in task.sessions],
        "merges": [
            {
                "attempt": each.attempt,
                "strategy": each.strategy,
                "result": each.result,
                "base": each.base or None,
                "commit": each.commit,
                "reason": each.reason or None,
                "evidence": each.evidence or None,
                "checked": list(each.checked),
            }
            for each in task.merges
        ],
    }


def _lines(look: Observation, found: FoundTask, *, room: int) -> Iterator[Styled]:
    task, convoy = found.task, found.convoy
    row = next(each for each in rows(look.done, (convoy,)) if each.key == task.issue)
    yield f"{found.name}  {one_line(task.title)}", "bold"
    into = f", split into {', '.join(map(str, task.parts))}" if task.parts else ""
    yield f"state   {row.state}{into}", style_of(row.state)
    yield from waiting_lines(look.waiting(task), by=8, room=room, now=look.now)
    for name, value in _facts(look, found):
        first, *rest = list(indented(value, by=8, room=room)) or [""]
        yield f"{name:<8}{first[8:]}", ""
        yield from ((line, "") for line in rest)
    for head, lines in (
        ("sessions", [line for each in task.sessions for line in _session(look, each, room)]),
        ("landing", [line for each in task.merges for line in _merge(look, each, room)]),
        ("remarks", [line for each in task.remarks for line in indented(each, by=2, room=room)]),
        (
            "instructions",
            list(indented(task.spec.instructions, by=2, room=room)) if task.spec.instructions else [],
        ),
    ):
        if lines:
            yield "", ""
            yield head, "dim"
            yield from ((line, "") for line in lines)
    yield from trust_lines(look, room=room)


def _facts(look: Observation, found: FoundTask) -> Iterator[tuple[str, str]]:
    task, convoy = found.task, found.convoy
    yield "id", f"{task.id} (issue {task.issue[:12]})"
    yield "branch", task_branch(convoy.slug, task.number) + _at(task)
    if task.pull:
        ended = f" (closed by {task.pull_ended.by})" if task.pull_ended else ""
        yield "pull", f"#{task.pull.number} {task.pull.url}{ended}"
    if task.depends_on:
        yield "after", ", ".join(_dependency(found, number) for number in task.depends_on)
    yield "paths", ", ".join(task.spec.paths) or "any"
    yield "checks", "; ".join(task.spec.commands) or "none of its own"
    yield "changed", ago(task.updated_ts, now=look.now)
    if task.merge_commit:
        yield "landed", task.merge_commit[:12]
    if task.hold and not task.status.final:
        yield "held", task.hold.reason + (f" (head {task.hold.head[:12]})" if task.hold.head else "")


def _at(task: Task) -> str:
    return f" at {task.work.head[:12]}" if task.work else ""


def _dependency(found: FoundTask, number: int) -> str:
    other = found.convoy.task(number)
    return f"{number} ({other.status})" if other else str(number)


def _session(look: Observation, session: Session, room: int) -> Iterator[str]:
    started, ended = session.started, session.ended
    until = ended.ended_ts if ended else look.now
    by = f" by {started.engine}" if started.engine else ""
    result = ended.finding.value if ended else look.session(session).life.value
    took = duration(until - session.started_ts)
    yield f"  {session.id}  {started.purpose} {started.attempt}{by}: {result}, {took}"
    if ended and ended.finding.value != "done" and ended.evidence:
        yield from list(indented(ended.evidence, by=6, room=room))[:6]


def _merge(look: Observation, merge: Merge, room: int) -> Iterator[str]:
    at = f" as {merge.commit[:12]}" if merge.commit else ""
    why = f" ({merge.reason})" if merge.reason else ""
    checked = f", checked: {', '.join(merge.checked)}" if merge.checked else ""
    how = merge.strategy or "before it began"
    yield f"  {merge.attempt}  {how}{at}: {merge.result}{why}{checked}"
    if merge.evidence:
        yield from list(indented(merge.evidence, by=6, room=room))[:6]
