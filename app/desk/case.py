"""One command and all that it is judged by, and what it comes to."""

from __future__ import annotations

from collections.abc import Callable

from app.board import Convoy, Look, Task
from app.desk.asking import Asked
from app.desk.opening import Starter
from app.desk.places import Spot
from app.errors import UserError
from app.ports import Fact, HubSeen
from app.texts import Command, Place
from app.values import dataclass

__all__ = ["Case", "NothingHere", "Outcome", "Over"]


class NothingHere(UserError):
    """The issue has no convoy."""


class Over(UserError):
    """The convoy has ended."""


@dataclass(frozen=True, slots=True)
class Case:
    """One command of somebody who may give it, and all that it is judged by."""

    look: Look
    hub: HubSeen
    spot: Spot
    command: Command
    asked: Asked
    start: Starter

    @property
    def by(self) -> str:
        return self.asked.by.login

    @property
    def convoy(self) -> Convoy:
        """The open convoy here. Raises UserError: there is none."""
        found = self.latest
        if found.status.final:
            again = "/brat plan" if self.spot.place is Place.ISSUE else "say /brat plan in the issue"
            raise Over(f"{found.slug} is over: {found.reason or found.status}", remedy=again)
        return found

    @property
    def latest(self) -> Convoy:
        """The convoy here, open or not. Raises UserError: there is none."""
        found = self.spot.convoy
        if found is None:
            raise NothingHere("there is no convoy here")
        if found.request is not None and self.asked.ts < found.request.ts:
            raise UserError(f"this was said before {found.slug} was asked for", remedy="say it again")
        return found

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The tasks that were named, all of them there. Raises UserError."""
        there = {task.number: task for task in self.latest.tasks}
        missing = [str(number) for number in self.command.numbers if number not in there]
        if missing:
            known = f"its tasks are {', '.join(map(str, there))}" if there else "it has none yet"
            raise UserError(f"there is no task {', '.join(missing)}: {known}", remedy="/brat status")
        return tuple(there[number] for number in self.command.numbers)

    def sensible(self, fits: Callable[[Task], bool], *, what: str) -> tuple[Task, ...]:
        """The named tasks; where none is named, all that it fits. Raises UserError when that is none."""
        if self.command.numbers:
            return self.tasks
        chosen = tuple(task for task in self.convoy.tasks if fits(task))
        if not chosen:
            raise UserError(f"no task of {self.convoy.slug} is {what}", remedy="/brat status")
        return chosen


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command comes to. `said` is told beside the usual; `wait`: something could not be read yet."""

    facts: tuple[Fact, ...] = ()
    reply: str = ""
    said: str = ""
    accepted: bool = True
    wait: str = ""
