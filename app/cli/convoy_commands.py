"""`brat convoy`: look at convoys, say what becomes of their plans, pause, resume and cancel them."""

from __future__ import annotations

from typing import Annotated

import typer

from app.cli.call import call_of

__all__ = ["group"]

group = typer.Typer(no_args_is_help=True)

Name = Annotated[
    str | None, typer.Argument(metavar="[CONVOY]", help="Slug, short id or issue id; else the open one.")
]
Reason = Annotated[str, typer.Option("--reason", help="Why; it is kept in the log.")]

First = Annotated[
    str, typer.Argument(metavar="[CONVOY]", help="Slug, short id or issue id; else the open one.")
]
Text = Annotated[str, typer.Option("--text", help="Your words; they are kept in the log.")]


def _named(first: str, second: str | None) -> tuple[str | None, str]:
    """One word is what is wanted of the open convoy, two name the convoy before."""
    return (None, first) if second is None else (first, second)


@group.command("list")
def list_(
    context: typer.Context,
    everything: Annotated[
        bool, typer.Option("--all", "-a", help="The closed ones too, all of them.")
    ] = False,
) -> None:
    """Every open convoy in a line, then the last closed ones."""
    from app.cli.convoy_views import list_convoys

    list_convoys(call_of(context), everything=everything)


@group.command("show")
def show(context: typer.Context, convoy: Name = None) -> None:
    """One convoy: its goal, its plan, its tasks and what each waits for."""
    from app.cli.convoy_views import show_convoy

    show_convoy(call_of(context), convoy)


@group.command("approve")
def approve(context: typer.Context, convoy: Name = None) -> None:
    """Approve the recorded plan; its tasks start with the next pass of a running brat."""
    from app.cli.convoy_changes import approve_convoy

    approve_convoy(call_of(context), convoy)


@group.command("answer")
def answer(context: typer.Context, text: Text, convoy: Name = None) -> None:
    """Answer the Mayor's questions: into the next plan, or into the prompts of what is still open."""
    from app.cli.convoy_wishes import answer_open

    answer_open(call_of(context), convoy, text=text)


@group.command("replan")
def replan(context: typer.Context, text: Text, convoy: Name = None) -> None:
    """Have another plan written with these words in it; only while no task has begun."""
    from app.cli.convoy_wishes import replan_open

    replan_open(call_of(context), convoy, text=text)


@group.command("strategy")
def strategy(
    context: typer.Context,
    named: First,
    strategy: Annotated[
        str | None, typer.Argument(metavar="STRATEGY", help="rebase, squash or merge.")
    ] = None,
) -> None:
    """How its next landings are made: rebase, squash or merge."""
    from app.cli.convoy_wishes import set_strategy

    convoy, word = _named(named, strategy)
    set_strategy(call_of(context), convoy, strategy=word)


@group.command("priority")
def priority(
    context: typer.Context,
    named: First,
    level: Annotated[str | None, typer.Argument(metavar="LEVEL", help="low, normal, high or urgent.")] = None,
) -> None:
    """Who goes first when several convoys could: low, normal, high or urgent."""
    from app.cli.convoy_wishes import set_priority

    convoy, word = _named(named, level)
    set_priority(call_of(context), convoy, level=word)


@group.command("pause")
def pause(context: typer.Context, convoy: Name = None) -> None:
    """Start and land nothing new; sessions that run go on to their end."""
    from app.cli.convoy_changes import pause_or_resume

    pause_or_resume(call_of(context), convoy, paused=True)


@group.command("resume")
def resume(context: typer.Context, convoy: Name = None) -> None:
    """Let a paused convoy go on."""
    from app.cli.convoy_changes import pause_or_resume

    pause_or_resume(call_of(context), convoy, paused=False)


@group.command("cancel")
def cancel(context: typer.Context, convoy: Name = None, reason: Reason = "") -> None:
    """End a convoy: its sessions are stopped, what has landed stays."""
    from app.cli.convoy_changes import cancel_open

    cancel_open(call_of(context), convoy, reason=reason)
