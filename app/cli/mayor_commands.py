"""`brat mayor`: from a request to a plan, from a plan to landed work."""

from __future__ import annotations

from dataclasses import field
from typing import Annotated

import typer

from app.cli.call import call_of
from app.cli.options import taking
from app.values import dataclass

__all__ = ["PlanOptions", "StartOptions", "group"]

group = typer.Typer(no_args_is_help=True)

Text = Annotated[str | None, typer.Option("--task", help="What shall be done, in your words.")]
File = Annotated[str | None, typer.Option("--task-file", help="The request in a file; - is standard input.")]
PlanFile = Annotated[str | None, typer.Option("--plan", help="An edited plan (YAML or JSON) to run.")]
Workflow = Annotated[str | None, typer.Option("--workflow", help="A template of .brat/workflows.")]
Inputs = Annotated[list[str], typer.Option("--input", help="name=value for the template; again for more.")]
Base = Annotated[str | None, typer.Option("--base", help="The branch to work from and land on.")]
PlannerName = Annotated[str | None, typer.Option("--planner", help="auto, engine or checklist.")]
Engine = Annotated[
    str | None,
    typer.Option("--engine", help="Writes the plan; of a checklist, does the tasks that name none."),
]
Remote = Annotated[str | None, typer.Option("--remote", help="Push base, branches and log there.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Answer every question with yes.")]


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """What shall be planned, and how it is printed."""

    task: Text = None
    task_file: File = None
    plan: PlanFile = None
    workflow: Workflow = None
    input: Inputs = field(default_factory=list)
    base: Base = None
    planner: PlannerName = None
    engine: Engine = None
    yaml: Annotated[bool, typer.Option("--yaml", help="Print the plan to edit and hand back.")] = False

    @property
    def source(self) -> tuple[str | None, str | None, str | None, str | None]:
        """Where the request comes from; one of them is given."""
        return self.task, self.task_file, self.plan, self.workflow


@dataclass(frozen=True, slots=True)
class StartOptions:
    """What shall be done, and how the run goes."""

    task: Text = None
    task_file: File = None
    plan: PlanFile = None
    workflow: Workflow = None
    input: Inputs = field(default_factory=list)
    headless: Annotated[bool, typer.Option("--headless", help="Ask nothing; the exit code tells.")] = False
    base: Base = None
    strategy: Annotated[str | None, typer.Option("--strategy", help="rebase, squash or merge.")] = None
    planner: PlannerName = None
    engine: Engine = None
    remote: Remote = None
    approve: Annotated[
        bool | None,
        typer.Option("--approve/--require-approval", help="Approve by policy, or wait for a person."),
    ] = None
    slug: Annotated[str | None, typer.Option("--slug", help="The convoy's name in branches.")] = None
    yes: Yes = False

    @property
    def source(self) -> tuple[str | None, str | None, str | None, str | None]:
        """Where the request comes from; one of them is given."""
        return self.task, self.task_file, self.plan, self.workflow


@group.command("start")
@taking(StartOptions)
def start(context: typer.Context, options: StartOptions) -> None:
    """Plan a change, have agents work on it, land what was tested."""
    from app.cli.convoys import start_convoy

    raise typer.Exit(start_convoy(call_of(context), options))


@group.command("plan")
@taking(PlanOptions)
def plan(context: typer.Context, options: PlanOptions) -> None:
    """Print the plan (table and graph, --json, --yaml) and record nothing."""
    from app.cli.planning import print_plan

    raise typer.Exit(print_plan(call_of(context), options))


@group.command("resume")
def resume(
    context: typer.Context,
    convoy: Annotated[str | None, typer.Argument(help="Slug or id; without it all that are open.")] = None,
    headless: Annotated[bool, typer.Option("--headless", help="Ask nothing; the exit code tells.")] = False,
    remote: Remote = None,
    yes: Yes = False,
) -> None:
    """Carry on with what is open: after Ctrl-C, a crash, or an answer that was waited for."""
    from app.cli.convoys import resume_convoys

    ask = not headless and not yes
    raise typer.Exit(resume_convoys(call_of(context), convoy, remote=remote, ask=ask))


@group.command("status")
def status(context: typer.Context) -> None:
    """What the Mayor waits for: plans that are written, and plans that want approval."""
    from app.cli.planning import print_mayor_status

    raise typer.Exit(print_mayor_status(call_of(context)))
