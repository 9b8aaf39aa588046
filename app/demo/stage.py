"""How the demo speaks: headings, a line or two of explanation, and real commands with their output."""

from __future__ import annotations

import shlex
import subprocess
import sys
import textwrap
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.box import ASCII
from rich.console import Console
from rich.markdown import Markdown
from rich.panel import Panel
from rich.text import Text

from app.demo.proof import Point

__all__ = ["Stage"]

WIDTH = 80


@dataclass(slots=True)
class Stage:
    """Everything goes to standard output, in order with what the commands print."""

    console: Console = field(default_factory=lambda: Console(highlight=False, soft_wrap=True))
    _chapter: int = field(default=0, init=False)

    def heading(self, text: str) -> None:
        """A numbered chapter."""
        self._chapter += 1
        line = f"-- {self._chapter}. {text} "
        self.console.print()
        self.console.print(line.ljust(WIDTH - 1, "-"), style="bold", markup=False)

    def explain(self, text: str) -> None:
        """What is about to be seen, and why."""
        for line in textwrap.wrap(text, WIDTH - 2):
            self.console.print(line, markup=False)

    def show(self, text: str) -> None:
        """Lines as they are, indented."""
        for line in text.rstrip("\n").splitlines():
            parts = textwrap.wrap(line, WIDTH - 2, drop_whitespace=False) or [""]
            for part in parts:
                self.console.print(f"  {part}".rstrip(), markup=False)

    def page(self, title: str, markdown: str) -> None:
        """A comment as people read it on a code host, in a frame."""
        name = Text(f" {title} ", style="bold")
        frame = Panel(Markdown(markdown), title=name, title_align="left", width=WIDTH, box=ASCII)
        self.console.print()
        self.console.print(frame, soft_wrap=False)

    def brat(self, *arguments: str, cwd: Path, environ: dict[str, str]) -> int:
        """Run the `brat` command as a person would; its exit code."""
        command = [sys.executable, "-m", "app.cli", *arguments]
        return self._run(("brat", *arguments), command, cwd=cwd, environ=environ)

    def git(self, *arguments: str, cwd: Path, environ: dict[str, str]) -> int:
        """Run git as a person would; its exit code."""
        command = ["git", "--no-pager", *arguments]
        return self._run(("git", *arguments), command, cwd=cwd, environ=environ)

    def _run(
        self, shown: Sequence[str], command: Sequence[str], *, cwd: Path, environ: dict[str, str]
    ) -> int:
        """Show the command line, then its own output unchanged."""
        self.console.print()
        self.console.print(f"$ {shlex.join(shown)}", style="bold", markup=False)
        sys.stdout.flush()
        return subprocess.run(command, cwd=cwd, env=environ, check=False).returncode

    def verdict(self, found: Sequence[Point], *, what: str, began: float, then: str = "") -> int:
        """A line per point and what was seen of it; 0 when all of them hold. `began` by `time.monotonic`."""
        self._points(found)
        self.console.print()
        missing = [point.what for point in found if not point.held]
        if missing:
            self.explain(f"{what} FAILED: {'; '.join(missing)}.")
            return 1
        self.explain(f"All of it happened, in {time.monotonic() - began:.0f} s. {then}")
        return 0

    def _points(self, found: Sequence[Point]) -> None:
        for point in found:
            self.console.print(f"  {'yes' if point.held else 'NO '}  {point.what}", markup=False)
            if point.seen:
                self.console.print(f"         {point.seen}", style="dim", markup=False)
