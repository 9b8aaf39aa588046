"""`brat log`: what happened, from the log itself; and whose decisions count here."""

from __future__ import annotations

from typing import Annotated

import typer

from app.cli.call import call_of
from app.cli.options import taking
from app.values import dataclass

__all__ = ["LogOptions", "log"]


@dataclass(frozen=True, slots=True)
class LogOptions:
    """What is shown of the log, or whose key is pinned."""

    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on with what comes; Ctrl-C ends.")] = (
        False
    )
    raw: Annotated[bool, typer.Option("--raw", help="Every event as it stands in refs/grite/wal.")] = False
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Also by what processes agree who does what.")
    ] = False
    task: Annotated[str | None, typer.Option("--task", "-t", help="Only of this task.")] = None
    convoy: Annotated[str | None, typer.Option("--convoy", "-c", help="Only of this convoy.")] = None
    pin: Annotated[
        str | None,
        typer.Option("--pin", metavar="ACTOR", help="Let this actor's decisions count in this clone."),
    ] = None
    fingerprint: Annotated[
        str | None, typer.Option("--fingerprint", help="With --pin: the key's, as its owner told it.")
    ] = None


@taking(LogOptions)
def log(context: typer.Context, options: LogOptions) -> None:
    """The timeline: time, who signed, subject, what happened. `?` marks what does not count here."""
    from app.cli.log_view import show_log
    from app.cli.pinning import pin_actor

    call = call_of(context)
    if options.pin is not None:
        pin_actor(call, call.workshop(), options.pin, confirmed=options.fingerprint)
    else:
        show_log(call, options)
