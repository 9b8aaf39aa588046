"""What a newcomer reads when the repository cannot be worked on: place, reason, remedy."""

from __future__ import annotations

from pathlib import Path

import pytest
from inline_snapshot import snapshot

from app.errors import BratError, OperatorError, RepositoryError
from app.workspace import examine
from tests.workspace.world import Repo, World


def words(path: Path, *, base: str | None = None) -> str:
    with pytest.raises(BratError) as told:
        examine(path, base=base)
    return str(told.value).replace(str(path), "HERE")


def test_ordinary_repository(world: World) -> None:
    found = examine(world.person.path / "src")
    assert found.work_tree == world.person.path
    assert found.common_dir == found.git_dir == world.person.path / ".git"
    assert (found.branch, found.base, found.head) == ("refs/heads/main", "refs/heads/main", world.person.head)
    assert found.state_dir == world.person.path / ".git/brat"


def test_bare_repository_is_fine(world: World, tmp_path: Path) -> None:
    world.person.git("clone", "--quiet", "--bare", ".", str(tmp_path / "bare.git"))
    found = examine(tmp_path / "bare.git")
    assert found.bare
    assert found.head == world.person.head


def test_linked_working_tree_shares_the_common_folder(world: World, tmp_path: Path) -> None:
    world.person.git("worktree", "add", "--quiet", "-b", "side", str(tmp_path / "side"))
    found = examine(tmp_path / "side")
    assert found.common_dir == world.person.path / ".git"
    assert found.git_dir != found.common_dir
    assert found.base == "refs/heads/side"


def test_no_repository(tmp_path: Path) -> None:
    assert words(tmp_path) == snapshot("HERE: this is not a git repository\n  → git init")


def test_no_folder(tmp_path: Path) -> None:
    assert words(tmp_path / "none") == snapshot("HERE: there is no such folder\n  → check the path")


def test_no_commits(tmp_path: Path) -> None:
    Repo(tmp_path).git("init", "--quiet", "-b", "main")
    expected = snapshot("""\
HERE: the repository has no commits, so there is nothing to start from
  → git commit --allow-empty -m "Start"\
""")
    assert words(tmp_path) == expected
    assert words(tmp_path, base="main") == expected


def test_detached_head_needs_a_base(world: World) -> None:
    world.person.git("checkout", "--quiet", "--detach")
    assert words(world.person.path) == snapshot("""\
HERE: HEAD is detached, so it is not known which branch the work shall land on
  → say it with --base BRANCH\
""")
    assert examine(world.person.path, base="main").base == "refs/heads/main"


def test_unknown_base_names_the_nearest(world: World) -> None:
    assert words(world.person.path, base="mian") == snapshot(
        "HERE: there is no branch 'mian'\n  → did you mean 'main'?"
    )


def test_shallow_clone(world: World, tmp_path: Path) -> None:
    world.person.commit({"a": "1"})
    url = f"file://{world.person.path}"
    world.person.git("clone", "--quiet", "--depth=1", url, str(tmp_path / "shallow"))
    assert words(tmp_path / "shallow") == snapshot("""\
HERE: this is a shallow clone: the history that merges need is cut off
  → git fetch --unshallow\
""")


def test_other_hash(tmp_path: Path) -> None:
    Repo(tmp_path).git("init", "--quiet", "--object-format=sha256")
    assert "only sha1 can be read" in words(tmp_path)


def test_repository_of_somebody_else(world: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    # git's own switch for its own tests of the ownership check; see setup.c, ensure_valid_ownership.
    kept = program(tmp_path, 'GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec /usr/bin/git "$@"')
    monkeypatch.setenv("PATH", f"{kept}:/usr/bin:/bin")
    assert words(world.person.path) == snapshot("""\
HERE: the repository belongs to another user
  → git config --global --add safe.directory HERE\
""")


def program(folder: Path, line: str) -> Path:
    made = folder / "programs"
    made.mkdir()
    (made / "git").write_text(f"#!/bin/sh\n{line}\n")
    (made / "git").chmod(0o755)
    return made


def test_old_git(world: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(program(tmp_path, "echo git version 2.30.2")))
    assert words(world.person.path) == snapshot("""\
git is 2.30.2, and 2.38 or newer is needed (merges without a checkout)
  → install a newer git\
""")


def test_no_git(world: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(OperatorError, match="git is not installed or not in PATH"):
        examine(world.person.path)


def test_inside_gits_own_folder(world: World) -> None:
    with pytest.raises(RepositoryError, match="inside git's own directory"):
        examine(world.person.path / ".git/refs")
