"""A service in a test: a real server of redis's protocol, workers, and a loop that does as it is told."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import redis
from pydantic import SecretStr

from app.ports import wall_clock
from app.service import Counted, Next, Repository, Wake, Wire
from app.service.queue import Queue
from app.service.worker import AtOnce, Working
from app.settings import ServiceSettings, Settings

__all__ = ["PATIENCE_S", "Scene", "TestControl", "Worker", "repository", "settings_for"]

PATIENCE_S = 30.0
T = TypeVar("T")


def repository(number: int) -> Repository:
    return Repository(number, 3)


def settings_for(url: str, data_dir: Path, **changed: Any) -> ServiceSettings:
    """A service with a public address, so that nothing but hints and sweeps wakes anything."""
    given: dict[str, Any] = {
        "app_id": 17,
        "private_key": SecretStr("-----BEGIN PRIVATE KEY-----\nkept\n-----END PRIVATE KEY-----\n"),
        "webhook_secrets": (SecretStr("kept secret"),),
        "api_url": "https://api.github.com",
        "redis_url": SecretStr(url),
        "data_dir": data_dir,
        "host": "127.0.0.1",
        "port": 0,
        "sweep_interval_ms": 3_600_000,
        "public_url": "https://brat.example.org",
        "operator": Settings(place="test"),
        "environ": {},
    }
    return ServiceSettings(**{**given, **changed})


class TestControl:
    """Notes each pass; `during` is called inside, in the pass's thread."""

    __test__ = False

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.begun: list[int] = []
        self.ended: list[int] = []
        self.failed: list[AssertionError] = []
        self.sweeps = 0
        self.known: tuple[Repository, ...] = ()
        self.during: Callable[[int], Next] = lambda _: Next()
        self.wake: Callable[[Repository], None] = lambda _: None
        self.closed = False
        self.counts: tuple[Counted, ...] = ()

    def pass_over(self, repository: int, installation: int) -> Next:
        self._note(self.begun, repository)
        try:
            return self.during(repository)
        except AssertionError as error:
            self.failed.append(error)
            raise
        finally:
            self._note(self.ended, repository)

    def sweep(self) -> tuple[Repository, ...]:
        with self.changed:
            self.sweeps += 1
            self.changed.notify_all()
        return self.known

    def listen(self, wake: Callable[[Repository], None]) -> None:
        self.wake = wake

    def counted(self) -> tuple[Counted, ...]:
        counted, self.counts = self.counts, ()
        return counted

    def close(self) -> None:
        self.closed = True

    def wait(self, what: Callable[[], bool]) -> None:
        """Until it is so, woken by each pass. Fails when nothing of that kind happens."""
        with self.changed:
            assert self.changed.wait_for(what, PATIENCE_S), (
                f"begun {Counter(self.begun)}, {self.sweeps} sweeps"
            )

    def passes(self, repository: int) -> int:
        return self.ended.count(repository)

    def _note(self, where: list[int], repository: int) -> None:
        with self.changed:
            where.append(repository)
            self.changed.notify_all()


@dataclass
class Worker:
    """A worker in a thread of its own."""

    working: Working
    control: TestControl
    loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.new_event_loop)
    failed: BaseException | None = None

    def __post_init__(self) -> None:
        self.thread = threading.Thread(target=self._run, name="worker", daemon=True)
        self.thread.start()

    def _run(self) -> None:
        try:
            self.loop.run_until_complete(self.working.run(lambda _: self.control))
        except Exception as error:
            self.failed = error
        finally:
            self.loop.close()

    def stop(self) -> None:
        """In order, as the first signal does."""
        if not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self.working.stopping.set)
        self.thread.join(PATIENCE_S)
        assert not self.thread.is_alive()
        if self.failed is not None:
            raise self.failed


@dataclass
class Scene:
    """A server and who works on it."""

    url: str
    data_dir: Path
    control: TestControl = field(default_factory=TestControl)
    workers: list[Worker] = field(default_factory=list)

    def work(self, *, at_once: int = 4, control: TestControl | None = None, **changed: Any) -> Worker:
        """One more worker; it has swept once when this returns."""
        control = control or self.control
        swept = control.sweeps
        settings = settings_for(self.url, self.data_dir, **changed)
        worker = Worker(Working(settings, self.url, AtOnce(at_once)), control)
        self.workers.append(worker)
        control.wait(lambda: control.sweeps > swept)
        return worker

    def wake(self, *numbers: int, because: str = "test") -> None:
        self.ask(lambda queue: queue.wake([Wake(repository(each), because) for each in numbers]))

    def ask(self, what: Callable[[Queue], Coroutine[Any, Any, T]]) -> T:
        """Something of the queue, over a connection of its own."""

        async def asked() -> T:
            queue = Queue(Wire(self.url), app_id=17)
            try:
                return await what(queue)
            finally:
                await queue.wire.aclose()

        return asyncio.run(asked())

    @property
    def redis(self) -> redis.Redis:
        return redis.Redis.from_url(self.url)

    def due(self) -> int:
        """Jobs that wait and whose time has come."""
        with self.redis as client:
            return int(client.zcount("brat:queue", "-inf", wall_clock()))

    def until(self, what: Callable[[], bool]) -> None:
        """For what tells nobody that it has come."""
        end = wall_clock() + PATIENCE_S * 1000
        while not what():
            assert wall_clock() < end
            threading.Event().wait(0.01)

    def left(self, *prefixes: str) -> list[str]:
        """Keys in the server that begin so."""
        with self.redis as client:
            found = [key.decode() for key in client.scan_iter()]
        return sorted(key for key in found if key.startswith(prefixes))

    def stop(self) -> None:
        for each in self.workers:
            each.stop()
