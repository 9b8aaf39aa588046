"""`brat serve`, `brat worker` and `brat up`: the service, in parts or as a whole."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["COMMANDS"]

Setup = Annotated[
    bool, typer.Option("--setup", help="First create the App: print the address of a page that does it.")
]


def serve(context: typer.Context, setup: Setup = False) -> None:
    """Run the web process: webhooks, health, metrics."""
    from app.cli.service import service_settings, set_up
    from app.service import serve

    if setup:
        set_up(context, org=None)
    serve(service_settings(context, "serve"))


def worker(
    context: typer.Context,
    probe: Annotated[
        bool, typer.Option("--probe", help="Only say whether this machine's worker is alive.")
    ] = False,
) -> None:
    """Run a worker: passes over repositories, sweeps, timers."""
    from app.cli.service import probe_worker, service_settings
    from app.service import work
    from app.wiring import open_control

    if probe:
        probe_worker(context)
        return
    work(service_settings(context, "worker"), open_control)


def up(context: typer.Context, setup: Setup = False) -> None:
    """Run everything on this machine: web process, worker, sessions, and redis where none is named."""
    from app.cli.service import service_settings, set_up
    from app.service import up

    if setup:
        set_up(context, org=None)
    up(service_settings(context, "up"))


COMMANDS = {"serve": serve, "worker": worker, "up": up}
"""The commands of one word in this module."""
