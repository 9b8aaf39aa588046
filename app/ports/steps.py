"""Names for effects: each push, ref update, rename and file that the program relies on is one step."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

__all__ = ["Step", "unnumbered"]

Step = Callable[[str], AbstractContextManager[None]]
"""`with step("room.effect"):` around one effect. Crash tests number the calls and kill before or after."""


def unnumbered(name: str) -> AbstractContextManager[None]:
    """The production step: nothing happens."""
    return nullcontext()
