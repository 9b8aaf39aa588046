"""What a person wants of a convoy or a task: written down, then told with what comes next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, TypeVar

from app.board import Board, Session
from app.cli.call import Call
from app.cli.pinning import deciding_board
from app.cli.recording import person, record_facts
from app.ports import Done, Fact, Refused

if TYPE_CHECKING:
    from app.wiring import Workshop

__all__ = ["go_on_line", "steered", "stop_sessions", "tell_of", "written"]

Found = TypeVar("Found")


def written(workshop: Workshop, decide: Callable[[Board], tuple[Fact, ...]]) -> tuple[Fact, ...]:
    """Asked once before an identity is made, so that a refusal leaves nothing behind."""
    decide(deciding_board(workshop))
    return record_facts(workshop, decide)


def steered(
    call: Call, find: Callable[[Board], Found], wish: Callable[[Workshop, Found, str], tuple[Fact, ...]]
) -> tuple[Workshop, Found, bool]:
    """What was found as it was when the wish was written, and whether there was anything to write."""
    workshop = call.workshop()
    by = person(workshop)
    found: list[Found] = []

    def decide(board: Board) -> tuple[Fact, ...]:
        found.append(find(board))
        return wish(workshop, found[-1], by)

    wrote = bool(written(workshop, decide))
    return workshop, found[-1], wrote


def tell_of(call: Call, about: Mapping[str, object], said: str, *, then: str, wrote: bool) -> None:
    """What was done, and what comes next; `about` names the convoy or the task for programs."""
    if call.json:
        follows = [line.removeprefix("-> ") for line in then.splitlines()]
        call.answer({**about, "changed": wrote, "said": said, "next": follows})
        return
    call.say(said)
    for line in then.splitlines():
        call.say(line)


def go_on_line(workshop: Workshop) -> str:
    """Who acts on it now."""
    if workshop.attended:
        return "The running brat goes on with it."
    return "-> brat mayor resume"


def stop_sessions(workshop: Workshop, sessions: Iterable[Session]) -> list[str]:
    """Ask the open ones of this machine to end; their end is recorded by whoever runs the loop."""
    dispatch = workshop.dispatch()
    told = []
    for session in sessions:
        if not session.open:
            continue
        match dispatch.stop(session.id):
            case Done():
                told.append(f"Session {session.id} is asked to end; the next pass records it.")
            case Refused():
                told.append(f"Session {session.id} does not run here; whoever runs it ends it.")
            case other:
                told.append(f"Session {session.id}: {other.reason}; the next pass looks again.")
    return told
