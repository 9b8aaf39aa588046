"""`brat status`: what is open, what it waits for, who can help."""

from __future__ import annotations

from typing import Annotated

import typer

from app.cli.call import call_of

__all__ = ["status"]


def status(
    context: typer.Context,
    watch: Annotated[
        bool, typer.Option("--watch", "-w", help="Show it again whenever it changes; Ctrl-C ends.")
    ] = False,
    base: Annotated[
        str | None, typer.Option("--base", help="The branch whose settings count (a detached HEAD has none).")
    ] = None,
) -> None:
    """What is open, how far it is, what it waits for and which command helps."""
    from app.cli.status_screen import show_status, watch_status

    call = call_of(context)
    workshop = call.workshop(base=base)
    if watch:
        watch_status(call, workshop)
    else:
        show_status(call, workshop)
