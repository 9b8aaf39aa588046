"""`brat workflow`: plans kept in files, with inputs filled in at each run."""

from __future__ import annotations

from dataclasses import field
from typing import Annotated

import typer

from app.cli.call import call_of
from app.cli.options import taking
from app.values import dataclass

__all__ = ["RunOptions", "group"]

group = typer.Typer(no_args_is_help=True)

Name = Annotated[str, typer.Argument(metavar="WORKFLOW", help="The template's name, as in .brat/workflows.")]


@dataclass(frozen=True, slots=True)
class RunOptions:
    """A template, its inputs, and how the run goes."""

    name: Name
    input: Annotated[list[str], typer.Option("--input", help="name=value; again for more.")] = field(
        default_factory=list
    )
    headless: Annotated[bool, typer.Option("--headless", help="Ask nothing; the exit code tells.")] = False
    base: Annotated[str | None, typer.Option("--base", help="The branch to work from and land on.")] = None
    remote: Annotated[str | None, typer.Option("--remote", help="Push base, branches and log there.")] = None
    slug: Annotated[str | None, typer.Option("--slug", help="The convoy's name in branches.")] = None
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Answer every question with yes.")] = False


@group.command("list")
def list_(context: typer.Context) -> None:
    """The templates on the base branch and in the working tree."""
    from app.cli.workflow_views import list_workflows

    list_workflows(call_of(context))


@group.command("show")
def show(context: typer.Context, workflow: Name) -> None:
    """One template: its inputs and its steps."""
    from app.cli.workflow_views import show_workflow

    show_workflow(call_of(context), workflow)


@group.command("run")
@taking(RunOptions)
def run(context: typer.Context, options: RunOptions) -> None:
    """The same as `brat mayor start --workflow NAME`."""
    from app.cli.convoys import start_convoy
    from app.cli.mayor_commands import StartOptions

    start = StartOptions(
        workflow=options.name,
        input=options.input,
        headless=options.headless,
        base=options.base,
        remote=options.remote,
        slug=options.slug,
        yes=options.yes,
    )
    raise typer.Exit(start_convoy(call_of(context), start))
