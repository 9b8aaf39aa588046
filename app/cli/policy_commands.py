"""`brat policy`: why a pull request does not land yet, and what other settings would change."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from app.cli.call import call_of

__all__ = ["group"]

group = typer.Typer(no_args_is_help=True)

Asked = Annotated[
    str | None,
    typer.Argument(metavar="[PULL|TASK]", help="A pull request's number, or a task; else all open ones."),
]


@group.command("explain")
def explain(context: typer.Context, what: Asked = None) -> None:
    """Every rule of policy over a pull request on GitHub: what was seen, what is wanted, who can help."""
    from app.cli.policy_views import explain_policy

    explain_policy(call_of(context), what)


@group.command("simulate")
def simulate(
    context: typer.Context,
    config: Annotated[
        Path, typer.Option("--config", metavar="FILE", help="Settings to judge by, like .brat/config.toml.")
    ],
    what: Asked = None,
) -> None:
    """What would differ with other settings. Nothing is changed."""
    from app.cli.policy_views import simulate_policy

    simulate_policy(call_of(context), config, what)
