"""Sandbox by bubblewrap: own namespaces, no network, the host read-only and only in small parts.

Flags: https://github.com/containers/bubblewrap/blob/v0.8.0/bwrap.xml
"""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import subprocess
from contextlib import suppress
from dataclasses import dataclass, field
from io import BufferedReader
from pathlib import Path

from app.errors import OperatorError
from app.runner.environment import base_environment
from app.runner.folder import Folder
from app.runner.isolation import Command, Io, Isolation, Places
from app.runner.mounts import View, synthetic_etc, system_arguments

__all__ = ["Bubblewrap", "Caged", "probe_bwrap"]

FENCE = (
    *("--unshare-all", "--unshare-user", "--disable-userns", "--uid", "1000", "--gid", "1000"),
    *("--cap-drop", "ALL", "--die-with-parent", "--new-session", "--hostname", "brat"),
)
RUNTIME = "/run/brat"
UBUNTU = "https://discourse.ubuntu.com/t/understanding-apparmor-user-namespace-restriction/58007"


def probe_bwrap() -> Isolation:
    """Try one sandbox. It is refused where the kernel or AppArmor forbids user namespaces."""
    found = shutil.which("bwrap")
    if not found:
        return Isolation("bwrap", False, "bubblewrap is not installed", "install the package bubblewrap")
    tried = subprocess.run(
        [found, *FENCE, "--ro-bind", "/", "/", "true"], capture_output=True, text=True, check=False
    )
    if tried.returncode == 0:
        return Isolation("bwrap", True)
    said = tried.stderr.strip().splitlines()
    return Isolation(
        "bwrap",
        False,
        f"bwrap cannot make a sandbox here: {said[-1] if said else f'exit code {tried.returncode}'}",
        f"allow user namespaces for bwrap (on Ubuntu 24.04 by an AppArmor profile: {UBUNTU})",
    )


@dataclass(slots=True)
class Bubblewrap:
    """The session's folder is the only writable part of the host, and of it only workspace and home."""

    folder: Folder
    stores: tuple[Path, ...]
    view: View
    relay_file: Path
    name: str = "bwrap"
    places: Places = field(init=False)

    def __post_init__(self) -> None:
        stores = tuple(f"{RUNTIME}/objects/{number}" for number in range(len(self.stores)))
        self.places = Places(
            workspace="/workspace",
            home="/home/agent",
            temp="/tmp",
            objects=stores,
            socket=f"{RUNTIME}/gateway.sock",
            relay=f"{RUNTIME}/relay.py",
        )
        synthetic_etc(self.folder.etc)

    def start(self, command: Command, io: Io) -> Caged:
        """Start the command in new namespaces. The thread that calls this must live as long as the child."""
        status, theirs = os.pipe()
        # The environment is inherited and not given as arguments, which every user of the host can read.
        environment = {**base_environment(self.places, self.view.path), **dict(command.env)}
        try:
            process = subprocess.Popen(
                [
                    shutil.which("bwrap") or "bwrap",
                    "--json-status-fd",
                    str(theirs),
                    *self._arguments(command),
                ],
                stdin=io.stdin,
                stdout=io.stdout,
                stderr=io.stderr,
                env=environment,
                pass_fds=(theirs,),
                start_new_session=True,
            )
        except FileNotFoundError:
            os.close(status)
            raise OperatorError("bubblewrap is not installed", remedy="install bubblewrap") from None
        finally:
            os.close(theirs)
        return Caged(process, os.fdopen(status, "rb"))

    def _arguments(self, command: Command) -> list[str]:
        network = ("--share-net",) if command.network else ()
        arguments = [*FENCE, *network, "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]
        arguments += system_arguments(self.view, self.folder.etc, network=command.network)
        for source, inside in zip(self.stores, self.places.objects, strict=True):
            arguments += ["--ro-bind", str(source), inside]
            if (source / "info" / "alternates").exists():
                arguments += ["--ro-bind", "/dev/null", f"{inside}/info/alternates"]
        arguments += ["--ro-bind", str(self.relay_file), f"{RUNTIME}/relay.py"]
        if command.gateway:
            arguments += ["--bind", str(self.folder.socket), self.places.socket]
        bind = "--bind" if command.writable else "--ro-bind"
        arguments += [bind, str(self.folder.workspace), self.places.workspace]
        arguments += ["--bind", str(self.folder.home), self.places.home]
        arguments += ["--remount-ro", "/", "--chdir", self.places.workspace]
        return [*arguments, "--", *command.argv]


class Caged:
    """A child of bwrap. Its PID namespace ends with it, so nothing that it started can outlive it."""

    def __init__(self, process: subprocess.Popen[bytes], status: BufferedReader) -> None:
        self.process = process
        self._status = status
        self._init = self._first_pid()
        self._handle: int | None = None
        if self._init is not None:
            with suppress(ProcessLookupError):
                self._handle = os.pidfd_open(self._init)

    def terminate(self) -> None:
        # bwrap itself does not pass signals on; its first process inside leads the session of all others
        # and, being an init, is not ended by SIGTERM.
        with suppress(ProcessLookupError, PermissionError):
            if self._init is not None and os.getsid(self._init) == self._init:
                os.killpg(self._init, signal.SIGTERM)

    def kill(self) -> None:
        if self._handle is not None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)
        self.process.kill()

    def settle(self) -> int:
        code = self.process.wait()
        if self._handle is not None:
            select.select([self._handle], [], [])
            os.close(self._handle)
            self._handle = None
        rest = self._status.read()
        self._status.close()
        if b"exit-code" not in rest and code == 1:
            raise OperatorError(
                "the sandbox could not be set up", remedy="run `brat doctor`, which tries one"
            )
        return code if code >= 0 else 128 - code

    def _first_pid(self) -> int | None:
        line = self._status.readline()
        return int(json.loads(line)["child-pid"]) if line.strip() else None
