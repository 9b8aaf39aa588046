"""The server that `brat up` starts for itself."""

from __future__ import annotations

import asyncio
import stat
from pathlib import Path

import pytest
import redis.asyncio
from redis.exceptions import RedisError

from app.errors import OperatorError
from app.service import PrivateRedis, private_redis


async def _ping(url: str) -> bool:
    client = redis.asyncio.Redis.from_url(url)
    try:
        return bool(await client.ping())
    finally:
        await client.aclose()


def run(data_dir: Path, what: str = "") -> PrivateRedis:
    """Started, used, and stopped."""
    server = PrivateRedis(data_dir)

    async def used() -> None:
        await server.start()
        try:
            assert await _ping(server.url)
            if what == "wrong password":
                await _ping(f"unix://:guessed@{server.url.rpartition('@')[2]}")
        finally:
            await server.stop()

    asyncio.run(used())
    return server


def test_server_answers_on_a_socket_in_the_data_folder(tmp_path: Path) -> None:
    assert f"@{tmp_path}/redis/socket" in run(tmp_path).url


def test_folder_of_the_socket_is_the_owners_alone(tmp_path: Path) -> None:
    run(tmp_path / "data")
    (tmp_path / "data").mkdir(exist_ok=True)
    server = PrivateRedis(tmp_path / "data")

    async def look() -> int:
        await server.start()
        try:
            return stat.S_IMODE((tmp_path / "data/redis").stat().st_mode)
        finally:
            await server.stop()

    assert asyncio.run(look()) == 0o700


def test_nobody_comes_in_without_the_password(tmp_path: Path) -> None:
    with pytest.raises(RedisError, match="invalid username-password"):
        run(tmp_path, "wrong password")


def test_data_folder_too_long_for_a_socket_is_no_obstacle(tmp_path: Path) -> None:
    deep = tmp_path / ("x" * 60) / ("y" * 60)
    assert str(deep) not in run(deep).url


def test_stale_socket_of_a_killed_server_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "redis").mkdir(mode=0o700)
    (tmp_path / "redis/socket").touch()
    run(tmp_path)


def test_password_is_neither_in_arguments_nor_in_repr(tmp_path: Path) -> None:
    server = PrivateRedis(tmp_path)

    async def look() -> str:
        await server.start()
        try:
            lines = [each.read_bytes() for each in Path("/proc").glob("[0-9]*/cmdline") if each.exists()]
            return b" ".join(lines).decode(errors="replace")
        finally:
            await server.stop()

    password = server.url.split(":")[2].partition("@")[0]
    assert password not in asyncio.run(look())
    assert password not in repr(server)


class Stubborn(PrivateRedis):
    """Is started a second time in vain; the third time it tells."""

    starts = 0
    there: asyncio.Event

    async def start(self) -> None:
        self.starts += 1
        if self.starts == 2:
            raise OperatorError("no memory is left")
        await super().start()
        self.there.set()


def test_server_that_ended_is_started_again_though_a_start_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(private_redis, "_PAUSE_S", (0.0,))
    server = Stubborn(tmp_path)

    async def ended() -> bool:
        server.there = asyncio.Event()
        await server.start()
        keeping = asyncio.create_task(server.keep())
        server.there.clear()
        server.end()
        async with asyncio.timeout(20):
            await server.there.wait()
        keeping.cancel()
        try:
            return await _ping(server.url)
        finally:
            await server.stop()

    assert asyncio.run(ended())
    assert server.starts == 3


def test_server_that_does_not_answer_is_started_again_at_its_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = PrivateRedis(tmp_path / ("x" * 60) / ("y" * 60))

    async def started() -> bool:
        before = server.url
        with monkeypatch.context() as patch:
            patch.setattr(private_redis, "_PATIENCE_S", 0.0)
            with pytest.raises(OperatorError, match="does not answer"):
                await server.start()
        await server.start()
        try:
            return server.url == before and await _ping(before)
        finally:
            await server.stop()

    assert asyncio.run(started())
