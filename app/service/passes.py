"""One pass under a lease: what arq calls."""

from __future__ import annotations

import asyncio
import contextvars
import logging
import secrets
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from app.errors import BratError, Later, OperatorError
from app.ports import Clock, wall_clock
from app.service.control import Control, Next, Repository
from app.service.logs import context
from app.service.metrics import Metrics
from app.service.queue import LEASE_MS, Queue, Wake

__all__ = ["PASS_S", "Passes"]

PASS_S = 30.0
"""A longer pass keeps its thread and its lease, but no other repository waits for it."""

_AGAIN_MS = (1_000, 5_000, 30_000, 120_000, 300_000)
"""When to look again after the first, second, … pass in a row that failed."""

log = logging.getLogger("brat.worker")


@dataclass(slots=True)
class Passes:
    """The jobs. `threads` run what blocks; `running` are passes that have not given their lease back."""

    queue: Queue
    control: Control
    metrics: Metrics
    threads: ThreadPoolExecutor
    running: set[asyncio.Task[None]] = field(default_factory=set)
    failures: dict[str, int] = field(default_factory=dict)
    clock: Clock = wall_clock

    async def reconcile(self, _: dict[str, Any], where: tuple[int, int], because: str) -> None:
        """One pass over one repository, given as its number and its installation's."""
        repository, installation = where
        wake = Wake(Repository(repository, installation), because)
        with context(repository=repository, because=because):
            await self._leased(wake, lambda: self.control.pass_over(repository, installation))

    async def sweep(self, _: dict[str, Any], because: str) -> None:
        """Look everywhere for what was missed, and wake what was found."""
        loop = asyncio.get_running_loop()

        def swept() -> Next:
            found = tuple(self.control.sweep())
            asyncio.run_coroutine_threadsafe(self._wake_all(found), loop).result(timeout=PASS_S)
            return Next()

        with context(because=because):
            await self._leased(Wake(None, because), swept)

    async def _wake_all(self, found: tuple[Repository, ...]) -> None:
        await self.queue.remember(found)
        await self.queue.wake([Wake(each, "sweep") for each in found])

    async def _leased(self, wake: Wake, work: Callable[[], Next]) -> None:
        """Until the work is done, or for `PASS_S`: then it goes on beside the queue."""
        token = secrets.token_hex(8)
        try:
            begun = await self.queue.begin(wake, token)
        except OperatorError as error:
            from arq import Retry

            raise Retry(defer=1) from error
        if not begun:
            return
        ending = asyncio.create_task(self._to_the_end(wake, token, work))
        self.running.add(ending)
        ending.add_done_callback(self.running.discard)
        await asyncio.wait({ending}, timeout=PASS_S)
        if not ending.done():
            self.metrics.passes.labels("overrun").inc()
            log.warning("a pass takes longer than %d s and goes on by itself", PASS_S)

    async def _to_the_end(self, wake: Wake, token: str, work: Callable[[], Next]) -> None:
        began = time.monotonic()
        run = contextvars.copy_context().run
        done = asyncio.get_running_loop().run_in_executor(self.threads, run, work)
        while not done.done():
            await asyncio.wait({done}, timeout=LEASE_MS / 3000)
            if not done.done():
                await self._quietly(self.queue.renew(wake.subject, token))
        look_again = self._after(wake, done)
        for each in self.control.counted():
            self.metrics.count(each)
        self.metrics.pass_seconds.observe(time.monotonic() - began)
        await self._quietly(self.queue.end(wake, token, look_again=look_again))

    async def _quietly(self, asked: Any) -> None:
        """Without redis the pass still ends well; the sweep after redis is back finds what is open."""
        try:
            await asked
        except OperatorError as error:
            log.warning("%s", error.reason)

    def _after(self, wake: Wake, done: asyncio.Future[Next]) -> int | None:
        """When to look again, in milliseconds since the epoch."""
        error = done.exception()
        if error is None:
            self.failures.pop(wake.subject, None)
            return self._succeeded(done.result())
        if isinstance(error, Later):
            self.metrics.passes.labels("later").inc()
            log.info("looks again later: %s", error.reason, extra={"retry_at": error.retry_at})
            return max(error.retry_at, self.clock())
        failed = self.failures[wake.subject] = self.failures.get(wake.subject, 0) + 1
        again = self.clock() + _AGAIN_MS[min(failed, len(_AGAIN_MS)) - 1]
        if isinstance(error, BratError):
            self.metrics.passes.labels("moved" if error.retryable else "failed").inc()
            log.log(logging.INFO if error.retryable else logging.ERROR, "%s", error)
        else:
            self.metrics.passes.labels("defect").inc()
            log.error("a defect of brat: %r", error, exc_info=error)
        return again

    def _succeeded(self, after: Next) -> int | None:
        self.metrics.passes.labels("changed" if after.changed else "unchanged").inc()
        return self.clock() if after.changed else after.look_again
