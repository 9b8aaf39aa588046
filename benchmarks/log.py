"""The log against the raw limit of the same machine: write and fsync, read and decode."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import cbor2
import pygit2

from app.grite import CommentAdded, Draft, Identity, Log, new_issue
from benchmarks.figure import Figure, median_s, timed

__all__ = ["measure"]

APPENDS = 100
EVENTS = 10_000
BATCH = 100


def measure(folder: Path) -> Iterator[Figure]:
    """Appending one event at a time, reading ten thousand in a new process's place, and nothing new."""
    yield _append(folder)
    pygit2.init_repository(str(folder / "large"), bare=True)
    log = _open(folder / "large")
    for number in range(EVENTS // BATCH):
        log.append(_drafts(BATCH, number))
    cold = median_s(lambda: _open(folder / "large").read(), 3)
    events = log.read().events
    plain = cbor2.dumps(
        [[bytes.fromhex(each.id), each.ts, each.actor, each.sig, str(each.kind)] for each in events]
    )
    decoded = median_s(lambda: cbor2.loads(plain), 3)
    yield Figure(
        f"log: cold read of {len(events)} events", cold, decoded, "s", "decoding them as one plain CBOR list"
    )
    ref = folder / "large" / "refs" / "grite" / "wal"
    nothing = median_s(lambda: [log.read() for _ in range(100)], 5) / 100
    looked = median_s(lambda: [ref.read_bytes() for _ in range(100)], 5) / 100
    yield Figure(
        "log: reading when nothing is new", nothing * 1e6, looked * 1e6, "us", "reading the ref's file"
    )


def _append(folder: Path) -> Figure:
    pygit2.init_repository(str(folder / "small"), bare=True)
    log = _open(folder / "small")
    log.append(_drafts(1, 0))
    appended = timed(lambda: [log.append(_drafts(1, number)) for number in range(APPENDS)]) / APPENDS
    raw = timed(lambda: _write(folder, APPENDS)) / APPENDS
    return Figure("log: append one event", appended * 1e3, raw * 1e3, "ms", "write and fsync of one file")


def _open(path: Path) -> Log:
    def now() -> int:
        return time.time_ns() // 1_000_000

    state = path.with_name(f"{path.name}.state")
    identity = Identity.ensure(state / "identity.json")
    return Log(path, identity=identity, state_dir=state, clock=now)


def _drafts(count: int, number: int) -> list[Draft]:
    issue = new_issue()
    return [Draft(issue, CommentAdded(f"remark {number}.{each}")) for each in range(count)]


def _write(folder: Path, files: int) -> None:
    for number in range(files):
        with (folder / f"raw-{number}").open("wb") as file:
            file.write(b"x" * 600)
            file.flush()
            os.fsync(file.fileno())
