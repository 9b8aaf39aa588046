"""What a person wants otherwise in a convoy: its plan, its landings, its turn."""

from __future__ import annotations

from collections.abc import Iterable

from app.board import answer_questions, begun, change_priority, change_strategy, replan
from app.cli.call import Call
from app.cli.convoy_changes import steer, tell
from app.cli.steering import go_on_line
from app.config import STRATEGIES, nearest
from app.errors import UserError
from app.texts import PRIORITIES

__all__ = ["answer_open", "replan_open", "set_priority", "set_strategy"]


def replan_open(call: Call, name: str | None, *, text: str) -> None:
    """`brat convoy replan`."""
    words = _words(text)
    workshop, convoy, wrote = steer(call, name, lambda convoy, by: replan(convoy, by=by, text=words))
    said = f"The plan of {convoy.slug} counts no more; another one is written with your words."
    tell(call, convoy, said, then=go_on_line(workshop), wrote=wrote)


def answer_open(call: Call, name: str | None, *, text: str) -> None:
    """`brat convoy answer`."""
    words = _words(text)
    workshop, convoy, wrote = steer(
        call, name, lambda convoy, by: answer_questions(convoy, by=by, text=words)
    )
    where = "the prompts of what is still open" if begun(convoy) else "the next plan"
    said = (
        f"Your answer goes into {where}." if wrote else f"Nothing of {convoy.slug} is open that could use it."
    )
    tell(call, convoy, said, then=go_on_line(workshop) if wrote else "", wrote=wrote)


def set_strategy(call: Call, name: str | None, *, strategy: str) -> None:
    """`brat convoy strategy`."""
    chosen = _one_of(strategy, STRATEGIES, what="strategy")
    _, convoy, wrote = steer(call, name, lambda convoy, by: change_strategy(convoy, by=by, strategy=chosen))
    said = f"{convoy.slug} lands by {chosen} " + ("from now on." if wrote else "already.")
    tell(call, convoy, said, then="", wrote=wrote)


def set_priority(call: Call, name: str | None, *, level: str) -> None:
    """`brat convoy priority`."""
    chosen = _one_of(level, PRIORITIES, what="priority")
    worth = PRIORITIES[chosen]
    _, convoy, wrote = steer(call, name, lambda convoy, by: change_priority(convoy, by=by, level=worth))
    said = f"{convoy.slug} has priority {chosen} " + ("from now on." if wrote else "already.")
    tell(call, convoy, said, then="", wrote=wrote)


def _words(text: str) -> str:
    if not text.strip():
        raise UserError("the text is empty", remedy='say it with --text "…"')
    return text.strip()


def _one_of(word: str, known: Iterable[str], *, what: str) -> str:
    names = tuple(known)
    chosen = word.strip().lower()
    if chosen in names:
        return chosen
    near = nearest(chosen, names)
    hint = f"; did you mean {near}?" if near else ""
    raise UserError(f"there is no {what} {word!r}{hint}", remedy=f"one of: {', '.join(names)}")
