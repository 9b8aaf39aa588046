"""Shows."""

from __future__ import annotations

import typer

group = typer.Typer()


@group.callback()
def _all() -> None:
    """None yet."""
