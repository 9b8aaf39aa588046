"""The set of dirty repositories, in redis. Everything in it may vanish: that costs time only."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from arq.jobs import serialize_job
from redis.asyncio import Redis
from redis.exceptions import RedisError

from app.errors import OperatorError
from app.ports import Clock, wall_clock
from app.service.control import Repository
from app.service.scripts import ACCEPT, BEGIN, END, RENEW
from app.values import dataclass
from app.webhooks import Signal

__all__ = ["LEASE_MS", "QUEUE", "Queue", "Wake", "answering", "to_json"]

QUEUE = "brat:queue"
LEASE_MS = 9_000
"""A pass renews its lease three times in this; after a kill nobody waits longer for it."""

_DAY_MS = 86_400_000
_DELIVERY_MS = 4 * _DAY_MS
"""GitHub can redeliver for three days."""


@dataclass(frozen=True, slots=True)
class Wake:
    """Look at a repository, or sweep where there is none. `because` is for the logs."""

    repository: Repository | None
    because: str

    @property
    def subject(self) -> str:
        return f"repository-{self.repository.repository}" if self.repository else "sweep"

    def job(self, now: int) -> bytes:
        """What arq calls, as JSON: a pickle from a redis would be code from there."""
        if self.repository is None:
            return serialize_job("sweep", (self.because,), {}, None, now, serializer=to_json)
        where = (self.repository.repository, self.repository.installation)
        return serialize_job("reconcile", (where, self.because), {}, None, now, serializer=to_json)


class Queue:
    """Wake-ups, one for each repository and generation; also the inbox of deliveries.

    Every method raises OperatorError when redis does not answer.
    """

    def __init__(self, redis: Redis, *, app_id: int = 0, clock: Clock = wall_clock) -> None:
        self.redis = redis
        self._app_id = app_id
        self._clock = clock
        self._accept = redis.register_script(ACCEPT)
        self._begin = redis.register_script(BEGIN)
        self._renew = redis.register_script(RENEW)
        self._end = redis.register_script(END)

    async def put(self, delivery: str, signals: tuple[Signal, ...]) -> bool:
        """Take a delivery with its wake-ups, or neither; False when it was taken before."""
        now = self._clock()
        wakes = [_wake_of(each, delivery) for each in signals]
        args = [word for each in wakes for word in _words(each, now, now)]
        with answering():
            key = f"brat:delivery:{self._app_id}:{delivery}"
            return bool(await self._accept(keys=[QUEUE, key], args=[_DELIVERY_MS, *args]))

    async def wake(self, wakes: Sequence[Wake], *, at: int | None = None) -> None:
        """Each of them once, at `at` or now; what waits for a later time is brought forward."""
        now = self._clock()
        args = [word for each in wakes for word in _words(each, now, now if at is None else at)]
        if args:
            with answering():
                await self._accept(keys=[QUEUE, ""], args=[0, *args])

    async def begin(self, wake: Wake, token: str) -> bool:
        """Raise the generation and take the lease. Where another holds it, False: a pass follows his."""
        now = self._clock()
        subject = wake.subject
        keys = [QUEUE, f"brat:generation:{subject}", *_keys(subject)]
        args = (token, LEASE_MS, 30 * _DAY_MS, *_words(wake, now, now + LEASE_MS))
        with answering():
            return bool(await self._begin(keys=keys, args=args))

    async def renew(self, subject: str, token: str) -> bool:
        """Still mine. False when another has it, after it had run out."""
        with answering():
            return bool(await self._renew(keys=[_keys(subject)[0]], args=[token, LEASE_MS]))

    async def end(self, wake: Wake, token: str, *, look_again: int | None) -> None:
        """Give the lease back; the next look is at `look_again`, or now if somebody asked meanwhile."""
        now = self._clock()
        subject, at, life, job = _words(wake, now, now if look_again is None else look_again)
        told = "" if look_again is None else at
        with answering():
            await self._end(keys=[QUEUE, *_keys(subject)], args=[token, now, subject, told, life, job])

    async def take_turn(self, name: str, length_ms: int) -> bool:
        """Whether this process is the one that does `name` this time; the turn ends after `length_ms`."""
        with answering():
            return bool(await self.redis.set(f"brat:turn:{name}", b"1", nx=True, px=length_ms))

    async def waiting(self) -> int:
        """Wake-ups that are due or deferred."""
        with answering():
            return int(await self.redis.zcard(QUEUE))

    async def remember(self, known: Sequence[Repository]) -> None:
        """What the last sweep found, for polling."""
        told = {str(each.repository): str(each.installation) for each in known}
        with answering():
            async with self.redis.pipeline(transaction=True) as pipe:
                pipe.delete("brat:known")
                if told:
                    pipe.hset("brat:known", mapping=told)
                await pipe.execute()

    async def known(self) -> tuple[Repository, ...]:
        """What the last sweep found."""
        with answering():
            found: dict[bytes, bytes] = await self.redis.hgetall("brat:known")  # type: ignore[misc]
        return tuple(Repository(int(name), int(whose)) for name, whose in found.items())


def to_json(value: Any) -> bytes:
    """A job for the queue."""
    return json.dumps(value, separators=(",", ":")).encode()


@contextmanager
def answering() -> Iterator[None]:
    """Redis's failures as one of ours."""
    try:
        yield
    except (RedisError, OSError) as error:
        raise OperatorError(
            f"redis does not answer ({type(error).__name__})",
            place="BRAT_REDIS_URL",
            remedy="see that the server runs and can be reached; brat goes on by itself when it does",
        ) from error


def _wake_of(signal: Signal, delivery: str) -> Wake:
    """Where the delivery does not say whose token sees the repository, a sweep finds out."""
    because = f"{signal.kind}{f' {signal.number}' if signal.number else ''} ({delivery})"
    if signal.repository is None or signal.installation is None:
        return Wake(None, because)
    return Wake(Repository(signal.repository, signal.installation), because)


def _words(wake: Wake, now: int, at: int) -> tuple[str, int, int, bytes]:
    return wake.subject, at, max(at - now, 0) + _DAY_MS, wake.job(now)


def _keys(subject: str) -> list[str]:
    return [f"brat:lease:{subject}", f"brat:again:{subject}"]
