"""P4: branch and log go together or not at all, and nothing else of the person's repository changes."""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path

import pytest

from app.ports import Done, RefMove, Refused
from app.workspace import Publisher
from tests.workspace.world import World, fingerprint

TASK = "refs/heads/convoy/jwt/task-1"
LOG = "refs/grite/wal"


@pytest.fixture
def head(world: World, publisher: Publisher) -> str:
    """Work of an agent, in the mirror and not yet in the person's repository."""
    commit = world.agent.commit({"src/new.py": "1"})
    publisher.mirror.take(world.agent.path, commit, "refs/brat/work/s1")
    return commit


@pytest.fixture
def record(world: World) -> str:
    """A commit of the log, which only the person's repository has."""
    return world.person.raw_commit(world.person.raw_tree())


def test_branch_and_log_arrive_in_one_push(
    world: World, publisher: Publisher, head: str, record: str
) -> None:
    assert publisher.push((RefMove(TASK, None, head), RefMove(LOG, None, record))) == Done()
    assert (world.person.at(TASK), world.person.at(LOG)) == (head, record)
    assert publisher.mirror.git.text("for-each-ref", "refs/grite") == ""
    assert not publisher.mirror.has(record)


def test_one_wrong_lease_moves_nothing(world: World, publisher: Publisher, head: str, record: str) -> None:
    world.person.git("update-ref", LOG, record)
    other = world.person.raw_commit(world.person.raw_tree(), record)
    outcome = publisher.push((RefMove(TASK, None, head), RefMove(LOG, None, other)))
    assert outcome == Refused(f"{LOG} is at {record[:12]}, expected nothing")
    assert (world.person.at(TASK), world.person.at(LOG)) == (None, record)


def test_a_push_that_was_done_already_is_done(world: World, publisher: Publisher, head: str) -> None:
    moves = (RefMove(TASK, None, head),)
    assert publisher.push(moves) == publisher.push(moves) == Done()


def test_without_force_only_fast_forwards(world: World, publisher: Publisher, head: str) -> None:
    publisher.push((RefMove(TASK, None, head),))
    outcome = publisher.push((RefMove(TASK, head, world.person.head),))
    assert isinstance(outcome, Refused)
    assert "does not contain" in outcome.reason
    assert publisher.push((RefMove(TASK, head, world.person.head, force=True),)) == Done()


def test_checked_out_branch_is_refused_in_every_working_tree(
    world: World, publisher: Publisher, head: str, tmp_path: Path
) -> None:
    world.person.git("worktree", "add", "--quiet", "-b", "side", str(tmp_path / "side"))
    for branch in ("main", "side"):
        outcome = publisher.push((RefMove(f"refs/heads/{branch}", world.person.head, head),))
        assert isinstance(outcome, Refused)
        assert f"refs/heads/{branch} is checked out in" in outcome.reason


def test_the_rest_of_the_repository_stays_byte_for_byte(
    world: World, publisher: Publisher, head: str, tmp_path: Path
) -> None:
    person = world.person
    person.write_all({"src/auth.py": "stashed"})
    person.git("stash")
    person.write_all({"src/auth.py": "edited", "untracked": "x"})
    for key, value in (("transfer.hideRefs", "refs/heads/convoy"), ("receive.denyNonFastForwards", "true")):
        person.git("config", key, value)
    hooks = person.path / ".git/hooks"
    for name in ("pre-receive", "update", "post-update", "post-receive", "reference-transaction", "pre-push"):
        hook = hooks / name
        hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/hook-ran\nexit 1\n")
        hook.chmod(0o755)
    person.git("config", "core.hooksPath", str(hooks))
    out = (".git/brat", ".git/objects", ".git/refs/heads/convoy", ".git/logs/refs/heads/convoy")
    before = fingerprint(person.path, leaving_out=out)
    assert publisher.push((RefMove(TASK, None, head),)) == Done()
    assert fingerprint(person.path, leaving_out=out) == before
    assert not (tmp_path / "hook-ran").exists()


def test_persons_environment_does_not_lead_git_astray(
    world: World, publisher: Publisher, head: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = World.make(tmp_path / "elsewhere").person
    monkeypatch.setenv("GIT_DIR", str(elsewhere.path / ".git"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(elsewhere.path / ".git/objects"))
    assert publisher.push((RefMove(TASK, None, head),)) == Done()
    monkeypatch.delenv("GIT_DIR")
    monkeypatch.delenv("GIT_OBJECT_DIRECTORY")
    assert world.person.at(TASK) == head
    assert elsewhere.at(TASK) is None


def dead_push(world: World, head: str, said: str) -> Path:
    """What a push leaves that was killed while receive-pack held a ref's lock."""
    (world.state / "push.json").write_text(json.dumps({TASK: head}))
    lock = world.person.path / f".git/{TASK}.lock"
    lock.parent.mkdir(parents=True)
    lock.write_text(said)
    return lock


@pytest.mark.parametrize("written", [True, False])
def test_lock_of_a_killed_push_is_cleared(
    world: World, publisher: Publisher, head: str, written: bool
) -> None:
    lock = dead_push(world, head, head + "\n" if written else "")
    os.utime(lock, (1, 1))
    publisher.recover()
    assert not lock.exists()
    assert publisher.push((RefMove(TASK, None, head),)) == Done()


@pytest.mark.parametrize("said", ["", "1" * 40])
def test_lock_of_somebody_else_stays_and_is_named(
    world: World, publisher: Publisher, head: str, said: str
) -> None:
    lock = dead_push(world, head, said)
    outcome = publisher.push((RefMove(TASK, None, head),))
    assert isinstance(outcome, Refused)
    assert ".lock" in outcome.reason
    assert "end the git command that holds the lock" in outcome.remedy
    assert lock.exists()


def test_git_inherits_the_lock_so_that_a_dead_run_is_dead_for_certain(
    world: World, publisher: Publisher, head: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = world.state / "seen"
    programs = world.state / "bin"
    programs.mkdir()
    script = f'#!/bin/sh\nreadlink /proc/$$/fd/* >> {seen}\nexec /usr/bin/git "$@"\n'
    (programs / "git").write_text(script)
    (programs / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    assert publisher.push((RefMove(TASK, None, head),)) == Done()
    assert str(world.state / "push.lock") in seen.read_text()
    with (world.state / "push.lock").open() as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
