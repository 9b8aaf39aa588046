"""A log in memory for the pure rooms: facts in, boards out, signed or not."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace

from app.board import Board, Look, fold, record
from app.config import Config
from app.grite import ActorId, Draft, Event, EventId
from app.mayor import PlanRules, Request, open_convoy, validate
from app.ports import Fact, Plan, PlannedTask, Seen, SessionStarted, Setting

ME = ActorId("11" * 16)
STRANGER = ActorId("22" * 16)
BASE = "a" * 40
RULES = PlanRules(engines=("shell", "codex"), allowed=("shell", "codex"))


class Book:
    """Events of one log with a clock that moves by one second per write."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.now = 1_700_000_000_000
        self._folded: tuple[int, Board] | None = None

    def board(self) -> Board:
        if self._folded is None or self._folded[0] != len(self.events):
            board = fold(self.events, trusted=lambda event: event.actor == ME, head=str(len(self.events)))
            self._folded = (len(self.events), board)
        return self._folded[1]

    def write(self, *facts: Fact, actor: ActorId = ME) -> Board:
        """Record facts as this actor would."""
        return self.draft(record(self.board(), facts, now=self.now + 1000), actor=actor)

    def draft(self, drafts: Iterable[Draft], *, actor: ActorId = ME) -> Board:
        """Append drafts."""
        self.now += 1000
        for offset, draft in enumerate(drafts):
            name = hashlib.sha256(f"{len(self.events)}".encode()).hexdigest()
            ts = self.now + offset
            self.events.append(Event(EventId(name), draft.issue, actor, ts, None, draft.kind))
        return self.board()

    def open(self, *tasks: PlannedTask, approval: str = "auto", **request: object) -> Board:
        """A convoy with this plan, landing on its base."""
        asked = replace(
            Request(
                goal="Use JWT",
                base="main",
                base_commit=BASE,
                strategy="rebase",
                approval=approval,
                planner="checklist",
                by="ada",
                seed=str(len(self.events)),
            ),
            **request,  # type: ignore[arg-type]
        )
        plan = validate(Plan("Use JWT", tasks or (PlannedTask("one", "Do one thing"),)), RULES)
        return self.write(*open_convoy(self.board(), asked, plan, now=self.now))

    def look(self, seen: Seen | None = None, *, config: Config | None = None, **setting: object) -> Look:
        """A look at the board as it is now."""
        here = replace(Setting(me=ME, repository="/mirror", now=self.now), **setting)  # type: ignore[arg-type]
        return Look(self.board(), seen or Seen(), config or Config(), here)


def only(facts: Iterable[Fact], kind: type[Fact]) -> Fact:
    """The one fact of this kind."""
    (found,) = (each for each in facts if isinstance(each, kind))
    return found


def started(facts: Iterable[Fact]) -> list[SessionStarted]:
    """The sessions that begin."""
    return [each for each in facts if isinstance(each, SessionStarted)]
