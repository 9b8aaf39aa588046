"""Snapshots are a cache: they speed up, and mislead nobody."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from app.errors import RepositoryError
from app.grite import ActorId
from app.grite.chunks import encode_chunk
from app.grite.events import make_event
from app.grite.snapshots import SNAPSHOTS, read_snapshot, snapshot_commit, snapshots
from app.grite.store import NewCommit, Store
from tests.grite.conftest import World, comment, git, said


def test_the_newest_two_are_kept(world: World) -> None:
    log, made = world.log(), []
    for text in ("one", "two", "three"):
        log.append([comment(text)])
        made.append(log.snapshot())
    refs = git(world.repo("repo"), "for-each-ref", "--format=%(refname)", SNAPSHOTS).splitlines()
    assert refs == made[1:]


def test_a_snapshot_of_the_same_head_is_not_written_again(world: World) -> None:
    log = world.log()
    assert log.snapshot() is None
    log.append([comment("one")])
    assert log.snapshot() == log.snapshot()


def test_a_cold_start_reads_the_snapshot_and_what_followed(world: World) -> None:
    log = world.log()
    log.append([comment("one")])
    covered = log.append([comment("two")])
    log.snapshot()
    log.append([comment("three")])
    # The parent's tree is gone: only a reader that stops at the snapshot can still read.
    repo = world.repo("repo")
    tree = git(repo, "rev-parse", f"{covered}^^{{tree}}")
    (repo / "objects" / tree[:2] / tree[2:]).unlink()
    assert said(world.log().read().events) == ["one", "two", "three"]


def test_chunks_hold_at_most_a_thousand_events(world: World) -> None:
    log = world.log()
    log.append([comment(str(number)) for number in range(2100)])
    name = log.snapshot()
    assert name is not None
    index = json.loads(git(world.repo("repo"), "show", f"{name}:snapshot.json"))
    assert [chunk["event_count"] for chunk in index["chunks"]] == [1000, 1000, 101]
    assert index["event_count"] == 2101
    assert said(world.log().read().events) == [str(number) for number in range(2100)]


Break = Callable[[dict[str, bytes]], dict[str, bytes]]


def without_index(files: dict[str, bytes]) -> dict[str, bytes]:
    return {name: data for name, data in files.items() if name != "snapshot.json"}


def without_chunk(files: dict[str, bytes]) -> dict[str, bytes]:
    return {"snapshot.json": files["snapshot.json"]}


def with_rot(files: dict[str, bytes]) -> dict[str, bytes]:
    return {**files, "events/0000.bin": files["events/0000.bin"] + b"x"}


def with_an_emptied_chunk(files: dict[str, bytes]) -> dict[str, bytes]:
    return {**files, "events/0000.bin": encode_chunk([])}


def with_another_s_events(files: dict[str, bytes]) -> dict[str, bytes]:
    draft, actor = comment("forged"), ActorId("ab" * 16)
    return {**files, "events/0000.bin": encode_chunk([make_event(draft, actor, n) for n in range(2)])}


def with_odd_chunks(files: dict[str, bytes]) -> dict[str, bytes]:
    index = json.loads(files["snapshot.json"])
    return {**files, "snapshot.json": json.dumps({**index, "chunks": [3]}).encode()}


def with_no_json(files: dict[str, bytes]) -> dict[str, bytes]:
    return {**files, "snapshot.json": b"{"}


@pytest.mark.parametrize(
    "broken",
    [
        without_index,
        without_chunk,
        with_rot,
        with_an_emptied_chunk,
        with_another_s_events,
        with_odd_chunks,
        with_no_json,
    ],
)
def test_a_damaged_snapshot_is_passed_over(world: World, broken: Break) -> None:
    log = world.log()
    log.append([comment("one")])
    history, store = log.read(), Store(world.repo("repo"))
    assert history.head is not None
    good = snapshot_commit(history.events, wal_head=history.head, now=5)
    store.put_ref(f"{SNAPSHOTS}5", store.write(NewCommit(broken(dict(good.files)), "bad", 0)))
    assert world.log().read() == history
    for found in snapshots(store):
        with pytest.raises(RepositoryError, match="damaged"):
            read_snapshot(store, found)
        assert [finding.place.split()[0] for finding in log.verify()] == [f"{SNAPSHOTS}5"]


def test_a_snapshot_that_leaves_events_out_is_found(world: World) -> None:
    log = world.log()
    log.append([comment("one")])
    history, store = log.read(), Store(world.repo("repo"))
    assert history.head is not None
    short = snapshot_commit(history.events[:1], wal_head=history.head, now=5)
    store.put_ref(f"{SNAPSHOTS}5", store.write(short))
    (finding,) = log.verify()
    assert (finding.place, finding.problem) == (f"{SNAPSHOTS}5", "1 events of the WAL missing, 0 too many")
    git(world.repo("repo"), *finding.remedy.split()[1:])
    assert log.verify() == ()
