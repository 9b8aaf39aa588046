"""A WAL commit: its data only, `meta.json` and one chunk; the history is its chain of parents."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from app.errors import RepositoryError
from app.grite.chunks import chunk_hash, decode_chunk, encode_chunk
from app.grite.events import Event
from app.grite.ids import ActorId
from app.grite.store import CommitObject, NewCommit, Store
from app.values import dataclass

__all__ = ["WAL", "Walk", "chunk_folder", "events_of", "meta_json", "wal_commit", "walk"]

WAL = "refs/grite/wal"
_LAST_DAY_MS = 253_402_300_799_999


def meta_json(actor: ActorId, chunk: str, previous: str | None) -> bytes:
    """`meta.json`, byte for byte as grite writes it."""
    meta = {"schema_version": 1, "actor_id": actor, "chunk_hash": chunk, "prev_wal": previous}
    return json.dumps(meta, indent=2).encode()


def wal_commit(events: Sequence[Event], actor: ActorId, *, parent: str | None, at: int) -> NewCommit:
    """The commit that appends these events; `at` is in seconds."""
    chunk = encode_chunk(events)
    name = chunk_hash(chunk)
    return NewCommit(
        files={
            "meta.json": meta_json(actor, name, parent),
            f"{chunk_folder(events[0].ts)}/{name}.bin": chunk,
        },
        message=f"WAL: {len(events)} events from {actor[:8]}",
        at=at,
        parent=parent,
    )


def chunk_folder(ts: int) -> str:
    """The folder of the day; a time beyond the calendar, legal on the wire, lies in the last day there is."""
    return f"events/{datetime.fromtimestamp(min(ts, _LAST_DAY_MS) // 1000, UTC):%Y/%m/%d}"


@dataclass(frozen=True, slots=True)
class Walk:
    """Commits from a head backwards, newest first; `met` is the stop that was met, None at the root."""

    commits: tuple[CommitObject, ...]
    met: str | None


def walk(store: Store, head: str | None, *, stops: frozenset[str] = frozenset()) -> Walk:
    """Follows parents by hand, so that the cost is the new part only."""
    waiting, seen = [] if head is None else [head], dict[str, CommitObject]()
    met: str | None = None
    while waiting:
        commit = waiting.pop()
        if commit in stops:
            met = commit
        elif commit not in seen:
            seen[commit] = store.commit(commit)
            waiting.extend(seen[commit].parents)
    return Walk(tuple(seen.values()), met)


def events_of(store: Store, commit: CommitObject) -> Iterator[Event]:
    """The events of one WAL commit. Raises RepositoryError that names commit, chunk and event."""
    for path, blob in store.files(commit.tree):
        if path.startswith("events/") and path.endswith(".bin"):
            place = f"{WAL} {commit.id[:12]} {path}"
            data = store.blob(blob)
            if path.rpartition("/")[2] != f"{chunk_hash(data)}.bin":
                raise RepositoryError(
                    "damaged: the chunk does not hash to its name",
                    place=place,
                    remedy="run `brat doctor`; restore this commit from another clone",
                )
            yield from decode_chunk(data, place=place)
