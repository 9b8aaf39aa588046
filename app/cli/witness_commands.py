"""`brat witness`: sessions are started, watched, tried again and given up."""

from __future__ import annotations

from typing import Annotated

import typer

from app.cli.call import call_of

__all__ = ["group"]

group = typer.Typer(no_args_is_help=True)


@group.callback()
def _witness() -> None:
    """One command today; the name stays a group of commands."""


@group.command("run")
def run(
    context: typer.Context,
    once: Annotated[bool, typer.Option("--once", help="Work until nothing changes, then end.")] = False,
    poll_interval: Annotated[
        str, typer.Option("--poll-interval", help="Longest wait between two looks, such as 5s.")
    ] = "5s",
) -> None:
    """Work on what is open, until it has ended or only a person helps."""
    from app.cli.roles import run_role

    raise typer.Exit(run_role(call_of(context), "witness", once=once, poll_interval=poll_interval))
