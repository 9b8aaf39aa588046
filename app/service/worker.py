"""`brat worker`: passes, sweeps and timers. Any number of them share one redis."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import field
from typing import Any

from app.errors import OperatorError
from app.service.control import Control, Repository
from app.service.metrics import Metrics
from app.service.passes import Passes
from app.service.queue import Queue, Wake
from app.service.roll import Roll
from app.service.stopping import on_signals
from app.service.timers import Timers
from app.service.wire import Wire
from app.settings import ServiceSettings
from app.values import dataclass

__all__ = ["AtOnce", "Working", "work"]

_PAUSE_S = 1.0

log = logging.getLogger("brat.worker")


@dataclass(frozen=True, slots=True)
class AtOnce:
    """How many passes at the same time; threads for as many that take too long."""

    passes: int = 4

    @property
    def threads(self) -> int:
        return 4 * self.passes


def work(
    settings: ServiceSettings,
    open_control: Callable[[ServiceSettings], Control],
    *,
    at_once: AtOnce = AtOnce(),
) -> None:
    """Until a signal comes; passes that run are finished. Raises what `open_control` raises."""
    if settings.redis_url is None:
        raise OperatorError("BRAT_REDIS_URL is not set", place="brat worker", remedy="set it, or use brat up")
    asyncio.run(
        _until_signal(Working(settings, settings.redis_url.get_secret_value(), at_once), open_control)
    )


async def _until_signal(working: Working, open_control: Callable[[ServiceSettings], Control]) -> None:
    on_signals(working.stopping.set)
    await working.run(open_control)


@dataclass(slots=True)
class Working:
    """One worker. `stopping` may be set at any time: what runs is finished, nothing new is begun."""

    settings: ServiceSettings
    url: str
    at_once: AtOnce
    name: str = field(default_factory=lambda: f"{socket.gethostname()}:{os.getpid()}")
    stopping: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self, open_control: Callable[[ServiceSettings], Control]) -> None:
        """Timers beside the queue; both outlive a redis that goes and comes."""
        control = await asyncio.to_thread(open_control, self.settings)
        queue, metrics = Queue(Wire(self.url)), Metrics()
        threads = ThreadPoolExecutor(self.at_once.threads, thread_name_prefix="pass")
        passes = Passes(queue, control, metrics, threads)
        roll = Roll(queue)
        control.listen(_waker(queue))
        timers = Timers(queue, roll, metrics, self.settings, self.name)
        beating = asyncio.create_task(timers.run())
        log.info("works", extra={"worker": self.name})
        try:
            while not self.stopping.is_set():
                await self._take_jobs(passes)
        finally:
            await _cancelled(beating)
            await self._last_words(passes, roll)
            await asyncio.to_thread(control.close)
            threads.shutdown(wait=False)
        log.info("ended", extra={"worker": self.name})

    async def _last_words(self, passes: Passes, roll: Roll) -> None:
        """What runs is finished: its lease is given back, so nobody has to wait for it to run out."""
        if passes.running:
            await asyncio.wait(set(passes.running))
        try:
            await roll.leave(self.name)
        except OperatorError as error:
            log.warning("%s", error.reason)
        await passes.queue.wire.aclose()

    async def _take_jobs(self, passes: Passes) -> None:
        """One life of arq's worker: it ends with the stop, or when redis goes away."""
        from app.service.jobs import AWAY, arq_worker

        worker = arq_worker(passes, self.url, at_once=self.at_once.passes)
        running = asyncio.create_task(worker.async_run())
        stopped = asyncio.create_task(self.stopping.wait())
        await asyncio.wait({running, stopped}, return_when=asyncio.FIRST_COMPLETED)
        worker.allow_pick_jobs = False
        failed = running.exception() if running.done() and not running.cancelled() else None
        if failed is None and worker.tasks:
            await asyncio.wait(set(worker.tasks.values()))
        for each in (running, *worker.tasks.values()):
            await _cancelled(each)
        # Not `worker.close()`: it calls what this redis client has renamed, and handles signals.
        await worker.pool.aclose(close_connection_pool=True)
        if isinstance(failed, AWAY):
            log.warning("redis does not answer (%s); tries again", type(failed).__name__)
            await asyncio.wait({stopped}, timeout=_PAUSE_S)
        await _cancelled(stopped)
        if failed is not None and not isinstance(failed, AWAY):
            raise failed


def _waker(queue: Queue) -> Callable[[Repository], None]:
    """For threads: a wake-up that redis did not take is left to the next look."""
    loop = asyncio.get_running_loop()

    async def wake(repository: Repository) -> None:
        try:
            await queue.wake([Wake(repository, "session")])
        except OperatorError as error:
            log.warning("%s", error.reason)

    def called(repository: Repository) -> None:
        if not loop.is_closed():
            asyncio.run_coroutine_threadsafe(wake(repository), loop)

    return called


async def _cancelled(task: asyncio.Task[Any]) -> None:
    """Ended, however it took that: a redis client that just reconnects may swallow the first."""
    while not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=_PAUSE_S)
