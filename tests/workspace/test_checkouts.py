"""Where a branch is checked out, and whether it could be moved there."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from app.ports import Checkout
from app.workspace import Place, Publisher
from tests.workspace.world import World


def test_branch_nowhere_checked_out_is_absent(world: World, publisher: Publisher) -> None:
    world.person.git("branch", "other")
    assert publisher.checkouts(("other", "refs/heads/none")) == {}


def test_clean_with_untracked_files(world: World, publisher: Publisher) -> None:
    world.person.write(untracked="x")
    expected = Checkout(str(world.person.path), "refs/heads/main", True, "")
    assert publisher.checkouts(("refs/heads/main",)) == {"refs/heads/main": expected}


@pytest.mark.parametrize("staged", [True, False])
def test_tracked_changes_are_named(world: World, publisher: Publisher, staged: bool) -> None:
    world.person.write_all({"src/auth.py": "x", "README.md": None})
    if staged:
        world.person.git("add", "-A")
    found = publisher.checkouts(("main",))["main"]
    assert found.clean is False
    assert found.detail == "changed: README.md, src/auth.py"


def test_linked_working_tree_and_one_that_is_gone(world: World, publisher: Publisher, tmp_path: Path) -> None:
    world.person.git("worktree", "add", "--quiet", "-b", "side", str(tmp_path / "side"))
    assert publisher.checkouts(("side",))["side"] == Checkout(str(tmp_path / "side"), "side", True)
    shutil.rmtree(tmp_path / "side")
    gone = publisher.checkouts(("side",))["side"]
    assert gone.clean is None
    assert "git worktree prune" in gone.detail


def test_branch_that_a_rebase_is_working_on_is_held(world: World, publisher: Publisher) -> None:
    base = world.person.head
    world.person.commit({"src/auth.py": "one\n"})
    world.person.git("branch", "other", base)
    world.person.git("checkout", "--quiet", "other")
    world.person.commit({"src/auth.py": "two\n"})
    subprocess.run(["git", "rebase", "main"], cwd=world.person.path, capture_output=True, check=False)
    found = publisher.checkouts(("other", "main"))
    assert list(found) == ["other"]
    assert found["other"].clean is False
    assert found["other"].detail == "a rebase is in progress"


def test_index_lock_means_unknown(world: World, publisher: Publisher) -> None:
    (world.person.path / ".git/index.lock").touch()
    assert publisher.checkouts(("main",))["main"].clean is None


def test_bare_repository_has_no_checkout(world: World, tmp_path: Path) -> None:
    world.person.git("clone", "--quiet", "--bare", ".", str(tmp_path / "bare.git"))
    publisher = Publisher(Place(tmp_path / "bare.git", tmp_path / "bare.git/brat", world.bundle_path))
    assert publisher.checkouts(("main",)) == {}
