"""Shows."""

from __future__ import annotations

import typer


def log(context: typer.Context) -> None:
    """Not here."""
