"""`brat config`: are the two settings files right, what do they come to, what can they say."""

from __future__ import annotations

from typing import Annotated

import typer

from app.cli.call import call_of

__all__ = ["group"]

group = typer.Typer(no_args_is_help=True)


@group.command("check")
def check(context: typer.Context) -> None:
    """Read the repository's and the operator's file; every problem with its place and remedy."""
    from app.cli.config_check import check_files

    raise typer.Exit(check_files(call_of(context)))


@group.command("show")
def show(context: typer.Context) -> None:
    """What a run goes by: each value, and where it comes from."""
    from app.cli.config_views import show_settings

    show_settings(call_of(context))


@group.command("schema")
def schema(
    context: typer.Context,
    operator: Annotated[
        bool, typer.Option("--operator", help="Of the operator's file instead of the repository's.")
    ] = False,
) -> None:
    """JSON Schema of a settings file, for editors."""
    from app.cli.config_views import print_schema

    print_schema(operator=operator)


@group.command("migrate")
def migrate(
    context: typer.Context,
    write: Annotated[
        bool, typer.Option("--write", help="Replace .brat/config.toml; the old one stays as .bak.")
    ] = False,
) -> None:
    """Rewrite a file of the Rust tool, keeping its comments; without --write it is only printed."""
    from app.cli.config_migrate import migrate_file

    migrate_file(call_of(context), write=write)
