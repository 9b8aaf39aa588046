"""`brat app`: the App on GitHub that this service is."""

from __future__ import annotations

from typing import Annotated

import typer

from app.cli.call import call_of

__all__ = ["group"]

group = typer.Typer(no_args_is_help=True)


@group.callback()
def _app() -> None:
    """Keep `create` a word of its own."""


@group.command("create")
def create(
    context: typer.Context,
    org: Annotated[
        str | None, typer.Option("--org", help="The organisation that owns the App, else you.")
    ] = None,
) -> None:
    """Create the App on GitHub in a browser, and store its credentials here."""
    from app.cli.service import set_up

    app = set_up(context, org=org)
    call = call_of(context)
    if call.json:
        call.answer({"app_id": app.app_id, "slug": app.slug, "html_url": app.html_url})
