"""The budget of one installation, shared by all that act for it: in one process, or through redis."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol, TypeVar

from app.errors import Later
from app.forge.github.ledger import Ask, Ledger, Pace, Priority, admit, blocked, given_back, settled
from app.forge.github.limits import limited_until
from app.ports import Clock

if TYPE_CHECKING:
    from redis import Redis

__all__ = ["Budget", "LocalShelf", "RedisShelf", "Shelf"]

T = TypeVar("T")
_KEPT_S = 3600
_PATIENCE_S = 3.0


class Shelf(Protocol):
    """Where ledgers lie; `change` reads, changes and writes one as if alone."""

    def change(self, key: str, turn: Callable[[Ledger], tuple[Ledger, T]]) -> T:
        """What the turn answers besides the new ledger."""
        ...


class LocalShelf:
    """Ledgers of this process."""

    def __init__(self) -> None:
        self._ledgers: dict[str, Ledger] = {}
        self._lock = threading.Lock()

    def change(self, key: str, turn: Callable[[Ledger], tuple[Ledger, T]]) -> T:
        """See `Shelf`."""
        with self._lock:
            self._ledgers[key], answer = turn(self._ledgers.get(key, Ledger()))
            return answer


class RedisShelf:
    """Ledgers of all processes. While redis is away each process counts alone: GitHub's own word holds."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._alone = LocalShelf()

    @classmethod
    def at(cls, url: str, *, patience_s: float = _PATIENCE_S) -> RedisShelf:
        """In the redis at this address; one that is silent for so long is away."""
        from redis import Redis

        return cls(Redis.from_url(url, socket_timeout=patience_s, socket_connect_timeout=patience_s))

    def change(self, key: str, turn: Callable[[Ledger], tuple[Ledger, T]]) -> T:
        """See `Shelf`."""
        from redis import RedisError

        name, answers = f"brat:budget:{key}", list[T]()

        def together(pipe: object) -> None:
            raw = pipe.get(name)  # type: ignore[attr-defined]
            after, answer = turn(_decoded(raw))
            answers[:] = [answer]
            pipe.multi()  # type: ignore[attr-defined]
            pipe.set(name, _encoded(after), ex=_KEPT_S)  # type: ignore[attr-defined]

        try:
            self._redis.transaction(together, name)
        except RedisError:
            return self._alone.change(key, turn)
        return answers[0]


class Budget:
    """What one installation may still ask. Never waits: raises Later with the time to come back."""

    def __init__(self, installation: int, clock: Clock, *, shelf: Shelf, pace: Pace | None = None) -> None:
        self._key = str(installation)
        self._clock = clock
        self._shelf = shelf
        self._pace = pace or Pace()
        self._struck = False

    def spend(self, *, mutations: int = 0, priority: Priority = Priority.STATUS) -> None:
        """Charges one read, or that many mutations."""
        now = self._clock()
        ask = Ask(5 * mutations or 1, mutations, priority)
        until = self._shelf.change(self._key, lambda ledger: admit(ledger, ask, now=now, pace=self._pace))
        if until:
            raise Later("the budget of this installation is used up for now", retry_at=until, place="GitHub")

    def give_back(self) -> None:
        """The read was free: nothing had changed."""
        now = self._clock()
        self._shelf.change(self._key, lambda ledger: (given_back(ledger, 1, now=now), None))

    def heed(self, status: int, headers: Mapping[str, str], message: str) -> None:
        """Raises Later, for all that share the budget, if the answer is a rate limit."""
        now = self._clock()
        if limited_until(status, headers, message, now=now) is None:
            if self._struck and status < 400:
                self._struck = False
                self._shelf.change(self._key, lambda ledger: (settled(ledger), None))
            return

        def strike(ledger: Ledger) -> tuple[Ledger, int]:
            until = limited_until(status, headers, message, now=now, strikes=ledger.strikes) or now
            return blocked(ledger, until), until

        self._struck = True
        until = self._shelf.change(self._key, strike)
        raise Later(f"GitHub asks to come back: {message}", retry_at=until, place="GitHub")


def _encoded(ledger: Ledger) -> str:
    return json.dumps([ledger.spent, ledger.free_ms, ledger.kept, ledger.blocked_ms, ledger.strikes])


def _decoded(raw: object) -> Ledger:
    if not isinstance(raw, bytes | str):
        return Ledger()
    try:
        spent, free, kept, blocked_ms, strikes = json.loads(raw)
        pairs = tuple((int(a), int(b)) for a, b in spent)
        return Ledger(pairs, free, tuple((int(a), int(b)) for a, b in kept), blocked_ms, strikes)
    except (ValueError, TypeError):
        return Ledger()
