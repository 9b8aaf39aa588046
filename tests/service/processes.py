"""Processes of the service, whose lines are waited for."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.service.scene import PATIENCE_S

__all__ = ["BRAT", "KEY", "Process", "brat_environ", "loop_process"]

BRAT = (sys.executable, "-m", "app.cli")
ROOT = Path(__file__).parents[2]
KEY = "-----BEGIN PRIVATE KEY-----\\nc2VjcmV0\\n-----END PRIVATE KEY-----"


def brat_environ(data_dir: Path, **more: str) -> dict[str, str]:
    """All that a service needs, and nothing of the machine's own settings."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(data_dir),
        "PYTHONPATH": str(ROOT),
        "BRAT_GITHUB_APP_ID": "17",
        "BRAT_GITHUB_PRIVATE_KEY": KEY,
        "BRAT_GITHUB_WEBHOOK_SECRET": "kept secret",
        "BRAT_PUBLIC_URL": "https://brat.example.org",
        "BRAT_DATA_DIR": str(data_dir / "data"),
        "BRAT_PORT": "0",
        **more,
    }


class Process:
    """A child whose two outputs are read as they come."""

    def __init__(self, command: Sequence[str], environ: Mapping[str, str], folder: Path) -> None:
        self._changed = threading.Condition()
        self.lines: list[str] = []
        self.child = subprocess.Popen(
            command, env=environ, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self.child.stdout is not None
        for line in self.child.stdout:
            with self._changed:
                self.lines.append(line.rstrip("\n"))
                self._changed.notify_all()

    def wait_for(self, text: str, *, times: int = 1) -> str:
        """The line with this text in it."""

        def found() -> list[str]:
            return [line for line in self.lines if text in line]

        self._until(lambda: len(found()) >= times, text)
        return found()[times - 1]

    def address(self) -> str:
        """Where the web process says that it listens."""
        told = json.loads(self.wait_for("listens on"))
        return str(told["message"]).removeprefix("listens on ")

    def logged(self) -> list[dict[str, Any]]:
        """Every line that is a record."""
        return [json.loads(line) for line in self.lines if line.startswith("{")]

    def signal(self, which: signal.Signals) -> None:
        self.child.send_signal(which)

    def ended(self) -> int:
        """Its exit code, once it has ended and all is read."""
        code = self.child.wait(PATIENCE_S)
        self._reader.join(PATIENCE_S)
        return code

    def close(self) -> None:
        """Whatever it does now."""
        if self.child.poll() is None:
            self.child.kill()
        self.ended()
        assert self.child.stdout is not None
        self.child.stdout.close()

    def _until(self, what: Callable[[], bool], name: str) -> None:
        with self._changed:
            assert self._changed.wait_for(what, PATIENCE_S), f"no {name!r} in:\n" + "\n".join(self.lines)


def loop_process() -> tuple[str, ...]:
    """A worker process over a loop that prints what it does; see `tests.service.loop`."""
    return (sys.executable, "-m", "tests.service.loop")
