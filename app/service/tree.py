"""`brat up`: redis, web and worker as one tree of processes."""

from __future__ import annotations

import asyncio
import fcntl
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import field
from pathlib import Path

from app.errors import OperatorError
from app.service.private_redis import PrivateRedis, die_with_parent
from app.service.stopping import on_signals
from app.settings import ServiceSettings
from app.values import dataclass

__all__ = ["Commands", "up"]

_SOON_S = 5.0
_PAUSE_S = (0.2, 1.0, 5.0, 15.0)

log = logging.getLogger("brat.up")


def _command(name: str) -> tuple[str, ...]:
    return (sys.executable, "-m", "app.cli", name)


@dataclass(frozen=True, slots=True)
class Commands:
    """How the children are called; tests put others in."""

    serve: Sequence[str] = _command("serve")
    worker: Sequence[str] = _command("worker")


def up(settings: ServiceSettings, *, commands: Commands = Commands()) -> None:
    """Until a signal comes. Raises OperatorError when a second tree is started over the same data."""
    settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = settings.data_dir / "up.lock"
    descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        asyncio.run(_Tree(settings, commands).run())
    except BlockingIOError:
        raise OperatorError(
            "another brat up runs over this data",
            place=str(settings.data_dir),
            remedy="stop it, or give this one a BRAT_DATA_DIR of its own",
        ) from None
    finally:
        os.close(descriptor)


@dataclass(slots=True)
class _Tree:
    settings: ServiceSettings
    commands: Commands
    stopping: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self) -> None:
        """Children that end are started again; those of redis find it where it was."""
        on_signals(self.stopping.set)
        async with self._redis() as url:
            environ = {**self.settings.environ, "BRAT_REDIS_URL": url}
            log.info("starts the web process and a worker")
            await asyncio.gather(
                self._keep(self.commands.serve, environ), self._keep(self.commands.worker, environ)
            )
        log.info("ended")

    @asynccontextmanager
    async def _redis(self) -> AsyncIterator[str]:
        if self.settings.redis_url is not None:
            yield self.settings.redis_url.get_secret_value()
            return
        redis = PrivateRedis(self.settings.data_dir)
        async with AsyncExitStack() as stack:
            stack.push_async_callback(redis.stop)
            await redis.start()
            stack.callback(asyncio.create_task(redis.keep()).cancel)
            yield redis.url

    async def _keep(self, command: Sequence[str], environ: Mapping[str, str]) -> None:
        """Run it until we are stopped; one that ends at once is tried ever more seldom."""
        loop = asyncio.get_running_loop()
        stopped = asyncio.create_task(self.stopping.wait())
        quick = 0
        while not self.stopping.is_set():
            began = loop.time()
            child = await _spawn(command, environ)
            ended = asyncio.create_task(child.wait())
            await asyncio.wait({ended, stopped}, return_when=asyncio.FIRST_COMPLETED)
            if self.stopping.is_set():
                await _end(child)
                return
            quick = quick + 1 if loop.time() - began < _SOON_S else 0
            log.error("%s ended with %s; starts it again", Path(command[-1]).name, child.returncode)
            await asyncio.wait({stopped}, timeout=_PAUSE_S[min(quick, len(_PAUSE_S) - 1)])


async def _spawn(command: Sequence[str], environ: Mapping[str, str]) -> asyncio.subprocess.Process:
    """In a session of its own: a terminal's Ctrl-C is ours to pass on, once."""
    return await asyncio.create_subprocess_exec(
        *command,
        env=dict(environ),
        start_new_session=True,
        preexec_fn=lambda: die_with_parent(signal.SIGTERM),
    )


async def _end(child: asyncio.subprocess.Process) -> None:
    if child.returncode is None:
        child.terminate()
        await child.wait()
