"""What a person says to a task, written down."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from app.board import (
    TaskStatus,
    ask_to_split,
    begun,
    comment_on,
    drop_task,
    hold_task,
    release_task,
    retry_task,
)
from app.cli.call import Call
from app.cli.naming import FoundTask, find_task
from app.cli.steering import go_on_line, steered, stop_sessions, tell_of
from app.mayor import allowed_engine, rules_of
from app.ports import Fact
from app.values import dataclass

if TYPE_CHECKING:
    from app.wiring import Workshop

__all__ = [
    "Named",
    "comment_open",
    "drop_open",
    "hold_open",
    "redacted",
    "release_held",
    "retry_blocked",
    "split_open",
]

Named = tuple[str, str | None]
"""What the person called the task, and the convoy."""


@dataclass(frozen=True, slots=True)
class _Done:
    """A wish that was written, or that found nothing to change; `found` is the task before."""

    workshop: Workshop
    found: FoundTask
    wrote: bool


def retry_blocked(call: Call, named: Named, *, engine: str | None) -> None:
    """`brat task retry`."""

    def wish(workshop: Workshop, found: FoundTask, by: str) -> tuple[Fact, ...]:
        if engine is not None:
            config = workshop.config(workshop.view()[0])
            allowed_engine(engine, rules_of(config, workshop.settings.allow_engines))
        return retry_task(found.convoy, found.task, by=by, engine=engine)

    done = _steer(call, named, wish)
    with_engine = f" with {engine}" if engine else ""
    _tell(
        call,
        done,
        f"Task {done.found.name} gets a fresh set of attempts{with_engine}.",
        then=go_on_line(done.workshop),
    )


def drop_open(call: Call, named: Named, *, reason: str) -> None:
    """`brat task drop`: the fact first, then its sessions of this machine are asked to end."""
    done = _steer(call, named, lambda _, found, by: drop_task(found.convoy, found.task, by=by, reason=reason))
    task, convoy = done.found.task, done.found.convoy
    freed = [
        str(each.number) for each in convoy.tasks if task.number in each.depends_on and not each.status.final
    ]
    waits = f" Task {', '.join(freed)} no longer waits for it." if freed else ""
    ended = stop_sessions(done.workshop, task.sessions)
    _tell(
        call,
        done,
        f"Dropped task {done.found.name}.{waits}",
        then="\n".join(ended) or go_on_line(done.workshop),
    )


def split_open(call: Call, named: Named) -> None:
    """`brat task split`."""
    done = _steer(call, named, lambda _, found, by: ask_to_split(found.convoy, found.task, by=by))
    name = done.found.name
    if not done.wrote:
        _tell(call, done, f"The Mayor is at it already: task {name} is being split.")
        return
    whole = "" if begun(done.found.convoy) else ", in another plan of the whole"
    said = f"The Mayor cuts task {name} into smaller ones{whole}."
    _tell(call, done, said, then=go_on_line(done.workshop))


def hold_open(call: Call, named: Named, *, reason: str) -> None:
    """`brat task hold`."""
    done = _steer(call, named, lambda _, found, by: hold_task(found.convoy, found.task, by=by, reason=reason))
    name = done.found.name
    if not done.wrote and done.found.task.hold:
        _tell(call, done, f"Task {name} is held already: {done.found.task.hold.reason}")
        return
    running = done.found.task.status is TaskStatus.RUNNING
    runs_on = " Its session runs on to its end." if running else ""
    said = f"Task {name} is held: it does not start, is not published and does not land.{runs_on}"
    _tell(call, done, said, then=f"-> brat task release {name}")


def release_held(call: Call, named: Named, *, head: str | None) -> None:
    """`brat task release`."""
    done = _steer(call, named, lambda _, found, by: release_task(found.convoy, found.task, by=by, head=head))
    hold = done.found.task.hold
    at = f" at {hold.head[:12]}" if hold and hold.head else ""
    _tell(call, done, f"Released task {done.found.name}{at}.", then=go_on_line(done.workshop))


def comment_open(call: Call, named: Named, *, text: str) -> None:
    """`brat task comment`."""
    said = sys.stdin.read() if text == "-" else text

    def wish(workshop: Workshop, found: FoundTask, by: str) -> tuple[Fact, ...]:
        return comment_on(found.convoy, found.task, by=by, text=redacted(workshop, said))

    done = _steer(call, named, wish)
    _tell(call, done, f"Noted on task {done.found.name}; later sessions are told.")


def redacted(workshop: Workshop, text: str) -> str:
    """The text without the secrets that this machine knows: everybody who can read the log reads it."""
    from app.runner import Redactor
    from app.settings import secret_values

    return Redactor(secret_values(workshop.settings, workshop.surroundings.environ))(text)


def _steer(call: Call, named: Named, wish: Callable[[Workshop, FoundTask, str], tuple[Fact, ...]]) -> _Done:
    name, convoy = named
    return _Done(*steered(call, lambda board: find_task(board, name, convoy=convoy), wish))


def _tell(call: Call, done: _Done, said: str, *, then: str = "") -> None:
    task = done.found.task
    about = {"task": {"task_id": task.id, "number": task.number, "convoy": done.found.convoy.slug}}
    tell_of(call, about, said, then=then, wrote=done.wrote)
