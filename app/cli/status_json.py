"""The documents behind `--json`: convoys, tasks, sessions, the whole status. Described in docs/cli.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from app.board import Board, Convoy, Session, Task, TaskStatus, open_sessions, spent_usd, task_branch
from app.cli.observing import Observation
from app.config import Config
from app.ports import Life, PullOpened

__all__ = ["convoy_json", "engine_for", "interventions", "session_json", "status_json", "task_json"]

_MERGE_LABELS = {
    "merge:queued": "queued",
    "merge:running": "running",
    "merge:failed": "failed",
    "merge:retry-pending": "failed",
    "merge:succeeded": "succeeded",
}
_STATE = {Life.ALIVE: "running", Life.ENDED: "exit", Life.DEAD: "exit"}


def status_json(look: Observation, repo_root: str) -> dict[str, Any]:
    """`brat status --json`: the keys of the Rust tool's answer, and more."""
    board = look.board
    tasks = [task for convoy in board.convoys for task in convoy.tasks]
    return {
        "generated_ts": look.now,
        "repo_root": repo_root,
        "convoys": [convoy_json(look, each) for each in board.convoys],
        "tasks": {"total": len(tasks), "by_status": _counts(tasks)},
        "sessions": [
            session_json(look, convoy, (task, session))
            for convoy, task, session in _all_sessions(board)
            if session.open
        ],
        "merge_queue": _merge_queue(tasks),
        "locks": [],
        "interventions": list(interventions(look)),
        "proposals": [
            {"issue": each.issue, "title": each.title, "convoy": each.convoy, "actor": each.actor}
            for each in board.proposals
        ],
        "attended": look.attended,
        "log": {
            "head": board.head,
            "pinned": look.pinned,
            "signers": list(board.signers),
            "uncounted": list(look.uncounted),
            "problems": len(board.problems),
        },
    }


def convoy_json(look: Observation, convoy: Convoy) -> dict[str, Any]:
    """One convoy with its tasks."""
    return {
        "convoy_id": convoy.id,
        "title": convoy.title,
        "status": convoy.status.value,
        "task_counts": _counts(convoy.tasks),
        "slug": convoy.slug,
        "issue": convoy.issue,
        "base": convoy.base,
        "base_commit": convoy.base_commit,
        "target": convoy.target,
        "strategy": convoy.strategy,
        "approved_by": convoy.approved_by,
        "opened_ts": convoy.opened_ts,
        "updated_ts": convoy.updated_ts,
        "cost_usd": round(spent_usd(look.board, convoy=convoy.issue), 6),
        "reason": convoy.reason or None,
        "waiting": _waiting(look, convoy),
        "request": _request(convoy),
        "pull": _pull(convoy.pull),
        "tasks": [task_json(look, convoy, task) for task in convoy.tasks],
    }


def task_json(look: Observation, convoy: Convoy, task: Task) -> dict[str, Any]:
    """One task. `attempts` are work sessions ever started, `depends_on` numbers of the same convoy."""
    return {
        "task_id": task.id,
        "number": task.number,
        "title": task.title,
        "status": task.status.value,
        "engine": engine_for(task, look.done.config),
        "branch": task_branch(convoy.slug, task.number),
        "depends_on": list(task.depends_on),
        "attempts": task.attempts,
        "merge_commit": task.merge_commit,
        "waiting": _waiting(look, task),
        "issue": task.issue,
        "kind": task.spec.kind,
        "head": task.work.head if task.work else None,
        "held_head": task.hold.head if task.hold else None,
        "updated_ts": task.updated_ts,
        "pull": _pull(task.pull),
    }


def engine_for(task: Task, config: Config) -> str:
    """The engine that the task's next session gets, by what it or its kind names."""
    named = config.engine_named(task.engine, kind=task.spec.kind) if task.engine else None
    return (named or config.engine_for(task.spec.kind)).type


