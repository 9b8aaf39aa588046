"""No sandbox: a plain process with a scrubbed environment. Unsafe, and named so; it must be asked for."""

from __future__ import annotations

import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import field
from pathlib import Path

from app.runner.environment import base_environment
from app.runner.folder import Folder
from app.runner.isolation import Command, Io, Places
from app.runner.mounts import View
from app.values import dataclass

__all__ = ["PlainProcess", "Reaped"]


@dataclass(slots=True)
class PlainProcess:
    """The agent has the host's files, network and processes; it only ends with the session."""

    folder: Folder
    stores: tuple[Path, ...]
    view: View
    name: str = "process (unsafe)"
    places: Places = field(init=False)

    def __post_init__(self) -> None:
        self.places = Places(
            workspace=str(self.folder.workspace),
            home=str(self.folder.home),
            temp=str(self.folder.temp),
            objects=tuple(str(each) for each in self.stores),
            socket=str(self.folder.socket),
            relay=None,
        )

    def start(self, command: Command, io: Io) -> Reaped:
        """Start the command under a supervisor that takes in what it leaves behind."""
        reaper = Path(__file__).with_name("reaper.py")
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(reaper), *command.argv],
            stdin=io.stdin,
            stdout=io.stdout,
            stderr=io.stderr,
            env={**base_environment(self.places, self.view.path), **dict(command.env)},
            cwd=self.folder.workspace,
            start_new_session=True,
        )
        return Reaped(process)


@dataclass(frozen=True, slots=True)
class Reaped:
    """A child of the supervisor `reaper.py`: SIGTERM is passed on, SIGHUP ends all at once."""

    process: subprocess.Popen[bytes]

    def terminate(self) -> None:
        self._signal(signal.SIGTERM)

    def kill(self) -> None:
        self._signal(signal.SIGHUP)

    def settle(self) -> int:
        code = self.process.wait()
        return code if code >= 0 else 128 - code

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            self.process.send_signal(number)
