"""What was answered and is not said yet: one reply and one reaction for all commands of a comment."""

from __future__ import annotations

from collections.abc import Mapping

from app.board import Convoy, Ledger, Look, Session, may_speak, talk_of
from app.desk.asking import DAY_MS
from app.desk.places import spot_of
from app.desk.showing import view_of
from app.ports import Answered, HubSeen, Verdict
from app.texts import (
    Command,
    Place,
    help_reply,
    joined_replies,
    logs_reply,
    nothing_here_reply,
    parse,
    status_reply,
)
from app.values import dataclass

__all__ = ["Conversation", "conversations", "reply_text"]

TOO_LATE_MS = 14 * DAY_MS
"""An answer that could not be given for so long is not given any more."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """All answers to one comment (or the one to a label), in the order of its commands."""

    key: str
    answers: tuple[Answered, ...]
    wants_reply: bool = True
    wants_reaction: bool = False

    @property
    def last(self) -> Answered:
        return self.answers[-1]

    @property
    def comment(self) -> int:
        return int(self.key.removeprefix("comment:"))

    @property
    def reply_key(self) -> str:
        return f"reply:{self.key}"

    @property
    def reaction(self) -> str:
        return "rocket" if all(each.accepted for each in self.answers) else "confused"


def conversations(ledger: Ledger, *, now: int) -> tuple[Conversation, ...]:
    """Those of which something is not said yet. A comment is answered when its last command is."""
    parts: dict[str, list[Answered]] = {}
    for answered in ledger.unsaid_since(now - TOO_LATE_MS + 1):
        parts.setdefault(talk_of(answered.key), []).append(answered)
    found = []
    for key, answers in parts.items():
        answers.sort(key=_order)
        reply = ledger.ref(f"reply:{key}") is None and any(_speaks(each) for each in answers)
        react = key.startswith("comment:") and any(each.text for each in answers)
        react = react and ledger.ref(f"react:{key}") is None
        if reply or react:
            found.append(Conversation(key, tuple(answers), reply, react))
    return tuple(found)


def _order(answered: Answered) -> float:
    """`comment:7:0`, `comment:7:1`, and last `comment:7`."""
    index = answered.key.split(":")[2:]
    return float(index[0]) if index else float("inf")


def _speaks(answered: Answered) -> bool:
    return bool(answered.reply) or _shown(answered) is not None


def _shown(answered: Answered) -> Command | None:
    """The command, where its answer is made when it is said."""
    read = parse(answered.text) if may_speak(answered) else ()
    return read[0] if read and isinstance(read[0], Command) else None


def reply_text(look: Look, hub: HubSeen, talk: Conversation, *, verdicts: Mapping[str, Verdict]) -> str:
    """What is said, in the order of the commands; empty: a reaction is enough."""
    said = (each.reply or _show(look, hub, each, verdicts=verdicts) for each in talk.answers)
    return joined_replies(text for text in said if text)


def _show(look: Look, hub: HubSeen, answered: Answered, *, verdicts: Mapping[str, Verdict]) -> str:
    """What a command shows, as things are when it is said."""
    command = _shown(answered)
    if command is None:
        return ""
    spot = spot_of(look.board, answered.number, on_pull=answered.number in hub.pulls)
    convoy = spot.convoy
    view = view_of(look, hub, convoy, verdicts=verdicts) if convoy is not None else None
    if command.name == "help":
        return help_reply(spot.place, view if spot.place is Place.ISSUE else None)
    if convoy is None or view is None:
        return nothing_here_reply(command, look.config.mayor.label, spot.place)
    if command.name == "logs":
        return _logs(convoy, command.numbers)
    opened = convoy.request is not None and convoy.request.trigger == answered.key
    return "" if opened else status_reply(view)


def _logs(convoy: Convoy, numbers: tuple[int, ...]) -> str:
    """The newest session that began: of the task, else of all. What it left is in the log, redacted."""
    tasks = [task for task in convoy.tasks if not numbers or task.number in numbers]
    begun = [(session.started_ts, session, task) for task in tasks for session in task.sessions]
    if not begun:
        return (
            logs_reply(tasks[0], session="", tail="", why="no session of it has begun yet")
            if tasks
            else _PLANLESS
        )
    _, session, task = max(begun, key=lambda each: each[0])
    return logs_reply(task, session=session.id, tail=_tail(session), why=_silent(session))


_PLANLESS = "There is no task yet, so there is nothing to show."


def _tail(session: Session) -> str:
    return session.ended.evidence if session.ended is not None else ""


def _silent(session: Session) -> str:
    return "it is still running" if session.open else "it ended well and left no output in the log"
