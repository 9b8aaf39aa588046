"""A worker process for tests: prints each pass, and stays in it while the file `hold` is there."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

from app.service import Counted, Next, Repository, log_to, work
from app.settings import ServiceSettings, load_service

__all__ = ["PrintingControl"]


class PrintingControl:
    """`begins 42`, `ends 42`, `sweeps`; what a sweep finds is in the variable `FOUND`."""

    def __init__(self, settings: ServiceSettings) -> None:
        self._hold = settings.data_dir / "hold"
        self._found = [int(each) for each in settings.environ.get("FOUND", "").split(",") if each]

    def pass_over(self, repository: int, installation: int) -> Next:
        print(f"begins {repository}", flush=True)
        while self._hold.exists():
            threading.Event().wait(0.01)
        print(f"ends {repository}", flush=True)
        return Next()

    def sweep(self) -> tuple[Repository, ...]:
        print("sweeps", flush=True)
        return tuple(Repository(each, 3) for each in self._found)

    def listen(self, wake: Callable[[Repository], None]) -> None:
        """Nothing on this machine makes anything dirty."""

    def counted(self) -> tuple[Counted, ...]:
        """One action that was done, one request that nobody answered."""
        return (Counted("actions", ("MergePull", "done")), Counted("github_requests", ("cut",), 2))

    def close(self) -> None:
        """Nothing is kept open."""


if __name__ == "__main__":
    settings = load_service(os.environ, Path.home(), part="worker")
    log_to(secrets=settings.secrets)
    work(settings, PrintingControl)
