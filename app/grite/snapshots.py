"""Snapshots: all events up to a WAL head in a few chunks, so that a cold start need not walk the history.

A snapshot is a cache. It is read from local refs only (a fetch of ours brings none in), its events are
hashed again, and `brat doctor` holds it against the WAL. The newest two are kept.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from app.errors import RepositoryError
from app.grite.chunks import CHUNK_EVENTS, chunk_hash, decode_chunk, encode_chunk
from app.grite.events import Event
from app.grite.store import NewCommit, Store
from app.values import dataclass

__all__ = ["KEPT", "SNAPSHOTS", "Snapshot", "read_snapshot", "snapshot_commit", "snapshots"]

SNAPSHOTS = "refs/grite/snapshots/"
"""Each is named by its time in ms."""
KEPT = 2
"""Two, so that one damaged by a power cut leaves another."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A snapshot by its ref; `wal_head` is the last WAL commit that it covers."""

    ref: str
    commit: str
    at: int
    wal_head: str


def snapshot_commit(events: Sequence[Event], *, wal_head: str, now: int) -> NewCommit:
    """The parentless commit that holds all `events` up to `wal_head`; `now` is in milliseconds."""
    files: dict[str, bytes] = {}
    chunks: list[dict[str, object]] = []
    for start in range(0, len(events), CHUNK_EVENTS):
        part = events[start : start + CHUNK_EVENTS]
        path, data = f"events/{start // CHUNK_EVENTS:04d}.bin", encode_chunk(part)
        files[path] = data
        chunks.append({"path": path, "chunk_hash": chunk_hash(data), "event_count": len(part)})
    index = {
        "schema_version": 1,
        "created_ts": now,
        "wal_head": wal_head,
        "event_count": len(events),
        "chunks": chunks,
    }
    files["snapshot.json"] = json.dumps(index, indent=2).encode()
    return NewCommit(files=files, message=f"Snapshot: {len(events)} events at {now}", at=now // 1000)


def snapshots(store: Store) -> tuple[Snapshot, ...]:
    """The readable snapshots of the repository, newest first."""
    found: list[Snapshot] = []
    for ref, commit in store.refs(SNAPSHOTS).items():
        name = ref.removeprefix(SNAPSHOTS)
        if name.isdecimal():
            try:
                found.append(Snapshot(ref, commit, int(name), str(_index(store, commit)["wal_head"])))
            except (RepositoryError, KeyError):
                continue
    return tuple(sorted(found, key=lambda snapshot: snapshot.at, reverse=True))


def read_snapshot(store: Store, snapshot: Snapshot) -> tuple[Event, ...]:
    """All events of a snapshot. Raises RepositoryError when anything in it is not what its index says."""
    index, events = _index(store, snapshot.commit), list[Event]()
    files = dict(store.files(store.commit(snapshot.commit).tree))
    for chunk in _chunks(index, snapshot.ref):
        place = f"{snapshot.ref} {chunk[0]}"
        if chunk[0] not in files:
            raise _damaged("a chunk is missing", place)
        data = store.blob(files[chunk[0]])
        if chunk_hash(data) != chunk[1]:
            raise _damaged("the chunk does not hash to its name", place)
        events.extend(decode_chunk(data, place=place))
    if len(events) != index.get("event_count"):
        raise _damaged(f"{len(events)} events, its index says {index.get('event_count')}", snapshot.ref)
    return tuple(events)


def _index(store: Store, commit: str) -> dict[str, object]:
    files = dict(store.files(store.commit(commit).tree))
    if "snapshot.json" not in files:
        raise _damaged("no snapshot.json", commit[:12])
    try:
        index = json.loads(store.blob(files["snapshot.json"]))
    except ValueError as reason:
        raise _damaged("snapshot.json is not JSON", commit[:12]) from reason
    if not isinstance(index, dict) or index.get("schema_version") != 1:
        raise _damaged("unknown schema version", commit[:12])
    return index


def _chunks(index: dict[str, object], place: str) -> list[tuple[str, str]]:
    listed: Any = index.get("chunks")
    try:
        return [(str(chunk["path"]), str(chunk["chunk_hash"])) for chunk in listed]
    except (KeyError, TypeError) as reason:
        raise _damaged("its list of chunks is unreadable", place) from reason


def _damaged(reason: str, place: str) -> RepositoryError:
    return RepositoryError(
        f"damaged snapshot: {reason}", place=place, remedy="delete this ref; the WAL holds everything"
    )
