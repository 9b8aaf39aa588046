"""Sends deliveries as fast as they are answered, from one core: for servers that run on another."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

__all__ = ["Load", "send"]

_CONNECTIONS = 16


@dataclass(slots=True)
class Load:
    """What came of it; latencies in seconds."""

    seconds: float = 0.0
    refused: int = 0
    latencies: list[float] = field(default_factory=list)

    @property
    def p99(self) -> float:
        return sorted(self.latencies)[int(len(self.latencies) * 0.99)]


class _Connection(asyncio.Protocol):
    """One request after the other; an answer is whole when its length has come."""

    def __init__(self, requests: list[bytes], load: Load) -> None:
        self._requests, self._load = requests, load
        self._answer = b""
        self.done = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._next()

    def data_received(self, data: bytes) -> None:
        self._answer += data
        head, gap, body = self._answer.partition(b"\r\n\r\n")
        if not gap or len(body) < _length(head):
            return
        self._load.latencies.append(time.perf_counter() - self._sent)
        self._load.refused += not head.startswith((b"HTTP/1.1 202", b"HTTP/1.1 200"))
        self._answer = b""
        self._next()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.done.done():
            self.done.set_result(None)

    def _next(self) -> None:
        if not self._requests:
            self._transport.close()
            return
        request = self._requests.pop()
        self._sent = time.perf_counter()
        self._transport.write(request)


async def send(address: str, requests: Sequence[bytes]) -> Load:
    """All of them, each connection waiting for its answer."""
    place = urlsplit(address)
    assert place.hostname is not None
    assert place.port is not None
    load, left = Load(), list(reversed(requests))
    loop = asyncio.get_running_loop()
    begun = time.perf_counter()
    connections = [
        (await loop.create_connection(lambda: _Connection(left, load), place.hostname, place.port))[1]
        for _ in range(_CONNECTIONS)
    ]
    await asyncio.gather(*(each.done for each in connections))
    load.seconds = time.perf_counter() - begun
    return load


def _length(head: bytes) -> int:
    lower = head.lower()
    at = lower.find(b"content-length:")
    return int(lower[at + 15 :].split(b"\r\n", 1)[0]) if at >= 0 else 0
