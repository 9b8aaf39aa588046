"""What `brat doctor` finds in a log."""

from __future__ import annotations

from dataclasses import replace

import cbor2
import pytest

from app.errors import RepositoryError
from app.grite import Draft, Event, Identity, Log, Unknown
from app.grite.chunks import chunk_hash
from app.grite.events import make_event
from app.grite.store import NewCommit, Store
from app.grite.wal import WAL, wal_commit
from tests.grite.conftest import ISSUE, World, comment

FORGED_TS = 1_700_000_009_000


@pytest.fixture
def log(world: World) -> Log:
    """A sound log of one comment."""
    log = world.log()
    log.append([comment("one")])
    assert log.verify() == ()
    return log


def forge(log: Log, sign: Identity | None) -> Event:
    """An event in the name of the log's actor, signed by somebody else or nobody."""
    draft, actor = comment("approved"), log.identity.actor
    return make_event(draft, actor, FORGED_TS, sign=None if sign is None else sign.sign)


def commit(world: World, wanted: NewCommit) -> str:
    """Puts a commit on the log past our own writer; returns its short id."""
    store = Store(world.repo("repo"))
    new = store.write(wanted)
    store.put_ref(WAL, new)
    return new[:12]


def next_commit(world: World, log: Log, events: list[Event]) -> NewCommit:
    """A well-made commit on the head."""
    return wal_commit(events, log.identity.actor, parent=log.read().head, at=world.now // 1000)


@pytest.mark.parametrize(("signed", "problem"), [(False, "not signed"), (True, "wrongly signed")])
def test_an_event_in_the_name_of_a_signing_actor_is_found(
    world: World, log: Log, signed: bool, problem: str
) -> None:
    event = forge(log, Identity.create() if signed else None)
    commit(world, next_commit(world, log, [event]))
    (finding,) = log.verify()
    assert finding.place == f"{WAL} event {event.id[:16]}"
    assert finding.problem.startswith(problem)


def test_a_chain_that_says_two_things_is_found(world: World, log: Log) -> None:
    wanted = next_commit(world, log, [forge(log, log.identity)])
    place = commit(world, replace(wanted, parent=None))
    problems = [finding.problem for finding in log.verify() if finding.place == f"{WAL} {place}"]
    assert problems == ["prev_wal and the commit's parent differ"]


def test_a_chunk_under_another_day_is_found(world: World, log: Log) -> None:
    wanted = next_commit(world, log, [forge(log, log.identity)])
    moved = {path.replace("2023", "2022"): data for path, data in wanted.files.items()}
    commit(world, replace(wanted, files=moved))
    assert [finding.problem for finding in log.verify()] == [
        "the chunk lies under another day than its events"
    ]


def test_a_commit_without_meta_is_found(world: World, log: Log) -> None:
    wanted = next_commit(world, log, [forge(log, log.identity)])
    files = {path: data for path, data in wanted.files.items() if path != "meta.json"}
    commit(world, replace(wanted, files=files))
    assert [finding.problem for finding in log.verify()] == ["meta.json is missing or unreadable"]


def test_a_log_of_an_older_grite_is_named_old(world: World, log: Log) -> None:
    old = b"GRITCHNK\x01\x00\x07cbor-v1\x80"
    path = f"events/2023/11/14/{chunk_hash(old)}.bin"
    place = commit(world, NewCommit({path: old}, "WAL: 0 events from 00000000", 0, log.read().head))
    with pytest.raises(RepositoryError, match=rf"{place} {path}: .* old, not damaged"):
        log.read()
    assert "old, not damaged" in log.verify()[0].problem


def test_an_unknown_kind_is_read_carried_on_and_told(world: World, log: Log) -> None:
    kind = Unknown(77, cbor2.dumps({"new": [1, None]}, canonical=True))
    event = make_event(Draft(ISSUE, kind), log.identity.actor, FORGED_TS, sign=log.identity.sign)
    commit(world, next_commit(world, log, [event]))
    other = world.log("elsewhere")
    other.append_events(log.read().events)
    assert other.read().events[-1] == event
    assert [finding.problem for finding in other.verify()] == ["unknown kind 77: grite cannot load this log"]
