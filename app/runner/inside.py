"""Our own short commands inside the sandbox: git, and reading a file that the agent may have replaced."""

from __future__ import annotations

import shlex
import time
from dataclasses import replace
from typing import IO

from app.runner.environment import git_environment
from app.runner.isolation import Command, Io, Sandbox
from app.runner.watch import Bounds, Ran, run
from app.values import dataclass

__all__ = ["Inside"]

# For one of our own commands; git on a large tree takes seconds, a hostile repository may take for ever.
STEP_S = 300.0
TRUSTED = (
    *("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "core.untrackedCache=false"),
    *(
        "-c",
        "commit.gpgSign=false",
        "-c",
        "gc.auto=0",
        "-c",
        "maintenance.auto=false",
        "-c",
        "core.pager=cat",
    ),
    *("-c", "core.quotePath=false", "-c", "submodule.recurse=false", "-c", "core.editor=true"),
    *("-c", "rerere.enabled=false", "-c", "core.attributesFile=/dev/null", "-c", "advice.detachedHead=false"),
)
_GIT = f'git() {{ command git {shlex.join(TRUSTED)} "$@"; }}\n'


@dataclass(frozen=True, slots=True)
class Inside:
    """Runs commands with trusted settings, without network. What hostile settings start, starts inside."""

    sandbox: Sandbox
    seconds: float = STEP_S
    bounds: Bounds | None = None

    def within(self, bounds: Bounds) -> Inside:
        """The same, ended at the session's deadline and when it is asked to stop, if that comes first."""
        return replace(self, bounds=bounds)

    def git(self, *arguments: str, stdout: IO[bytes] | None = None) -> Ran:
        """With `stdout`, output goes into that open file: no name that the agent could point elsewhere."""
        io = Io() if stdout is None else Io(stdout=stdout.fileno())
        return self._run(("git", *TRUSTED, *arguments), io)

    def script(self, text: str, *arguments: str) -> Ran:
        """Lines for `sh` in one start of the sandbox; each `git` in them is run as by the method `git`."""
        return self._run(("sh", "-c", f"{_GIT}{text}", "sh", *arguments), Io())

    def read(self, path: str, limit: int = 4 * 1024 * 1024) -> bytes:
        """The beginning of a file as seen inside; empty when there is none."""
        return self._run(("head", "-c", str(limit), "--", path), Io()).stdout

    def _run(self, argv: tuple[str, ...], io: Io) -> Ran:
        command = Command(argv, git_environment(self.sandbox.places))
        deadline = time.monotonic() + self.seconds
        if self.bounds is None:
            return run(self.sandbox, command, Bounds(deadline), io=io)
        own = Bounds(min(deadline, self.bounds.deadline), stop=self.bounds.stop)
        return run(self.sandbox, command, own, io=io)
