"""`brat session`: the runs of agents and checks: which there were, what they say, how one is ended."""

from __future__ import annotations

from typing import Annotated

import typer

from app.cli.call import call_of

__all__ = ["group"]

group = typer.Typer(no_args_is_help=True)

Name = Annotated[
    str, typer.Argument(metavar="SESSION", help="Its id, or a task: that task's newest session.")
]


@group.command("list")
def list_(
    context: typer.Context,
    task: Annotated[str | None, typer.Option("--task", "-t", help="Only of this task.")] = None,
    everything: Annotated[bool, typer.Option("--all", "-a", help="All that there ever were.")] = False,
) -> None:
    """Open sessions, then the last ones that ended."""
    from app.cli.session_views import list_sessions

    list_sessions(call_of(context), task, everything=everything)


@group.command("show")
def show(context: typer.Context, session: Name) -> None:
    """One session: what it was for, how it ended, what it used, where its output is."""
    from app.cli.session_views import show_session

    show_session(call_of(context), session)


@group.command("tail")
def tail(
    context: typer.Context,
    session: Name,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on until the session ends.")] = False,
    lines: Annotated[int, typer.Option("--lines", "-n", min=1, help="How many of the last lines.")] = 50,
) -> None:
    """The last lines of its output."""
    from app.cli.session_output import tail_session

    tail_session(call_of(context), session, follow=follow, lines=lines)


@group.command("stop")
def stop(context: typer.Context, session: Name) -> None:
    """Ask a session of this machine to end; the next pass records it and the task is tried again."""
    from app.cli.session_output import stop_session

    stop_session(call_of(context), session)
