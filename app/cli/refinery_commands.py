"""`brat refinery`: finished work is published, checked and landed."""

from __future__ import annotations

from typing import Annotated

import typer

from app.cli.call import call_of

__all__ = ["group"]

group = typer.Typer(no_args_is_help=True)


@group.callback()
def _refinery() -> None:
    """One command today; the name stays a group of commands."""


@group.command("run")
def run(
    context: typer.Context,
    once: Annotated[bool, typer.Option("--once", help="Work until nothing changes, then end.")] = False,
    remote: Annotated[str | None, typer.Option("--remote", help="Push base, branches and log there.")] = None,
) -> None:
    """Land what is finished, until all has ended or only a person helps."""
    from app.cli.roles import run_role

    raise typer.Exit(run_role(call_of(context), "refinery", once=once, remote=remote))
