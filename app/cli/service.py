"""What the service's commands share: its environment, its logs, the App's creation."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import typer

from app.cli.call import call_of
from app.errors import OperatorError
from app.service import alive_file, log_to, run_setup
from app.settings import AppFile, Part, ServiceSettings, load_service, service_environment

__all__ = ["probe_worker", "service_settings", "set_up"]

_STALE_S = 60.0


def service_settings(context: typer.Context, part: Part) -> ServiceSettings:
    """The environment with `.env`, read and checked for `part`; from now on logs are JSON lines."""
    environ, home = _surroundings(context)
    settings = load_service(environ, home, part=part)
    log_to(secrets=settings.secrets)
    return settings


def set_up(context: typer.Context, *, org: str | None) -> AppFile:
    """GitHub's manifest flow. Raises OperatorError when it was stopped before the App was there."""
    environ, home = _surroundings(context)
    settings = load_service(environ, home, part="setup")
    app = run_setup(settings, org=org, tell=lambda text: print(text, file=sys.stderr))
    if app is None:
        raise OperatorError("stopped before the App was created", remedy="run it again when you want to")
    return app


def probe_worker(context: typer.Context) -> None:
    """Exit 0 when this machine's worker gave a sign of life in the last minute. Raises OperatorError."""
    environ, home = _surroundings(context)
    file = alive_file(load_service(environ, home, part="setup").data_dir)
    try:
        age = time.time() - file.stat().st_mtime
    except FileNotFoundError:
        age = float("inf")
    if age > _STALE_S:
        raise OperatorError("no sign of life from a worker here", place=str(file), remedy="brat worker")


def _surroundings(context: typer.Context) -> tuple[Mapping[str, str], Path]:
    around = call_of(context).surroundings
    environ = around.environ if around else os.environ
    return service_environment(environ, Path.cwd()), around.home if around else Path.home()
