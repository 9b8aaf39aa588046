"""What a person says to a convoy, written down; and the word to sessions that this ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from app.board import Board, Convoy, Session, approve_plan, cancel_convoy, pause_convoy, resume_convoy
from app.cli.call import Call
from app.cli.naming import find_convoy
from app.cli.pinning import deciding_board
from app.cli.recording import person, record_facts
from app.ports import Done, Fact, Refused

if TYPE_CHECKING:
    from app.wiring import Workshop

__all__ = ["approve_convoy", "cancel_open", "go_on_line", "pause_or_resume", "steer", "stop_sessions", "tell"]


def approve_convoy(call: Call, name: str | None) -> None:
    """`brat convoy approve`."""
    workshop, convoy, wrote = steer(call, name, lambda convoy, by: approve_plan(convoy, by=by))
    count = "1 task" if len(convoy.tasks) == 1 else f"{len(convoy.tasks)} tasks"
    said = (
        f"Approved the plan of {convoy.slug}: {count}."
        if wrote
        else f"The plan of {convoy.slug} was approved before, by {convoy.approved_by}."
    )
    tell(call, convoy, said, then=go_on_line(workshop) if wrote else "", wrote=wrote)


def pause_or_resume(call: Call, name: str | None, *, paused: bool) -> None:
    """`brat convoy pause` and `resume`."""
    if paused:
        _, convoy, wrote = steer(call, name, lambda convoy, by: pause_convoy(convoy, by=by))
        said = (
            f"Paused {convoy.slug}: nothing new starts or lands."
            if wrote
            else f"{convoy.slug} is paused already."
        )
        tell(call, convoy, said, then=f"-> brat convoy resume {convoy.slug}", wrote=wrote)
        return
    workshop, convoy, wrote = steer(call, name, lambda convoy, by: resume_convoy(convoy, by=by))
    said = f"{convoy.slug} goes on." if wrote else f"{convoy.slug} is not paused."
    tell(call, convoy, said, then=go_on_line(workshop), wrote=wrote)


def cancel_open(call: Call, name: str | None, *, reason: str) -> None:
    """`brat convoy cancel`: the fact first, then the sessions of this machine are asked to end."""
    workshop, convoy, wrote = steer(
        call, name, lambda convoy, by: cancel_convoy(convoy, by=by, reason=reason)
    )
    merged = sum(task.status.value == "merged" for task in convoy.tasks)
    landed = (
        f" {merged} of {len(convoy.tasks)} tasks had landed and stay so."
        if merged
        else " Nothing had landed."
    )
    ended = stop_sessions(workshop, convoy.all_sessions)
    tell(call, convoy, f"Cancelled {convoy.slug}.{landed}", then="\n".join(ended), wrote=wrote)


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


def go_on_line(workshop: Workshop) -> str:
    """Who acts on it now."""
    if workshop.attended:
        return "The running brat goes on with it."
    return "-> brat mayor resume"


def steer(
    call: Call, name: str | None, wish: Callable[[Convoy, str], tuple[Fact, ...]]
) -> tuple[Workshop, Convoy, bool]:
    """The convoy as it was when the wish was written, and whether there was anything to write."""
    workshop = call.workshop()
    found: list[Convoy] = []
    by = person(workshop)

    def decide(board: Board) -> tuple[Fact, ...]:
        found.append(find_convoy(board, name))
        return wish(found[-1], by)

    decide(deciding_board(workshop))
    wrote = bool(record_facts(workshop, decide))
    return workshop, found[-1], wrote


def tell(call: Call, convoy: Convoy, said: str, *, then: str, wrote: bool) -> None:
    """What was done, and what comes next."""
    if call.json:
        call.answer(
            {
                "convoy": {"convoy_id": convoy.id, "slug": convoy.slug},
                "changed": wrote,
                "said": said,
                "next": [line.removeprefix("-> ") for line in then.splitlines()],
            }
        )
        return
    call.say(said)
    for line in then.splitlines():
        call.say(line)
