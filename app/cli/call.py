"""One call of the command: where, how to print, and the way to the repository."""

from __future__ import annotations

import json
import os
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from app.wiring import Surroundings, Workshop

__all__ = ["SCHEMA_VERSION", "Call", "call_of"]

SCHEMA_VERSION = 1
"""Of every JSON answer; it grows when a key changes its meaning or goes away."""

_NO_CONTROL = dict.fromkeys(map(ord, "\a\b\v\f\r"))


@dataclass(slots=True)
class Call:
    """What the global options say. `surroundings` is replaced by tests, never by options."""

    repo: Path = field(default_factory=Path.cwd)
    json: bool = False
    quiet: bool = False
    surroundings: Surroundings | None = None

    def workshop(self, *, base: str | None = None, needs_branch: bool = False) -> Workshop:
        """The repository of this call; `needs_branch` where a new convoy may be opened.

        Raises UserError or OperatorError with the remedy.
        """
        from app.wiring import Surroundings, open_workshop

        around = self.surroundings or Surroundings(os.environ, Path.home())
        return open_workshop(self.repo, around, base=base, needs_branch=needs_branch)

    @property
    def console(self) -> Console:
        """Where words go: standard output, without colour where NO_COLOR is set or nobody looks."""
        from rich.console import Console

        return Console(highlight=False, emoji=False, soft_wrap=not sys.stdout.isatty())

    @property
    def plain(self) -> bool:
        """Whether words go to a file or a pipe, and nobody asked for colours there as Rich lets one ask."""
        return not (sys.stdout.isatty() or os.environ.get("FORCE_COLOR") or os.environ.get("TTY_COMPATIBLE"))

    @property
    def columns(self) -> int:
        """How wide a line may be."""
        return shutil.get_terminal_size((80, 25)).columns if self.plain else self.console.width

    def line(self, text: str, *, style: str = "") -> None:
        """A line as it is: no markup. Rich, which is a tenth of a second to take in, where it has a use."""
        if self.plain:
            print(text.translate(_NO_CONTROL).expandtabs())
            return
        from rich.text import Text

        self.console.print(Text(text, style=style))

    @property
    def terminal(self) -> bool:
        """Whether a person sits at both ends and can be asked."""
        return sys.stdin.isatty() and sys.stdout.isatty() and not self.json

    def answer(self, value: dict[str, Any]) -> None:
        """One JSON document on standard output."""
        print(json.dumps({"schema_version": SCHEMA_VERSION, **value}, indent=2, ensure_ascii=False))

    def say(self, text: str) -> None:
        """A line for a person; silent with `--quiet` and where JSON is the answer."""
        if not self.quiet and not self.json:
            self.line(text)


def call_of(context: typer.Context) -> Call:
    """The call that the global options made."""
    call = context.find_root().obj
    assert isinstance(call, Call)
    return call
