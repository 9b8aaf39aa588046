"""What an engine adapter is: from a call to an invocation, from output to a report. Both pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Protocol

from app.ports import EngineCall, EngineSetup, Limits, Usage
from app.values import dataclass

__all__ = ["Context", "Engine", "EngineReport", "Heard", "Invocation"]


@dataclass(frozen=True, slots=True)
class Context:
    """Where the engine runs. `endpoint` is the gateway as seen inside, `token` what it takes for a key."""

    workspace: str
    home: str
    limits: Limits
    session: str
    read_only: bool = False
    endpoint: str = ""
    token: str = ""
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Invocation:
    """`argv` without the executable. `files` (path in the home, text) come before, `reads` are read after."""

    argv: tuple[str, ...]
    env: tuple[tuple[str, str], ...] = ()
    stdin: str = ""
    files: tuple[tuple[str, str], ...] = ()
    reads: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Heard:
    """What an ended engine left: its streams, and the home files it was asked for."""

    stdout: str
    stderr: str
    exit_code: int
    files: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EngineReport:
    """What the engine says of itself; whether it did anything is told by the diff. `error` is one line."""

    ok: bool
    answer: str = ""
    error: str = ""
    usage: Usage = field(default_factory=Usage)
    session_id: str | None = None


class Engine(Protocol):
    """One engine command line. `executable` is looked for when the operator names no command."""

    @property
    def executable(self) -> str: ...

    @property
    def install(self) -> str:
        """How to get it, as a command or a place."""
        ...

    def upstream(self, call: EngineCall, setup: EngineSetup) -> str | None:
        """The endpoint that it talks to; None: it needs none."""
        ...

    def invocation(self, call: EngineCall, setup: EngineSetup, context: Context) -> Invocation: ...

    def report(self, heard: Heard) -> EngineReport: ...

    def human(self, line: str) -> str:
        """One line of output as people want to read it; empty: nothing worth showing."""
        ...
