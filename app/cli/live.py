"""The run as it goes: a table that is redrawn on a terminal, a line per change elsewhere."""

from __future__ import annotations

import shutil
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from app.board import Convoy
from app.cli.call import Call
from app.cli.plan_view import plan_lines, plan_of
from app.cli.progress import Row, changes, convoy_line, landing_line, rows
from app.cli.times import duration, elapsed
from app.control import Pass
from app.ports import Clock

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

__all__ = ["View"]

_STYLE = {
    "merged": "green",
    "blocked": "red",
    "held": "yellow",
    "approval": "yellow",
    "dropped": "dim",
    "queued": "dim",
}


class View:
    """Shown each look. `chosen` are the issues of the convoys to show; empty: all that are open."""

    def __init__(self, call: Call, clock: Clock, *, live: bool) -> None:
        self._call = call
        self._clock = clock
        self._began = clock()
        self._known: dict[str, Row] = {}
        self._said: set[str] = set()
        self._unplanned: set[str] = set()
        self._live: Live | None = self._screen() if live and not call.quiet and not call.json else None
        self._columns = shutil.get_terminal_size((100, 24)).columns
        self.chosen: tuple[str, ...] = ()

    def _screen(self) -> Live:
        from rich.live import Live

        return Live(console=self._call.console, auto_refresh=False, transient=True)

    def open(self) -> AbstractContextManager[object]:
        """Around the run: the terminal is given back as it was."""
        return self._live if self._live is not None else nullcontext()

    def show(self, done: Pass) -> None:
        """One look. Cheap when nothing changed."""
        convoys = self._convoys(done)
        now = rows(done, convoys)
        for convoy in convoys:
            self._tell_plan(convoy, done)
        for line in changes(self._known, now):
            if self._live is None:
                self.say(line.text)
        self._known.update((row.key, row) for row in now)
        for refusal in done.refusals:
            text = f"{refusal.action} was refused: {refusal.reason}"
            self.once(text + (f" -> {refusal.remedy}" if refusal.remedy else ""))
        if self._live is not None:
            self._live.update(self._drawing(now, convoys), refresh=True)

    def _tell_plan(self, convoy: Convoy, done: Pass) -> None:
        """A plan that an engine wrote, when it is recorded."""
        if convoy.plan is None:
            self._unplanned.add(convoy.issue)
        elif convoy.issue in self._unplanned:
            self._unplanned.discard(convoy.issue)
            self.say("the plan:")
            for line in plan_lines(plan_of(convoy), done.config, columns=min(self._columns, 120)):
                self._print(line)

    def once(self, text: str) -> None:
        """A line that is said at its first time only."""
        if text not in self._said:
            self._said.add(text)
            self.say(text)

    def say(self, text: str) -> None:
        """A line with the time since the start before it."""
        self._print(f"{elapsed(self._clock() - self._began)}  {text}")

    def _print(self, line: str) -> None:
        if self._live is not None:
            self._live.console.print(line, markup=False)
        else:
            self._call.say(line)

    def _convoys(self, done: Pass) -> tuple[Convoy, ...]:
        if not self.chosen:
            return done.board.open_convoys
        return tuple(each for each in done.board.convoys if each.issue in self.chosen)

    def _drawing(self, now: tuple[Row, ...], convoys: tuple[Convoy, ...]) -> RenderableType:
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        clock = self._clock()
        table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim", expand=True)
        for name, right, ratio in (
            ("#", True, None),
            ("task", False, 3),
            ("state", False, None),
            ("engine", False, None),
            ("time", True, None),
            ("last line", False, 4),
        ):
            justify = "right" if right else "left"
            table.add_column(name, justify=justify, ratio=ratio, no_wrap=True, overflow="ellipsis")  # type: ignore[arg-type]
        for row in now:
            style = _STYLE.get(row.state, "")
            since = duration(clock - row.since_ts)
            cells = (row.name, row.title, row.state, row.engine, since, row.says)
            table.add_row(*(Text(cell, style=style if i == 2 else "") for i, cell in enumerate(cells)))
        lines = [Text(convoy_line(each, now=clock), style="bold") for each in convoys]
        landing = landing_line(convoys)
        return Group(table, *lines, *([Text(landing)] if landing else []))
