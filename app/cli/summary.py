"""What came of it: per task its commit, what landed, time and cost, what waits and which command helps."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import Any

from app.board import Convoy, ConvoyStatus, Task, TaskStatus
from app.cli.progress import NOT_DONE, one_line
from app.cli.running import Finished, exit_code_of
from app.cli.times import duration
from app.control import End, Pass, newest
from app.ports import Verdict, VerdictState

__all__ = ["cost_words", "summary_document", "summary_lines", "waiting_lines"]


def summary_lines(finished: Finished, *, now: int, remote: str | None, columns: int = 100) -> Iterator[str]:
    """For people. Each convoy, then what waits, then what to do next."""
    for convoy in _convoys(finished):
        yield ""
        for line in _convoy_lines(convoy, finished.done, now=now):
            yield from wrap(
                line, columns, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
            )
    waiting = list(waiting_lines(finished))
    if waiting:
        yield ""
        yield "Waits for a person:"
        yield from waiting
        yield "  Afterwards `brat mayor resume` carries on."
    for refusal in finished.unsent:
        yield ""
        yield f"{refusal.action} failed: {one_line(refusal.reason).rstrip('.')}."
        yield "  Nothing is lost; it is all here."
        yield f"  -> {refusal.remedy or 'mend it'}, then `brat mayor resume --remote {remote}` sends it"
    if remote is not None and not finished.unsent and finished.end in (End.LANDED, End.FAILED):
        yield f"Pushed to {remote}: base, branches and log."
    if finished.end is End.STOPPED:
        yield ""
        yield "Stopped; `brat mayor resume` carries on."


def waiting_lines(finished: Finished) -> Iterator[str]:
    """Reason, who, command: for each thing that only a person moves."""
    for subject, verdict in _blocked(finished):
        yield f"  {subject}: {one_line(verdict.because)}"
        yield f"    {verdict.who or 'a person'}: {verdict.unblock}"


def summary_document(finished: Finished, *, now: int, remote: str | None) -> dict[str, Any]:
    """For programs: the same, with stable keys."""
    return {
        "end": finished.end.value,
        "exit_code": exit_code_of(finished),
        "convoys": [_convoy_document(each, finished.done, now=now) for each in _convoys(finished)],
        "waiting": [
            {"subject": name, "reason": each.because, "who": each.who, "command": each.unblock}
            for name, each in _blocked(finished)
        ],
        "remote": remote,
        "unsent": [
            {"action": each.action, "reason": each.reason, "remedy": each.remedy} for each in finished.unsent
        ],
    }


def cost_words(convoy: Convoy) -> str:
    """What engines say they used; empty where none said anything."""
    used = [each.ended.usage for each in convoy.all_sessions if each.ended]
    money = [each.usd for each in used if each.usd is not None]
    tokens = sum((each.input_tokens or 0) + (each.output_tokens or 0) for each in used)
    words = [f"{sum(money):.2f} USD"] if money else []
    return ", ".join(words + ([f"{tokens} tokens"] if tokens else []))


def _convoy_lines(convoy: Convoy, done: Pass, *, now: int) -> Iterator[str]:
    merged = sum(task.status is TaskStatus.MERGED for task in convoy.tasks)
    took = duration((convoy.updated_ts if convoy.status.final else now) - convoy.opened_ts)
    worked = sum(each.started.purpose == "work" for each in convoy.all_sessions)
    facts = [f"{merged} of {len(convoy.tasks)} tasks merged", took]
    facts.append(f"{worked} session{'' if worked == 1 else 's'}")
    facts += [words] if (words := cost_words(convoy)) else []
    yield f"{convoy.slug} {_status(convoy)}: {', '.join(facts)}"
    states = [_task_state(task, over=convoy.status.final) for task in convoy.tasks]
    wide = max(map(len, states), default=0)
    for task, state in zip(convoy.tasks, states, strict=True):
        commit = (task.merge_commit or "-")[:12].ljust(12)
        yield f"{task.number:>4}  {state:<{wide}}  {commit}  {one_line(task.title)}"
    if convoy.reason:
        yield f"  {one_line(convoy.reason)}"
    if merged:
        yield _verified(convoy)
        yield _landed(convoy, done)


def _landed(convoy: Convoy, done: Pass) -> str:
    target = convoy.target.removeprefix("refs/heads/")
    if convoy.taken_over is not None:
        return f"{convoy.base} is at {convoy.taken_over.new[:12]} (landed on {target}, then taken over)"
    head = done.seen.refs.get(convoy.target) or next(
        (task.merge_commit for task in reversed(convoy.tasks) if task.merge_commit), ""
    )
    return f"Landed on {target}" + (f", which is at {head[:12]}" if head and target != convoy.base else "")


def _verified(convoy: Convoy) -> str:
    names = dict.fromkeys(name for task in convoy.tasks for merge in task.merges for name in merge.checked)
    if names:
        return f"Checked before landing: {', '.join(names)}"
    if any(task.spec.commands for task in convoy.tasks):
        return "No check ran on the merged tree; the tasks' own acceptance commands passed."
    return "Nothing was checked: neither acceptance commands nor [[refinery.check]] are given."


def _status(convoy: Convoy) -> str:
    if convoy.status is ConvoyStatus.COMPLETE:
        return "landed"
    return "is open" if convoy.status is ConvoyStatus.ACTIVE else str(convoy.status)


def _task_state(task: Task, *, over: bool) -> str:
    if over and not task.status.final:
        return NOT_DONE
    return "held" if task.hold is not None and not task.status.final else str(task.status)


def _convoys(finished: Finished) -> tuple[Convoy, ...]:
    return tuple(each for each in finished.done.board.convoys if each.issue in finished.convoys)


def _blocked(finished: Finished) -> Iterator[tuple[str, Verdict]]:
    verdicts = newest(each for each in finished.done.verdicts if each.state is VerdictState.BLOCKED)
    for convoy in _convoys(finished):
        if convoy.issue in verdicts:
            yield f"convoy {convoy.slug}", verdicts[convoy.issue]
        for task in convoy.tasks:
            if task.issue in verdicts:
                yield f"task {task.number}", verdicts[task.issue]


def _convoy_document(convoy: Convoy, done: Pass, *, now: int) -> dict[str, Any]:
    return {
        "convoy_id": convoy.id,
        "slug": convoy.slug,
        "title": convoy.title,
        "status": convoy.status.value,
        "reason": convoy.reason,
        "base": convoy.base,
        "target": convoy.target,
        "target_head": done.seen.refs.get(convoy.target),
        "taken_over": convoy.taken_over is not None,
        "duration_ms": (convoy.updated_ts if convoy.status.final else now) - convoy.opened_ts,
        "cost_usd": sum(each.ended.usage.usd or 0.0 for each in convoy.all_sessions if each.ended),
        "tasks": [
            {
                "number": task.number,
                "task_id": task.id,
                "title": task.title,
                "status": task.status.value,
                "attempts": task.attempts,
                "merge_commit": task.merge_commit,
                "checked": list(task.merge.checked) if task.merge else [],
            }
            for task in convoy.tasks
        ],
    }
