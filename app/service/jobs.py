"""arq's part: it takes due jobs in the order of their times, each by one worker. Only workers import it."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Final, cast

from arq import ArqRedis, Worker, func
from arq.typing import WorkerCoroutine
from arq.worker import Function
from msgspec.json import encode
from redis.asyncio import ConnectionPool
from redis.exceptions import RedisError

from app.service.passes import PASS_S, Passes
from app.service.queue import QUEUE

__all__ = ["AWAY", "arq_worker"]

AWAY: Final = (RedisError, OSError)
"""What arq raises when redis does not answer."""

_POLL_S = 0.1
_TIMEOUT_S = 5.0
_TRIES = 5
"""A pass that kills its worker this often is left to the next sweep."""


def arq_worker(passes: Passes, url: str, *, at_once: int) -> Worker:
    """One that leaves signals alone and is closed by whoever made it."""
    pool = ConnectionPool.from_url(url, socket_timeout=_TIMEOUT_S, socket_connect_timeout=_TIMEOUT_S)
    redis = ArqRedis(pool, job_serializer=encode, job_deserializer=_from_json, default_queue_name=QUEUE)
    return Worker(
        functions=[_job("reconcile", passes.reconcile), _job("sweep", passes.sweep)],
        queue_name=QUEUE,
        redis_pool=redis,
        handle_signals=False,
        max_jobs=at_once,
        poll_delay=_POLL_S,
        keep_result=0,
        job_deserializer=_from_json,
    )


def _job(name: str, coroutine: Callable[..., Awaitable[None]]) -> Function:
    """A result that is kept would refuse the next job of its id."""
    # A killed worker's job stays locked for its timeout and 10 s; what is asked for meanwhile is not.
    return func(
        cast(WorkerCoroutine, coroutine), name=name, keep_result=0, timeout=PASS_S + 5, max_tries=_TRIES
    )


def _from_json(raw: bytes) -> dict[str, object]:
    found = json.loads(raw)
    assert isinstance(found, dict)
    return found
