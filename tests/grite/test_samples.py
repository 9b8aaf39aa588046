"""Logs that the real grite wrote: read as it reads them, written again with the same bytes."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from app.grite import (
    ActorId,
    Event,
    Identity,
    Issue,
    Log,
    ProjectContextUpdated,
    PublicKey,
    fold,
    fold_contexts,
    verify,
)
from app.grite.chunks import decode_chunk
from app.grite.snapshots import read_snapshot, snapshot_commit, snapshots
from app.grite.store import Store
from app.grite.wal import WAL, wal_commit, walk
from tests.grite.conftest import SAMPLES, comment, git

Sample = Callable[[str], Path]
BOTH = pytest.mark.parametrize("name", ["every-kind", "signed"])


def answers(name: str) -> Any:
    return json.loads((SAMPLES / name).read_text())


def opened(repo: Path) -> Log:
    return Log(repo, identity=Identity.create(), state_dir=repo / "brat", clock=lambda: 1_795_260_000_000)


def as_grite_prints(event: Event, *, listed: bool) -> dict[str, object]:
    """An event as `grite issue show` prints it (`listed`: hashes as arrays), or as `grite export` does."""
    fields = asdict(event.kind)
    if "type" in fields:
        fields["dep_type"] = fields.pop("type")
    if "labels" in fields:
        fields["labels"] = list(fields["labels"])
    if "symbols" in fields:
        fields["symbol_count"] = len(fields.pop("symbols"))
    for key in ("target", "sha256"):
        if listed and key in fields:
            fields[key] = list(bytes.fromhex(fields[key]))
    return {
        "event_id": event.id,
        "issue_id": event.issue,
        "actor": event.actor,
        "ts_unix_ms": event.ts,
        "kind": {type(event.kind).__name__: fields},
    }


def printed(event: dict[str, Any]) -> dict[str, Any]:
    """What grite printed, labels sorted (it keeps them as they were typed) and without `parent`."""
    created = event["kind"].get("IssueCreated")
    if created:
        created["labels"] = sorted(created["labels"])
    return {key: value for key, value in event.items() if key != "parent"}


def as_listed(issue: Issue) -> dict[str, object]:
    return {
        "issue_id": issue.id,
        "title": issue.title,
        "state": issue.state,
        "labels": list(issue.labels),
        "assignees": list(issue.assignees),
        "created_ts": issue.created_ts,
        "updated_ts": issue.updated_ts,
        "comment_count": len(issue.comments),
    }


def test_all_events_equal_what_grite_exports(sample: Sample) -> None:
    read = opened(sample("every-kind")).read().events
    exported = [printed(event) for event in answers("every-kind.export.json")["events"]]
    by_time = sorted(exported, key=lambda event: (event["ts_unix_ms"], event["event_id"]))
    assert [as_grite_prints(event, listed=False) for event in read] == by_time


def test_folded_issues_equal_what_grite_lists(sample: Sample) -> None:
    issues = fold(opened(sample("every-kind")).read().events)
    told = answers("every-kind.json")
    assert [as_listed(issue) for issue in issues.values()] == told["list"]["issues"]
    for issue in issues.values():
        shown = [printed(event) for event in told["show"][issue.id]["events"]]
        assert [as_grite_prints(event, listed=True) for event in issue.events] == shown


def test_contexts_are_folded(sample: Sample) -> None:
    contexts = fold_contexts(opened(sample("every-kind")).read().events)
    assert contexts.project["test_command"].value == "make test"
    assert [symbol.name for symbol in contexts.files["a.py"].symbols] == ["C", "f", "m"]


def test_the_signed_issue_equals_what_grite_shows(sample: Sample) -> None:
    (issue,) = fold(opened(sample("signed")).read().events).values()
    shown = answers("signed.json")["show"]
    assert as_listed(issue) == shown["issue"]
    assert [as_grite_prints(event, listed=True) for event in issue.events] == [
        printed(event) for event in shown["events"]
    ]


def test_the_signatures_of_grite_verify_with_their_key_only(sample: Sample) -> None:
    keys = {ActorId(actor): PublicKey(key) for actor, key in answers("signed.json")["public_keys"].items()}
    events = opened(sample("signed")).read().events
    assert len(events) == 16
    for event in events:
        assert [actor for actor, key in keys.items() if verify(event, key)] == [event.actor]


@BOTH
def test_each_commit_written_again_is_the_same_commit(sample: Sample, name: str) -> None:
    store = Store(sample(name))
    for commit in walk(store, store.ref(WAL)).commits:
        files = {path: store.blob(blob) for path, blob in store.files(commit.tree)}
        meta = json.loads(files["meta.json"])
        (chunk,) = (data for path, data in files.items() if path != "meta.json")
        parent = commit.parents[0] if commit.parents else None
        at = int(git(store.git_dir, "show", "-s", "--format=%ct", commit.id))
        again = wal_commit(decode_chunk(chunk, place=name), meta["actor_id"], parent=parent, at=at)
        assert dict(again.files) == files
        assert store.write(again) == commit.id


@BOTH
def test_the_snapshot_written_again_is_the_same_commit(sample: Sample, name: str) -> None:
    store = Store(sample(name))
    (found,) = snapshots(store)
    events = read_snapshot(store, found)
    at = int(git(store.git_dir, "show", "-s", "--format=%ct", found.commit))
    again = snapshot_commit(events, wal_head=found.wal_head, now=found.at)
    assert store.write(replace(again, at=at)) == found.commit


@BOTH
def test_reading_from_the_snapshot_and_without_it_is_the_same(sample: Sample, name: str) -> None:
    repo = sample(name)
    (found,) = snapshots(Store(repo))
    from_snapshot = opened(repo).read()
    git(repo, "update-ref", "-d", found.ref)
    assert opened(repo).read() == from_snapshot


@BOTH
def test_a_log_of_grite_is_found_sound(sample: Sample, name: str) -> None:
    assert opened(sample(name)).verify() == ()


def test_a_log_of_grite_takes_events_of_ours(sample: Sample) -> None:
    log = opened(sample("signed"))
    before = log.read()
    log.append_events(before.events)
    assert log.read() == before
    log.append([comment("ours", before.events[0].issue)])
    events = log.read().events
    assert events[:16] == before.events
    assert isinstance(events[16].kind, ProjectContextUpdated)
    assert log.verify() == ()
