"""The named remote gets what landed, all or nothing, and the person's remote-tracking refs stay theirs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from app.ports import Done, Outcome, Refused
from app.workspace import Publisher, Remote
from tests.workspace.world import Repo, World

MAIN = "refs/heads/main"
TASK = "refs/heads/convoy/jwt/task-1"
LOG = "refs/grite/wal"


@pytest.fixture
def origin(world: World, tmp_path: Path) -> Repo:
    """A bare remote that has the base."""
    world.person.git("clone", "--quiet", "--bare", ".", str(tmp_path / "origin.git"))
    world.person.git("remote", "add", "origin", str(tmp_path / "origin.git"))
    world.person.git("fetch", "--quiet", "origin")
    return Repo(tmp_path / "origin.git")


@pytest.fixture
def remote(publisher: Publisher, origin: Repo) -> Remote:
    """That remote, by its name."""
    return Remote(publisher.mirror, "origin")


def landed(world: World) -> tuple[str, str]:
    new = world.person.commit({"a": "1"})
    world.person.git("branch", "-f", "convoy/jwt/task-1")
    world.person.git("update-ref", LOG, world.person.raw_commit(world.person.raw_tree()))
    return new, str(world.person.at(LOG))


def refused(outcome: Outcome, words: str) -> Refused:
    assert isinstance(outcome, Refused)
    assert words in outcome.reason
    return outcome


def test_base_branches_and_log_are_there_afterwards(world: World, origin: Repo, remote: Remote) -> None:
    tracking = world.person.git("for-each-ref", "refs/remotes")
    new, log = landed(world)
    assert remote.push((MAIN, TASK, LOG)) == remote.push((MAIN, TASK, LOG)) == Done()
    assert (origin.at(MAIN), origin.at(TASK), origin.at(LOG)) == (new, new, log)
    assert world.person.git("for-each-ref", "refs/remotes") == tracking


def test_a_relative_address_is_read_as_git_reads_it(world: World, origin: Repo, remote: Remote) -> None:
    world.person.git("remote", "set-url", "origin", os.path.relpath(origin.path, world.person.path))
    new, _ = landed(world)
    assert remote.push((MAIN,)) == Done()
    assert origin.at(MAIN) == new


def test_commits_that_are_only_there_are_never_overwritten(
    world: World, origin: Repo, remote: Remote
) -> None:
    theirs = world.agent.commit({"theirs": "1"})
    world.agent.git("push", "--quiet", str(origin.path), f"HEAD:{MAIN}")
    landed(world)
    outcome = refused(remote.push((MAIN, TASK)), f"origin has commits on {MAIN} that are not here")
    assert outcome.remedy == "git fetch origin, merge them, then run again"
    assert (origin.at(MAIN), origin.at(TASK)) == (theirs, None)


def test_convoy_branch_is_replaced_only_where_we_put_it(world: World, origin: Repo, remote: Remote) -> None:
    first, _ = landed(world)
    assert remote.push((TASK,)) == Done()
    other = world.person.raw_commit(world.person.tree("HEAD"))
    world.person.git("update-ref", TASK, other)
    assert remote.push((TASK,)) == Done()
    assert origin.at(TASK) == other
    origin.git("update-ref", TASK, world.person.git("rev-parse", f"{first}^"))
    world.person.git("update-ref", TASK, world.person.raw_commit(world.person.raw_tree()))
    refused(remote.push((TASK,)), "that are not here")


def test_refusing_remote_moves_nothing_and_is_quoted(world: World, origin: Repo, remote: Remote) -> None:
    hook = origin.path / "hooks/update"
    hook.write_text('#!/bin/sh\n[ "$1" != refs/grite/wal ] || { echo "no logs here" >&2; exit 1; }\n')
    hook.chmod(0o755)
    landed(world)
    outcome = refused(remote.push((MAIN, LOG)), "refs/grite/wal: [remote rejected] (hook declined)")
    assert ": no logs here" in outcome.reason
    assert "run without --remote origin" in outcome.remedy
    assert origin.at(MAIN) != world.person.head


def test_unreachable_and_unknown_remote(world: World, remote: Remote, publisher: Publisher) -> None:
    world.person.git("remote", "set-url", "origin", "/nowhere/at/all")
    assert refused(remote.push((MAIN,)), "origin cannot be read").remedy == "git ls-remote origin"
    refused(Remote(publisher.mirror, "upstream").push((MAIN,)), "No such remote 'upstream'")


def test_pre_push_hook_of_the_person_does_not_run(world: World, remote: Remote) -> None:
    hook = world.person.path / ".git/hooks/pre-push"
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    landed(world)
    assert remote.push((MAIN,)) == Done()
