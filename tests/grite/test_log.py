"""Appending and reading one log."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from app.errors import Defect, Moved, RepositoryError
from app.grite import (
    ANY,
    Identity,
    IssueCreated,
    Log,
    ProjectContextUpdated,
    fold,
    verify,
)
from app.grite.events import Draft
from tests.grite.conftest import ISSUE, World, bare, comment, git, said


def test_an_empty_log_has_no_head_and_no_events(world: World) -> None:
    history = world.log().read()
    assert (history.head, history.events, history.rewound) == (None, (), None)


def test_what_is_appended_is_read_by_everybody(world: World) -> None:
    log, other = world.log(), world.log(writer="other")
    head = log.append([Draft(ISSUE, IssueCreated("Use JWT")), comment("go")])
    assert log.read().head == other.read().head == head
    assert fold(other.read().events)[ISSUE].comments[0].body == "go"


def test_drafts_of_one_append_are_one_commit_with_rising_times(world: World) -> None:
    log = world.log()
    log.append([comment(str(n)) for n in range(5)])
    assert git(world.repo("repo"), "rev-list", "--count", "refs/grite/wal") == "1"
    assert [event.ts for event in log.read().events] == list(range(world.now, world.now + 6))


def test_times_go_on_when_the_clock_goes_back(world: World) -> None:
    log = world.log()
    log.append([comment("one")])
    world.now -= 5000
    log.append([comment("two")])
    assert said(log.read().events) == ["one", "two"]
    assert log.read().events[-1].ts == world.now + 5002


def test_somebody_s_clock_that_is_years_ahead_is_not_followed(world: World) -> None:
    log, broken = world.log(), world.log(writer="broken")
    world.now += 10 * 365 * 86_400_000
    broken.append([comment("from the future")])
    world.now -= 10 * 365 * 86_400_000
    log.append([comment("today")])
    assert said(log.read().events) == ["today", "from the future"]


def test_our_own_order_survives_a_clock_that_was_years_ahead(world: World) -> None:
    log = world.log()
    world.now += 10 * 365 * 86_400_000
    log.append([comment("from the future")])
    world.now -= 10 * 365 * 86_400_000
    log.append([comment("today")])
    assert said(log.read().events) == ["from the future", "today"]


def test_a_decision_on_an_old_head_is_refused(world: World) -> None:
    log = world.log()
    first = log.append([comment("one")], expected=None)
    log.append([comment("two")], expected=first)
    with pytest.raises(Moved):
        log.append([comment("three")], expected=first)
    with pytest.raises(Moved):
        log.append([comment("three")], expected=None)
    log.append([comment("four")], expected=ANY)
    assert said(log.read().events) == ["one", "two", "four"]


def test_the_first_event_of_a_signing_actor_is_its_key_and_is_said_once(world: World) -> None:
    log = world.log()
    log.append([comment("one")])
    world.log().append([comment("two")])
    events = log.read().events
    told = [event.kind for event in events if isinstance(event.kind, ProjectContextUpdated)]
    assert told == [ProjectContextUpdated(f"actor/{log.identity.actor}/ed25519", log.identity.public_key)]
    assert events[0].kind == told[0]
    assert all(verify(event, log.identity.public_key) for event in events)


def test_appending_nothing_is_a_defect(world: World) -> None:
    with pytest.raises(Defect):
        world.log().append([])


def test_events_of_others_are_appended_once(world: World) -> None:
    one, other = world.log(), world.log("elsewhere")
    other.append([comment("theirs")])
    for _ in range(2):
        one.append_events(other.read().events)
    assert one.read().events == other.read().events
    assert git(world.repo("repo"), "rev-list", "--count", "refs/grite/wal") == "1"


def test_a_prepared_commit_is_nothing_until_a_push_of_ours_moves_the_ref(world: World) -> None:
    log = world.log()
    log.append([comment("one")])
    repo = world.repo("repo")
    with log.writing() as turn:
        prepared = turn.prepare([comment("two")])
        assert not turn.landed(prepared)
        assert said(log.read().events) == ["one"]
        branch = git(repo, "commit-tree", git(repo, "write-tree"), "-m", "work")
        pusher = bare(world.root / "pusher")
        (pusher / "objects/info/alternates").write_text(f"{repo}/objects\n")
        refs = [f"{prepared.new}:{prepared.ref}", f"{branch}:refs/heads/task"]
        lease = f"--force-with-lease={prepared.ref}:{prepared.old}"
        git(pusher, "push", "--quiet", "--atomic", lease, str(repo), *refs)
        assert turn.landed(prepared)
        turn.append([comment("three")])
    assert git(repo, "rev-parse", "refs/heads/task") == branch
    assert said(log.read().events) == ["one", "two", "three"]
    assert log.verify() == ()


def test_a_turn_inside_a_turn_is_a_defect_and_not_a_deadlock(world: World) -> None:
    log = world.log()
    with log.writing(), pytest.raises(Defect), log.writing():
        pass
    log.append([comment("goes on")])


def test_a_foreign_writer_without_our_lock_is_met_by_compare_and_swap(world: World) -> None:
    log = world.log()
    first = log.append([comment("one")])
    repo = world.repo("repo")
    with log.writing() as turn:
        prepared = turn.prepare([comment("lost race")])
        foreign = git(repo, "commit-tree", f"{first}^{{tree}}", "-p", first, "-m", "foreign")
        git(repo, "update-ref", "refs/grite/wal", foreign)
        with pytest.raises(Moved):
            turn.move(prepared)
    assert said(log.read().events) == ["one"]


def test_two_first_writers_do_not_both_win(world: World) -> None:
    log = world.log()
    with log.writing() as turn:
        prepared = turn.prepare([comment("mine")])
        tree = git(world.repo("repo"), "write-tree")
        git(
            world.repo("repo"),
            "update-ref",
            "refs/grite/wal",
            git(world.repo("repo"), "commit-tree", tree, "-m", "x"),
        )
        with pytest.raises(Moved):
            turn.move(prepared)


def test_damage_is_named_by_commit_and_chunk_and_moves_nothing(world: World) -> None:
    log = world.log()
    head = log.append([comment("one")])
    repo = world.repo("repo")
    path = git(repo, "ls-tree", "-r", "--name-only", head, "events/")
    blob = (
        subprocess.run(
            ["git", "-C", repo, "hash-object", "-w", "--stdin"],
            input=b"GRITECNKrot",
            capture_output=True,
            check=True,
        )
        .stdout.decode()
        .strip()
    )
    index = {"GIT_INDEX_FILE": str(world.root / "index")}
    for command in (["read-tree", head], ["update-index", "--cacheinfo", f"100644,{blob},{path}"]):
        subprocess.run(["git", "-C", repo, *command], env=index, check=True)
    tree = subprocess.run(
        ["git", "-C", repo, "write-tree"], env=index, check=True, capture_output=True, text=True
    ).stdout.strip()
    bad = git(repo, "commit-tree", tree, "-p", head, "-m", "bad")
    git(repo, "update-ref", "refs/grite/wal", bad)
    with pytest.raises(RepositoryError, match=rf"refs/grite/wal {bad[:12]} {path}: damaged"):
        log.read()
    assert [finding.place for finding in log.verify()] == [f"refs/grite/wal {bad[:12]} {path}"]
    git(repo, "update-ref", "refs/grite/wal", head)
    assert said(log.read().events) == ["one"]


def test_config_and_everything_else_of_the_repository_stay_as_they_are(world: World) -> None:
    repo = world.root / "work"
    subprocess.run(["git", "init", "--quiet", str(repo)], check=True)

    def others() -> dict[str, bytes]:
        ours = ("objects/", "refs/grite", "logs/refs/grite")
        files = {
            str(file.relative_to(repo / ".git")): file
            for file in (repo / ".git").rglob("*")
            if file.is_file()
        }
        return {name: file.read_bytes() for name, file in files.items() if not name.startswith(ours)}

    before = others()
    log = Log(
        repo / ".git", identity=Identity.create(), state_dir=world.root / "state", clock=lambda: world.now
    )
    log.append([comment("one")])
    log.append([comment("two")])
    log.snapshot()
    assert others() == before


def test_what_is_no_repository_says_so(tmp_path: Path) -> None:
    with pytest.raises(RepositoryError, match="cannot be opened"):
        Log(tmp_path / "no", identity=Identity.create(), state_dir=tmp_path / "s", clock=lambda: 0)