def session_json(look: Observation, convoy: Convoy, what: tuple[Task | None, Session]) -> dict[str, Any]:
    """One session; of an open one `life` and the heartbeat are what this machine sees."""
    task, session = what
    view, ended = look.session(session), session.ended
    usage = ended.usage if ended else None
    last = ended.ended_ts if ended else view.last_output_ts or session.started_ts
    return {
        "session_id": session.id,
        "task_id": task.id if task else None,
        "role": session.started.role.value,
        "session_type": "polecat",
        "engine": session.started.engine,
        "state": "exit" if ended else _STATE.get(view.life, "spawned"),
        "last_heartbeat_ts": last,
        "convoy_id": convoy.id,
        "task_number": task.number if task else None,
        "purpose": session.started.purpose,
        "attempt": session.started.attempt,
        "isolation": session.started.isolation,
        "started_ts": session.started_ts,
        "deadline_ts": session.started.deadline_ts,
        "life": None if ended else view.life.value,
        "phase": None if ended else view.phase or None,
        "last_line": None if ended else view.last_line or None,
        "ended_ts": ended.ended_ts if ended else None,
        "finding": ended.finding.value if ended else None,
        "exit_code": ended.exit_code if ended else None,
        "evidence": (ended.evidence or None) if ended else None,
        "head": ended.head if ended else None,
        "log_ref": ended.log_ref if ended else None,
        "input_tokens": usage.input_tokens if usage else None,
        "output_tokens": usage.output_tokens if usage else None,
        "usd": usage.usd if usage else None,
    }


def interventions(look: Observation) -> Iterator[dict[str, Any]]:
    """What needs a person: held work at once, blocked tasks and silent sessions after their time."""
    limits, now = look.done.config.interventions, look.now
    for convoy in look.board.open_convoys:
        for task in convoy.tasks:
            blocked = task.status is TaskStatus.BLOCKED and now - task.updated_ts >= limits.blocked_task_ms
            if task.status.final or not (blocked or task.hold):
                continue
            kind = "held-task" if task.hold else "blocked-task"
            yield _intervention(kind, look, (convoy, task), since=task.updated_ts)
    for _, session in open_sessions(look.board):
        view = look.session(session)
        since = view.last_output_ts or session.started_ts
        if view.life is Life.ALIVE and now - since >= limits.stale_session_ms:
            yield {
                "kind": "stale-session",
                "subject": session.id,
                "reason": "the engine has said nothing for a long time",
                "who": "a maintainer",
                "command": f"brat session tail {session.id}",
                "since_ts": since,
            }


def _intervention(kind: str, look: Observation, where: tuple[Convoy, Task], *, since: int) -> dict[str, Any]:
    convoy, task = where
    waiting = look.waiting(task)
    return {
        "kind": kind,
        "subject": f"{convoy.slug}/{task.number}",
        "reason": waiting.reason if waiting else task.status.value,
        "who": waiting.who if waiting else "a maintainer",
        "command": waiting.command if waiting else f"brat task show {convoy.slug}/{task.number}",
        "since_ts": since,
    }


def _waiting(look: Observation, subject: Task | Convoy) -> dict[str, Any] | None:
    found = look.waiting(subject)
    if found is None:
        return None
    return {
        "reason": found.reason,
        "who": found.who or None,
        "command": found.command or None,
        "until": found.until,
    }


def _request(convoy: Convoy) -> dict[str, Any] | None:
    asked = convoy.request
    return None if asked is None else {"number": asked.number, "url": asked.url, "by": asked.by}


def _pull(pull: PullOpened | None) -> dict[str, Any] | None:
    return None if pull is None else {"number": pull.number, "url": pull.url}


def _counts(tasks: tuple[Task, ...] | list[Task]) -> dict[str, int]:
    counted = Counter(task.status for task in tasks)
    return {each.value: counted[each] for each in TaskStatus}


def _merge_queue(tasks: list[Task]) -> dict[str, int]:
    labels = (label for task in tasks if task.status is not TaskStatus.DROPPED for label in task.labels)
    counted = Counter(_MERGE_LABELS[label] for label in labels if label in _MERGE_LABELS)
    return {name: counted[name] for name in ("queued", "running", "failed", "succeeded")}


def _all_sessions(board: Board) -> Iterator[tuple[Convoy, Task | None, Session]]:
    for convoy in board.convoys:
        yield from ((convoy, None, each) for each in convoy.sessions)
        yield from ((convoy, task, each) for task in convoy.tasks for each in task.sessions)
