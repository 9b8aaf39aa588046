"""The workers that are alive, as they say themselves in redis, each with its counts."""

from __future__ import annotations

import socket
from pathlib import Path

from app.ports import Clock, wall_clock
from app.service.queue import Queue
from app.values import dataclass

__all__ = ["HEARTBEAT_S", "Roll", "alive_file"]

HEARTBEAT_S = 5.0
_FRESH_MS = 20_000
_NAMES = "brat:workers"


def alive_file(data_dir: Path) -> Path:
    """Touched by this machine's worker while its loop turns, with or without redis; probes see its age."""
    return data_dir / "alive" / socket.gethostname()


@dataclass(frozen=True, slots=True)
class Roll:
    """Who works. Raises OperatorError when redis does not answer."""

    queue: Queue
    clock: Clock = wall_clock

    async def sign(self, worker: str, counts: str) -> None:
        """This worker is alive and has counted this."""
        now = self.clock()
        await self.queue.wire.run_all(
            ("ZADD", _NAMES, now, worker),
            ("ZREMRANGEBYSCORE", _NAMES, 0, now - 10 * _FRESH_MS),
            ("SET", f"brat:counts:{worker}", counts, "PX", 10 * _FRESH_MS),
        )

    async def leave(self, worker: str) -> None:
        """This worker ends by itself."""
        await self.queue.wire.run("ZREM", _NAMES, worker)

    async def alive(self) -> tuple[str, ...]:
        """Workers that were heard of in the last 20 s."""
        since = self.clock() - _FRESH_MS
        found: list[bytes] = await self.queue.wire.run("ZRANGEBYSCORE", _NAMES, since, "+inf")
        return tuple(name.decode() for name in found)

    async def counts(self) -> list[tuple[str, str]]:
        """What living workers counted, in Prometheus's text format."""
        names = await self.alive()
        if not names:
            return []
        texts: list[bytes | None] = await self.queue.wire.run(
            "MGET", *(f"brat:counts:{name}" for name in names)
        )
        return [(name, text.decode()) for name, text in zip(names, texts, strict=True) if text]
