"""What happens without being asked: heartbeats, sweeps, and polling where no webhook can come."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass

from app.errors import OperatorError
from app.service.metrics import Metrics
from app.service.queue import Queue, Wake
from app.service.roll import HEARTBEAT_S, Roll, alive_file
from app.settings import ServiceSettings

__all__ = ["POLL_MS", "TICK_S", "Timers"]

TICK_S = 1.0
POLL_MS = 15_000
"""How often each repository is asked without a public address."""

log = logging.getLogger("brat.worker")


@dataclass(slots=True)
class Timers:
    """A turn is a key in redis, so of many workers one sweeps; after a flush the turn is free at once."""

    queue: Queue
    roll: Roll
    metrics: Metrics
    settings: ServiceSettings
    worker: str

    async def run(self) -> None:
        """For ever. The first sweep is now: nobody knows what was missed while no worker ran."""
        started, beats = False, 0
        alive = alive_file(self.settings.data_dir)
        alive.parent.mkdir(parents=True, exist_ok=True)
        while True:
            if beats % int(HEARTBEAT_S / TICK_S) == 0:
                alive.touch()
            try:
                if not started:
                    await self.queue.wake([Wake(None, "start")])
                    started = True
                if beats % int(HEARTBEAT_S / TICK_S) == 0:
                    await self.roll.sign(self.worker, self.metrics.text())
                await self.tick()
            except OperatorError as error:
                log.warning("%s", error.reason)
            beats += 1
            await asyncio.sleep(TICK_S)

    async def tick(self) -> None:
        """Sweep and poll where it is time for it and nobody else has."""
        if await self.queue.take_turn("sweep", self.settings.sweep_interval_ms):
            await self.queue.wake([Wake(None, "timer")])
        if self.settings.polling and await self.queue.take_turn("poll", POLL_MS):
            await self.queue.wake([Wake(each, "poll") for each in await self.queue.known()])
