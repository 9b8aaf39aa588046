"""What a person says to a convoy, written down."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from app.board import Convoy, approve_plan, cancel_convoy, counted, pause_convoy, resume_convoy
from app.cli.call import Call
from app.cli.naming import find_convoy
from app.cli.steering import go_on_line, steered, stop_sessions, tell_of
from app.ports import Fact

if TYPE_CHECKING:
    from app.wiring import Workshop

__all__ = ["approve_convoy", "cancel_open", "pause_or_resume", "steer", "tell"]


def approve_convoy(call: Call, name: str | None) -> None:
    """`brat convoy approve`."""
    workshop, convoy, wrote = steer(call, name, lambda convoy, by: approve_plan(convoy, by=by))
    count = counted(len(convoy.tasks), "task")
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


def steer(
    call: Call, name: str | None, wish: Callable[[Convoy, str], tuple[Fact, ...]]
) -> tuple[Workshop, Convoy, bool]:
    """The convoy as it was when the wish was written, and whether there was anything to write."""
    return steered(call, lambda board: find_convoy(board, name), lambda _, convoy, by: wish(convoy, by))


def tell(call: Call, convoy: Convoy, said: str, *, then: str, wrote: bool) -> None:
    """What was done, and what comes next."""
    about = {"convoy": {"convoy_id": convoy.id, "slug": convoy.slug}}
    tell_of(call, about, said, then=then, wrote=wrote)
