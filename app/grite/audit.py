"""The log held against itself: everything recomputed, nothing changed. What `brat doctor` shows."""

from __future__ import annotations

import json
from collections.abc import Iterator

from app.errors import RepositoryError
from app.grite.chunks import chunk_hash
from app.grite.events import Event
from app.grite.identity import announced_keys, verify
from app.grite.kinds import Unknown
from app.grite.reader import Reader, Rewound
from app.grite.snapshots import read_snapshot, snapshots
from app.grite.store import CommitObject, Store
from app.grite.wal import WAL, chunk_folder, events_of, walk
from app.values import dataclass

__all__ = ["Finding", "audit"]

_RESTORE = "fetch the log from another clone; nothing is rewritten here"
_WATCH = "read these events with care; someone who can push wrote them"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: where, what, and what to do."""

    place: str
    problem: str
    remedy: str


def audit(store: Store, reader: Reader) -> tuple[Finding, ...]:
    """All findings, those of the chain first, oldest commit first."""
    findings: list[Finding] = []
    events: list[Event] = []
    try:
        commits = tuple(reversed(walk(store, store.ref(WAL)).commits))
    except RepositoryError as reason:
        return (_finding(reason),)
    for commit in commits:
        try:
            here = tuple(events_of(store, commit))
            findings.extend(_layout(store, commit, here))
            events.extend(here)
        except RepositoryError as reason:
            findings.append(_finding(reason))
    ordered = tuple(sorted(events, key=lambda event: event.order))
    findings.extend(_signatures(ordered))
    findings.extend(_snapshots(store, frozenset(commit.id for commit in commits), ordered))
    if not findings:
        findings.extend(_rewind(reader.read().rewound))
    return tuple(findings)


def _finding(reason: RepositoryError) -> Finding:
    return Finding(reason.place or WAL, reason.reason, reason.remedy or _RESTORE)


def _layout(store: Store, commit: CommitObject, events: tuple[Event, ...]) -> Iterator[Finding]:
    """Whether `meta.json`, parent and path say the same as the chunk."""
    place = f"{WAL} {commit.id[:12]}"
    files = dict(store.files(commit.tree))
    try:
        meta = json.loads(store.blob(files["meta.json"]))
        previous, chunk, version = meta["prev_wal"], meta["chunk_hash"], meta["schema_version"]
    except (KeyError, ValueError, TypeError):
        yield Finding(place, "meta.json is missing or unreadable", _RESTORE)
        return
    if version != 1:
        yield Finding(place, f"unknown schema version {version!r}", "a newer grite wrote this; update brat")
    if len(commit.parents) > 1 or previous != (commit.parents[0] if commit.parents else None):
        yield Finding(place, "prev_wal and the commit's parent differ", _RESTORE)
    paths = [path for path in files if path != "meta.json"]
    if not events or len(paths) != 1:
        yield Finding(place, "not exactly one chunk with events", _RESTORE)
    elif chunk != chunk_hash(store.blob(files[paths[0]])):
        yield Finding(f"{place} {paths[0]}", "meta.json names another chunk", _RESTORE)
    elif paths[0].rpartition("/")[0] not in {chunk_folder(event.ts) for event in events}:
        yield Finding(f"{place} {paths[0]}", "the chunk lies under another day than its events", _RESTORE)


def _signatures(events: tuple[Event, ...]) -> Iterator[Finding]:
    keys = announced_keys(events)
    for event in events:
        place = f"{WAL} event {event.id[:16]}"
        if isinstance(event.kind, Unknown):
            yield Finding(place, f"unknown kind {event.kind.tag}: grite cannot load this log", "update grite")
        key = keys.get(event.actor)
        if key is None or verify(event, key):
            continue
        problem = "not signed" if event.sig is None else "wrongly signed"
        yield Finding(place, f"{problem}, although actor {event.actor[:8]} signs", _WATCH)


def _snapshots(store: Store, commits: frozenset[str], events: tuple[Event, ...]) -> Iterator[Finding]:
    known = {event.id for event in events}
    for snapshot in snapshots(store):
        try:
            inside = {event.id for event in read_snapshot(store, snapshot)}
        except RepositoryError as reason:
            yield _finding(reason)
            continue
        if snapshot.wal_head not in commits:
            continue
        below = walk(store, snapshot.wal_head).commits
        covered = {event.id for commit in below for event in events_of(store, commit)}
        if inside - known or covered - inside:
            problem = f"{len(covered - inside)} events of the WAL missing, {len(inside - known)} too many"
            yield Finding(snapshot.ref, problem, f"git update-ref -d {snapshot.ref}")


def _rewind(rewound: Rewound | None) -> Iterator[Finding]:
    if rewound is not None:
        yield Finding(
            f"{WAL} {rewound.seen[:12]}",
            f"the ref was set back or replaced: {len(rewound.lost)} events are no longer in it",
            "find out who moved it; the next append or sync brings them back",
        )
