"""What a sandbox is to the rest of the runner: places, commands, and children that end as a whole."""

from __future__ import annotations

import subprocess
from typing import Protocol

from app.values import dataclass

__all__ = ["Child", "Command", "Io", "Isolation", "Places", "Sandbox"]


@dataclass(frozen=True, slots=True)
class Places:
    """Where things are, as commands inside see them.

    `objects` are the borrowed object stores, `socket` the gateway's unix socket; no `relay` means that
    the host's loopback is visible inside.
    """

    workspace: str
    home: str
    temp: str
    objects: tuple[str, ...]
    socket: str
    relay: str | None


@dataclass(frozen=True, slots=True)
class Command:
    """What to run inside. `env` comes on top of the scrubbed environment; `network` is the host's own."""

    argv: tuple[str, ...]
    env: tuple[tuple[str, str], ...] = ()
    writable: bool = True
    network: bool = False
    gateway: bool = False


@dataclass(frozen=True, slots=True)
class Io:
    """File descriptors for the child's standard streams, or `subprocess.PIPE` and its like."""

    stdin: int = subprocess.DEVNULL
    stdout: int = subprocess.PIPE
    stderr: int = subprocess.PIPE


class Child(Protocol):
    """A running command with all that it started."""

    @property
    def process(self) -> subprocess.Popen[bytes]: ...

    def terminate(self) -> None:
        """Ask the command to end, from inside, as SIGTERM does."""
        ...

    def kill(self) -> None:
        """End everything at once."""
        ...

    def settle(self) -> int:
        """After the process ended: wait until all is gone. Answers the exit code, 128+n for signal n.

        Raises `OperatorError` when the sandbox could not be set up.
        """
        ...


class Sandbox(Protocol):
    """One session's place to run commands in."""

    @property
    def name(self) -> str: ...

    @property
    def places(self) -> Places: ...

    def start(self, command: Command, io: Io) -> Child: ...


@dataclass(frozen=True, slots=True)
class Isolation:
    """What the start-up check found: which isolation is on, and why it does not work if it does not."""

    name: str
    works: bool
    reason: str = ""
    remedy: str = ""
