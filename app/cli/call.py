"""One call of the command: where, how to print, and the way to the repository."""

from __future__ import annotations

import json
import os
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
    def terminal(self) -> bool:
        """Whether a person sits at both ends and can be asked."""
        return sys.stdin.isatty() and sys.stdout.isatty() and not self.json

    def answer(self, value: dict[str, Any]) -> None:
        """One JSON document on standard output."""
        print(json.dumps({"schema_version": SCHEMA_VERSION, **value}, indent=2, ensure_ascii=False))

    def say(self, text: str) -> None:
        """A line for a person; silent with `--quiet` and where JSON is the answer."""
        if not self.quiet and not self.json:
            self.console.print(text, markup=False)


def call_of(context: typer.Context) -> Call:
    """The call that the global options made."""
    call = context.find_root().obj
    assert isinstance(call, Call)
    return call
