"""`brat task`: look at tasks, add and approve them, and say what shall become of one."""

from __future__ import annotations

from dataclasses import field
from typing import Annotated

import typer

from app.cli.call import call_of
from app.cli.options import taking
from app.values import dataclass

__all__ = ["TaskOptions", "group"]

group = typer.Typer(no_args_is_help=True)

Name = Annotated[str, typer.Argument(metavar="TASK", help="Number, slug/number, short id or issue id.")]
InConvoy = Annotated[str | None, typer.Option("--convoy", "-c", help="The convoy, where it is not clear.")]
Reason = Annotated[str, typer.Option("--reason", help="Why; it is kept in the log.")]


@dataclass(frozen=True, slots=True)
class TaskOptions:
    """What a task is made of, beside its name."""

    name: Annotated[str, typer.Argument(metavar="NAME", help="The new task's title, or the proposal's id.")]
    convoy: InConvoy = None
    paths: Annotated[list[str], typer.Option("--paths", help="A glob it may write; again for more.")] = field(
        default_factory=list
    )
    run: Annotated[list[str], typer.Option("--run", help="A command that must exit 0; again for more.")] = (
        field(default_factory=list)
    )
    after: Annotated[list[str], typer.Option("--after", help="A task that must be merged before.")] = field(
        default_factory=list
    )
    engine: Annotated[str | None, typer.Option("--engine", help="Overrules the kind's engine.")] = None
    kind: Annotated[str, typer.Option("--kind", help="Kind of work: default, tests, docs, …")] = "default"
    instructions: Annotated[
        str | None, typer.Option("--instructions", help="What to do; - reads standard input.")
    ] = None
    title: Annotated[str | None, typer.Option("--title", help="Another title for a proposal.")] = None


@group.command("create")
@taking(TaskOptions)
def create(context: typer.Context, options: TaskOptions) -> None:
    """Add a task to the open convoy; with none open, open one for it (recorded, not run)."""
    from app.cli.task_making import create_task

    create_task(call_of(context), options)


@group.command("approve")
@taking(TaskOptions)
def approve(context: typer.Context, options: TaskOptions) -> None:
    """Make a task of what somebody else proposed, in that same issue."""
    from app.cli.task_making import approve_proposal

    approve_proposal(call_of(context), options)


@group.command("list")
def list_(
    context: typer.Context,
    convoy: InConvoy = None,
    everything: Annotated[bool, typer.Option("--all", "-a", help="Of closed convoys too.")] = False,
) -> None:
    """Tasks of the open convoys, with what each waits for."""
    from app.cli.task_views import list_tasks

    list_tasks(call_of(context), convoy, everything=everything)


@group.command("show")
def show(context: typer.Context, task: Name, convoy: InConvoy = None) -> None:
    """One task: what it is asked to do, its sessions, its landing, what it waits for."""
    from app.cli.task_views import show_task

    show_task(call_of(context), task, convoy)


@group.command("retry")
def retry(
    context: typer.Context,
    task: Name,
    engine: Annotated[str | None, typer.Option("--engine", help="Let another engine try.")] = None,
    convoy: InConvoy = None,
) -> None:
    """Give a blocked task a fresh set of attempts."""
    from app.cli.task_changes import retry_blocked

    retry_blocked(call_of(context), (task, convoy), engine=engine)


@group.command("drop")
def drop(context: typer.Context, task: Name, reason: Reason = "", convoy: InConvoy = None) -> None:
    """Go on without a task; what depends on it may start."""
    from app.cli.task_changes import drop_open

    drop_open(call_of(context), (task, convoy), reason=reason)


@group.command("split")
def split(context: typer.Context, task: Name, convoy: InConvoy = None) -> None:
    """Have the Mayor cut a task that has not landed into 2 to 4 smaller ones; the others go on."""
    from app.cli.task_changes import split_open

    split_open(call_of(context), (task, convoy))


@group.command("hold")
def hold(context: typer.Context, task: Name, reason: Reason = "", convoy: InConvoy = None) -> None:
    """Keep a task from starting, being published and landing."""
    from app.cli.task_changes import hold_open

    hold_open(call_of(context), (task, convoy), reason=reason)


@group.command("release")
def release(
    context: typer.Context,
    task: Name,
    head: Annotated[str | None, typer.Option("--head", help="The held commit that you have seen.")] = None,
    convoy: InConvoy = None,
) -> None:
    """End a hold; work that touches protected paths is released for exactly one head."""
    from app.cli.task_changes import release_held

    release_held(call_of(context), (task, convoy), head=head)


@group.command("comment")
def comment(
    context: typer.Context,
    task: Name,
    text: Annotated[str, typer.Argument(help="What to say; - reads standard input.")],
    convoy: InConvoy = None,
) -> None:
    """Say something about a task; agents of later sessions read it."""
    from app.cli.task_changes import comment_open

    comment_open(call_of(context), (task, convoy), text=text)
