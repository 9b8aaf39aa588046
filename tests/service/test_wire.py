"""The connection to redis: answers in order, failures said, addresses understood."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import arq.constants
import pytest
import uvloop
from arq.jobs import deserialize_job_raw, serialize_job
from msgspec.json import encode
from redis.asyncio import ConnectionPool

from app.errors import OperatorError
from app.service import Repository, Wake, Wire
from app.service.redis_address import parse_address
from app.service.scripts import JOB_PREFIX, Script
from tests.service.conftest import Launch

T = TypeVar("T")
RUNS = [asyncio.run, uvloop.run]


def using(url: str, use: Callable[[Wire], Coroutine[Any, Any, T]], run: Callable[..., T] = asyncio.run) -> T:
    async def used() -> T:
        wire = Wire(url, timeout_s=2)
        try:
            return await use(wire)
        finally:
            await wire.aclose()

    return run(used())


@pytest.mark.parametrize("run", RUNS)
def test_many_tasks_share_a_connection_and_each_gets_its_own_answer(redis_url: str, run: Any) -> None:
    async def use(wire: Wire) -> list[bytes]:
        return list(await asyncio.gather(*(wire.run("ECHO", str(number)) for number in range(500))))

    assert using(redis_url, use, run) == [str(number).encode() for number in range(500)]


def test_answer_that_nobody_waits_for_any_more_is_given_to_nobody_else(redis_url: str) -> None:
    async def use(wire: Wire) -> bytes:
        await wire.run("PING")
        given_up = asyncio.ensure_future(wire.run("ECHO", "given up"))
        await asyncio.wait({given_up}, timeout=0)
        given_up.cancel()
        answer: bytes = await wire.run("ECHO", "mine")
        return answer

    assert using(redis_url, use) == b"mine"


def test_commands_that_belong_together_are_done_together(redis_url: str) -> None:
    async def use(wire: Wire) -> list[Any]:
        return await wire.run_all(("SET", "a", 1), ("INCR", "a"), ("GET", "a"))

    assert using(redis_url, use) == [b"OK", 2, b"2"]


def test_script_that_the_server_forgot_is_sent_again(redis_url: str) -> None:
    script = Script("return ARGV[1]")

    async def use(wire: Wire) -> list[bytes]:
        first = await wire.script(script, [], ["a"])
        await wire.run("SCRIPT", "FLUSH")
        return [first, await wire.script(script, [], ["b"])]

    assert using(redis_url, use) == [b"a", b"b"]


def test_refusal_of_one_command_is_an_error_and_the_next_goes_well(redis_url: str) -> None:
    async def use(wire: Wire) -> bytes:
        await wire.run("SET", "a", "x")
        with pytest.raises(OperatorError, match="WRONGTYPE"):
            await wire.run("LPUSH", "a", "y")
        answer: bytes = await wire.run("PING")
        return answer

    assert using(redis_url, use) == b"PONG"


@pytest.mark.parametrize("run", RUNS)
def test_server_that_went_away_is_said_at_once_and_found_when_it_is_back(launch: Launch, run: Any) -> None:
    server = launch()

    async def use(wire: Wire) -> bytes:
        await wire.run("PING")
        await asyncio.to_thread(server.stop)
        with pytest.raises(OperatorError, match="redis does not answer"):
            await wire.run("PING")
        await asyncio.to_thread(server.start)
        answer: bytes = await wire.run("PING")
        return answer

    assert using(f"unix://{server.unix_socket_path}", use, run) == b"PONG"


def test_server_that_does_not_answer_is_waited_for_no_longer_than_said(redis_url: str) -> None:
    async def use(wire: Wire) -> None:
        with pytest.raises(OperatorError, match="TimeoutError"):
            await wire.run("BLPOP", "nothing", 0)

    using(redis_url, use)


@pytest.mark.parametrize(
    "url",
    [
        "redis://redis",
        "redis://:p%40ss@redis:6380/3",
        "redis://ada:pass@redis?db=2",
        "unix:///run/redis.sock",
        "unix://:pass@/run/redis.sock?db=1",
        "unix:///run/redis.sock?password=pass",
    ],
)
def test_addresses_mean_what_they_mean_to_arqs_client(url: str) -> None:
    ours, theirs = parse_address(url), ConnectionPool.from_url(url).connection_kwargs
    assert (ours.path or "") == theirs.get("path", "")
    assert ours.password == theirs.get("password", "")
    assert ours.username == (theirs.get("username") or "")
    assert int(ours.database) == theirs.get("db", 0)
    if ours.path is None:
        assert (ours.host, ours.port) == (theirs["host"], theirs.get("port", 6379))


def test_jobs_are_written_as_arq_writes_them() -> None:
    assert arq.constants.job_key_prefix == JOB_PREFIX
    sweep, look = Wake(None, "timer"), Wake(Repository(42, 3), "issue 7")
    assert sweep.job(5) == serialize_job("sweep", ("timer",), {}, None, 5, serializer=encode)
    name, args, *_ = deserialize_job_raw(look.job(5), deserializer=json.loads)
    assert (name, list(args)) == ("reconcile", [[42, 3], "issue 7"])
