"""Connections to redis, as the web process and the worker want them."""

from __future__ import annotations

import json

from arq import ArqRedis
from redis.asyncio import BlockingConnectionPool, ConnectionPool, Redis

from app.service.queue import QUEUE, to_json

__all__ = ["arq_redis", "open_redis"]

_CONNECTIONS = 32
_TIMEOUT_S = 3.0
"""GitHub waits ten seconds for an answer; a redis that is away is said within them."""


def open_redis(url: str) -> Redis:
    """A client that waits for a free connection instead of opening hundreds of them."""
    pool = BlockingConnectionPool.from_url(
        url,
        max_connections=_CONNECTIONS,
        timeout=_TIMEOUT_S,
        socket_timeout=_TIMEOUT_S,
        socket_connect_timeout=_TIMEOUT_S,
    )
    return Redis.from_pool(pool)


def arq_redis(url: str) -> ArqRedis:
    """arq's own client of the same server."""
    pool = ConnectionPool.from_url(url, socket_timeout=_TIMEOUT_S, socket_connect_timeout=_TIMEOUT_S)
    return ArqRedis(pool, job_serializer=to_json, job_deserializer=_from_json, default_queue_name=QUEUE)


def _from_json(raw: bytes) -> dict[str, object]:
    found = json.loads(raw)
    assert isinstance(found, dict)
    return found
