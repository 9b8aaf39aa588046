"""The git binary, for fetch, push and the birth of a ref: no hooks, a scrubbed environment, no config."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from app.errors import Moved, OperatorError
from app.values import dataclass

__all__ = ["Git", "Pushed"]

_SECONDS = 120
_KEPT = ("GIT_SSH", "GIT_SSH_COMMAND", "GIT_ASKPASS", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM")
_SETTINGS = (
    "core.hooksPath=/dev/null",
    "core.fsync=committed,loose-object",
    "gc.auto=0",
    "maintenance.auto=false",
)
_RACES = (
    "stale info",
    "fetch first",
    "non-fast-forward",
    "cannot lock ref",
    "failed to update ref",
    "already exists",
    "incorrect old value",
)


@dataclass(frozen=True, slots=True)
class Pushed:
    """What the remote said about one ref: git's flag (`!` is refused) and its words."""

    flag: str
    ref: str
    reason: str

    @property
    def raced(self) -> bool:
        """Whether the ref was refused because somebody else moved it."""
        return self.flag == "!" and any(word in self.reason for word in _RACES)


class Git:
    """Commands in one repository. Failures are OperatorError, without the credentials of a url."""

    def __init__(self, git_dir: Path) -> None:
        self._git_dir = git_dir

    def create_ref(self, ref: str, target: str) -> None:
        """Makes a ref that must not exist. Raises Moved when it does."""
        done = self._run(["update-ref", "-m", "grite: first", ref, target, "0" * 40])
        if done.returncode != 0:
            raise Moved(_words(done.stderr), place=ref, remedy="read the log again")

    def fetch(self, remote: str, refspecs: Sequence[str]) -> None:
        """Fetches exactly these refs; nothing else of the repository changes."""
        flags = ["--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"]
        done = self._run(["fetch", *flags, "--prune", "--refmap=", "--", remote, *refspecs])
        if done.returncode != 0:
            raise _failed("fetch", remote, done.stderr)

    def push(
        self, remote: str, refspecs: Sequence[str], *, leases: Sequence[tuple[str, str | None]]
    ) -> list[Pushed]:
        """What the remote said to each ref; a lease is a ref and its value there (None: no such ref)."""
        guards = [f"--force-with-lease={ref}:{old or ''}" for ref, old in leases]
        done = self._run(["push", "--porcelain", "--no-verify", *guards, "--", remote, *refspecs])
        said = [_pushed(line) for line in done.stdout.splitlines() if line.count("\t") == 2]
        if done.returncode != 0 and not said:
            raise _failed("push", remote, done.stderr)
        return said

    def _run(self, arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
        settings = [part for setting in _SETTINGS for part in ("-c", setting)]
        command = ["git", f"--git-dir={self._git_dir}", *settings, *arguments]
        try:
            return subprocess.run(
                command,
                env=_environment(),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=_SECONDS,
                check=False,
            )
        except FileNotFoundError:
            raise OperatorError("git is not installed", remedy="install git 2.38 or newer") from None
        except subprocess.TimeoutExpired:
            raise OperatorError(
                f"git {arguments[0]} gave no answer in {_SECONDS} s", remedy="check the connection, try again"
            ) from None


def _environment() -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_") or key in _KEPT}
    who = {
        f"GIT_{role}_{part}": value
        for role in ("AUTHOR", "COMMITTER")
        for part, value in (("NAME", "grite"), ("EMAIL", "grit@local"))
    }
    return {**kept, **who, "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0"}


def _pushed(line: str) -> Pushed:
    flag, refs, reason = line.split("\t")
    return Pushed(flag or " ", refs.rpartition(":")[2], reason)


def _words(text: str) -> str:
    """The last lines of what git said, without user and password of a url."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return re.sub(r"//[^/@\s]+@", "//***@", " ".join(lines[-3:]))[:500] or "no reason given"


def _failed(what: str, remote: str, said: str) -> OperatorError:
    return OperatorError(
        f"{what} failed: {_words(said)}",
        place=_words(remote),
        remedy="check the remote's url, the network and the right to write",
    )
