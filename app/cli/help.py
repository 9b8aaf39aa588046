"""Lists of commands with the whole first sentence of each; typer's own list cuts it at the edge."""

from __future__ import annotations

from typing import Any

from typer.core import TyperGroup

__all__ = ["Group"]

_WHOLE = 1000
"""Characters; longer than any first sentence."""


class Group(TyperGroup):
    """A group that says of each of its commands all there is to say in one sentence, wrapped."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for command in self.commands.values():
            # A stated short help is printed as it is; one that is made from the long one is cut.
            command.short_help = command.get_short_help_str(_WHOLE)
