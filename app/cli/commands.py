"""The one list of commands: name, module, and the line of help. Each module is imported when it is called."""

from __future__ import annotations

import importlib

import typer

from app.cli import service_commands
from app.cli.help import Group

__all__ = ["GROUPS", "SINGLE", "register"]

SINGLE = ("init", "status", "log", "doctor")
"""Commands of one word: `app.cli.<name>_command` has a function of that name."""

GROUPS = {
    "mayor": "Plan and run: start, plan, resume, status.",
    "witness": "Run the Witness's part of the loop in the foreground.",
    "refinery": "Run the Refinery's part of the loop in the foreground.",
    "convoy": "Convoys: list, show, approve, answer, replan, strategy, priority, pause, resume, cancel.",
    "task": "Tasks: create, list, show, approve, retry, drop, split, hold, release, comment.",
    "session": "Sessions: list, show, tail, stop.",
    "policy": "Policy over pull requests on GitHub: explain, simulate.",
    "workflow": "Workflow templates: list, show, run.",
    "config": "Settings: check, show, schema, migrate.",
    "app": "The App on GitHub: create.",
}
"""Commands of two words: `app.cli.<name>_commands` has a Typer called `group`."""


def register(program: typer.Typer) -> None:
    """Hang every command into the tree."""
    for name in SINGLE:
        module = importlib.import_module(f"app.cli.{name}_command")
        program.command(name)(getattr(module, name))
    for name, command in service_commands.COMMANDS.items():
        program.command(name)(command)
    for name, help_text in GROUPS.items():
        module = importlib.import_module(f"app.cli.{name}_commands")
        program.add_typer(module.group, name=name, cls=Group, help=help_text, no_args_is_help=True)
