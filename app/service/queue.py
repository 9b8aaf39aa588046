"""The set of dirty repositories, in redis. Everything in it may vanish: that costs time only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.json import encode

from app.ports import Clock, wall_clock
from app.service.control import Repository
from app.service.scripts import ACCEPT, BEGIN, END, RENEW
from app.service.wire import Wire, Word
from app.values import dataclass
from app.webhooks import Signal

__all__ = ["LEASE_MS", "QUEUE", "Queue", "Wake"]

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
        told: dict[str, Any] = {"t": None, "f": "sweep", "a": [self.because], "k": {}, "et": now}
        if self.repository is not None:
            where = (self.repository.repository, self.repository.installation)
            told |= {"f": "reconcile", "a": [where, self.because]}
        return encode(told)


class Queue:
    """Wake-ups, one for each repository and generation; also the inbox of deliveries.

    Every method raises OperatorError when redis does not answer.
    """

    def __init__(self, wire: Wire, *, app_id: int = 0, clock: Clock = wall_clock) -> None:
        self.wire = wire
        self._app_id = app_id
        self._clock = clock

    async def put(self, delivery: str, signals: tuple[Signal, ...]) -> bool:
        """Take a delivery with its wake-ups, or neither; False when it was taken before."""
        now = self._clock()
        wakes = [_wake_of(each, delivery) for each in signals]
        args = [word for each in wakes for word in _words(each, now, now)]
        key = f"brat:delivery:{self._app_id}:{delivery}"
        return bool(await self.wire.script(ACCEPT, [QUEUE, key], [_DELIVERY_MS, *args]))

    async def wake(self, wakes: Sequence[Wake], *, at: int | None = None) -> None:
        """Each of them once, at `at` or now; what waits for a later time is brought forward."""
        now = self._clock()
        args = [word for each in wakes for word in _words(each, now, now if at is None else at)]
        if args:
            await self.wire.script(ACCEPT, [QUEUE, ""], [0, *args])

    async def begin(self, wake: Wake, token: str) -> bool:
        """Raise the generation and take the lease. Where another holds it, False: a pass follows his."""
        now = self._clock()
        subject = wake.subject
        keys = [QUEUE, f"brat:generation:{subject}", *_keys(subject)]
        args = (token, LEASE_MS, 30 * _DAY_MS, *_words(wake, now, now + LEASE_MS))
        return bool(await self.wire.script(BEGIN, keys, args))

    async def renew(self, subject: str, token: str) -> bool:
        """Still mine. False when another has it, after it had run out."""
        return bool(await self.wire.script(RENEW, _keys(subject)[:1], [token, LEASE_MS]))

    async def end(self, wake: Wake, token: str, *, look_again: int | None) -> None:
        """Give the lease back; the next look is at `look_again`, or now if somebody asked meanwhile."""
        now = self._clock()
        subject, at, life, job = _words(wake, now, now if look_again is None else look_again)
        told = "" if look_again is None else at
        await self.wire.script(END, [QUEUE, *_keys(subject)], [token, now, subject, told, life, job])

    async def take_turn(self, name: str, length_ms: int) -> bool:
        """Whether this process is the one that does `name` this time; the turn ends after `length_ms`."""
        return await self.wire.run("SET", f"brat:turn:{name}", "1", "NX", "PX", length_ms) is not None

    async def waiting(self) -> int:
        """Wake-ups that are due or deferred."""
        return int(await self.wire.run("ZCARD", QUEUE))

    async def remember(self, known: Sequence[Repository]) -> None:
        """What the last sweep found, for polling."""
        told = [number for each in known for number in (each.repository, each.installation)]
        fill: list[tuple[Word, ...]] = [("HSET", "brat:known", *told)] if told else []
        await self.wire.run_all(("DEL", "brat:known"), *fill)

    async def known(self) -> tuple[Repository, ...]:
        """What the last sweep found."""
        words: list[bytes] = await self.wire.run("HGETALL", "brat:known")
        return tuple(
            Repository(int(each), int(whose)) for each, whose in zip(words[::2], words[1::2], strict=True)
        )


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
