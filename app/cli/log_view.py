"""The timeline on a screen, once or as it grows."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from app.board import Board, Trust, fold
from app.cli.call import Call
from app.cli.hub_words import BOOKKEEPING
from app.cli.naming import find_convoy, find_task
from app.cli.observing import fetch_hint
from app.cli.progress import one_line
from app.cli.tables import columns_of, indented, put
from app.cli.timeline import Entry, raw_json, subjects, timeline
from app.cli.times import stamp
from app.grite import Event, History

if TYPE_CHECKING:
    from app.cli.log_command import LogOptions
    from app.wiring import Workshop

__all__ = ["show_log"]

LOOK_EVERY_S = 0.3


def show_log(call: Call, options: LogOptions, *, pause: Callable[[float], None] | None = None) -> None:
    """`brat log`, oldest first."""
    workshop = call.workshop()
    wait = pause or _pause
    printer = _Printer(call, workshop, options)
    history = workshop.log().read()
    if call.json and not options.follow:
        call.answer({"head": history.head, "events": list(printer.documents(history))})
        return
    printer.show(history)
    if not history.events and not options.follow:
        call.say("The log is empty: nothing has happened here yet.")
        if hint := fetch_hint(workshop):
            call.say(f"-> if this repository is worked on elsewhere: {hint}")
    if not options.follow:
        printer.legend()
        return
    try:
        while True:
            wait(LOOK_EVERY_S)
            printer.show(workshop.log().read())
    except KeyboardInterrupt:
        return


class _Printer:
    """Prints each event once, however often it is handed the log."""

    def __init__(self, call: Call, workshop: Workshop, options: LogOptions) -> None:
        self._call, self._workshop, self._options = call, workshop, options
        self._shown: set[str] = set()
        self._day = ""
        self._doubtful = False

    def show(self, history: History) -> None:
        """What is new."""
        if len(history.events) == len(self._shown):
            return
        board, trusted = self._board(history)
        chosen = self._chosen(board)
        fresh = [each for each in history.events if each.id not in self._shown]
        self._shown.update(each.id for each in fresh)
        events = [each for each in fresh if chosen is None or each.issue in chosen]
        if self._call.json:
            for document in self._documents(events, board, trusted):
                print(json.dumps(document, ensure_ascii=False), flush=True)
            return
        lines = self._raw(events, trusted) if self._options.raw else self._told(events, board, trusted)
        for line in lines:
            put(self._call, line)

    def documents(self, history: History) -> Iterator[dict[str, object]]:
        """All of it for programs."""
        board, trusted = self._board(history)
        chosen = self._chosen(board)
        events = [each for each in history.events if chosen is None or each.issue in chosen]
        return self._documents(events, board, trusted)

    def legend(self) -> None:
        """What the mark means, if there was one."""
        if self._doubtful:
            put(self._call, "? does not count here: not signed, or by a key that is not pinned")

    def _board(self, history: History) -> tuple[Board, Trust]:
        trust, pinned = self._workshop.pins.trust(history)
        board = fold(history.events, trusted=trust, head=history.head)
        return board, trust if pinned else _nobody

    def _chosen(self, board: Board) -> frozenset[str] | None:
        options = self._options
        if options.task is not None:
            return frozenset({find_task(board, options.task, convoy=options.convoy).task.issue})
        if options.convoy is not None:
            convoy = find_convoy(board, options.convoy)
            return frozenset({convoy.issue, *(task.issue for task in convoy.tasks)})
        return None

    def _documents(
        self, events: Iterable[Event], board: Board, trusted: Trust
    ) -> Iterator[dict[str, object]]:
        if self._options.raw:
            return (raw_json(each, counted=trusted(each)) for each in events)
        return (each.to_json() for each in timeline(events, trusted, subjects(board)))

    def _raw(self, events: Iterable[Event], trusted: Trust) -> Iterator[str]:
        for event in events:
            mark = self._mark(counted=trusted(event))
            values = raw_json(event, counted=True)["values"]
            told = ", ".join(f"{name}={value}" for name, value in values.items())
            yield (
                f"{stamp(event.ts)}  {event.actor[:8]}{mark} {event.issue[:8]}  "
                f"{type(event.kind).__name__} {one_line(told)}"
            )

    def _told(self, events: Iterable[Event], board: Board, trusted: Trust) -> Iterator[str]:
        told = timeline(events, trusted, subjects(board))
        entries = [each for each in told if self._options.verbose or each.what not in BOOKKEEPING]
        wide = max((len(each.subject) for each in entries), default=0)
        for entry in entries:
            day = datetime.fromtimestamp(entry.event.ts / 1000, UTC).strftime("%Y-%m-%d")
            if day != self._day:
                self._day = day
                yield f"{day} (UTC)"
            yield from self._lines(entry, wide)

    def _lines(self, entry: Entry, wide: int) -> Iterator[str]:
        mark = self._mark(counted=entry.counted)
        time = stamp(entry.event.ts)[11:19]
        head = f"{time}  {entry.event.actor[:8]}{mark} {entry.subject:<{wide}}  "
        room = len(head) + len(entry.text)
        if sys.stdout.isatty():
            # Only a screen is narrow: in a file or a pipe an event is one line, so that it can be searched.
            room = max(columns_of(self._call), len(head) + 30)
        first, *rest = list(indented(entry.text, by=len(head), room=room)) or [head]
        yield head + first[len(head) :]
        yield from rest

    def _mark(self, *, counted: bool) -> str:
        self._doubtful = self._doubtful or not counted
        return " " if counted else "?"


def _nobody(event: Event) -> bool:
    """Where no key is pinned, all is shown and nothing counts."""
    return False


def _pause(seconds: float) -> None:
    threading.Event().wait(seconds)
