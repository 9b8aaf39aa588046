"""A repository that means harm is worked on: it runs nothing, and nothing of the person's changes."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from app.control import End
from app.errors import UserError
from app.mayor import Request, open_convoy
from tests.hostile.traps import Alarm, arm, disarm, odd_tree
from tests.runs.world import World
from tests.workspace.world import fingerprint

ONE = "Greet\n- [ ] First\n"
OURS = (
    *(".git/brat", ".git/objects", ".git/refs/grite", ".git/refs/heads/convoy", ".git/refs/heads/main"),
    *(".git/logs/refs/grite", ".git/logs/refs/heads/convoy", ".git/logs/refs/heads/main"),
)
BRANCH = "convoy/greet/task-1"


def test_t22_nothing_that_the_repository_names_is_run(world: World, alarm: Alarm, tmp_path: Path) -> None:
    odd_tree(world, tmp_path)
    world.git("checkout", "-q", "-b", "mine")
    arm(world, alarm)
    before = fingerprint(world.repo, leaving_out=OURS)
    world.start(ONE)
    assert world.run() is End.LANDED, world.told()
    alarm.expect_silence()
    assert fingerprint(world.repo, leaving_out=OURS) == before
    disarm(world)
    assert world.landed() == ("First",)


def test_t22_nothing_is_run_when_the_checkout_is_taken_over(
    world: World, alarm: Alarm, tmp_path: Path
) -> None:
    odd_tree(world, tmp_path)
    arm(world, alarm)
    kept = (world.repo / ".git/config").read_bytes(), fingerprint(world.repo / ".git/hooks")
    before = fingerprint(world.repo, leaving_out=(".git",))
    world.start(ONE)
    assert world.run() is End.LANDED, world.told()
    alarm.expect_silence()
    assert ((world.repo / ".git/config").read_bytes(), fingerprint(world.repo / ".git/hooks")) == kept
    assert (world.repo / "task-1.txt").read_bytes() == b"task-1\r\n"
    after = fingerprint(world.repo, leaving_out=(".git", "task-1.txt"))
    assert after == before
    disarm(world)
    world.expect_clean_checkout()


def test_filter_of_the_person_works_in_their_checkout_and_nowhere_else(world: World) -> None:
    world.commit({".gitattributes": "*.txt filter=rot\n"})
    for side in ("clean", "smudge"):
        world.git("config", f"filter.rot.{side}", f"tee -a {world.root}/{side} | tr a-z n-za-m")
    world.start(ONE)
    assert world.run() is End.LANDED, world.told()
    assert (world.repo / "task-1.txt").read_text() == "gnfx-1\n"
    assert world.git("cat-file", "blob", "main:task-1.txt") == "task-1"
    world.expect_clean_checkout()
    assert (world.root / "smudge").read_text() == "task-1\n"


@pytest.mark.parametrize("name", ["convoy", pytest.param("convoy/greet", marks=pytest.mark.full), BRANCH])
def test_branch_of_the_person_is_in_the_way_and_stays(world: World, name: str) -> None:
    theirs = world.git("commit-tree", "HEAD^{tree}", "-m", "Theirs")
    world.start(ONE)
    world.git("branch", name, theirs)
    assert world.run() is End.WAITING, world.told()
    assert world.works(1) == ()
    assert f"git branch -m {name} " in world.told()
    assert world.git("rev-parse", name) == theirs
    world.git("branch", "-m", name, "mine")
    assert world.run() is End.LANDED, world.told()
    assert world.git("rev-parse", "mine") == theirs


def test_branch_that_appears_while_the_agent_works_is_not_overwritten(world: World) -> None:
    theirs = world.git("commit-tree", "HEAD^{tree}", "-m", "Theirs")
    world.start(ONE)
    began: list[str] = []

    def branch(_: object) -> None:
        if world.works(1) and not began:
            began.append(world.git("branch", BRANCH, theirs))

    assert world.run(on_look=branch) is End.WAITING, world.told()
    assert f"{BRANCH} is at {theirs[:12]}" in world.told()
    world.git("branch", "-m", BRANCH, "mine")
    assert world.run() is End.LANDED, world.told()
    assert len(world.works(1)) == 1
    assert world.git("rev-parse", "mine") == theirs


def test_branch_named_convoy_is_refused_before_anything_is_recorded(world: World) -> None:
    shop = world.workshop()
    asked = Request(ONE, "main", shop.repository.head, "rebase", "auto", "checklist", "Ada", "seed")
    with pytest.raises(UserError, match="git branch -m convoy"):
        open_convoy(shop.view()[0], asked, None, branches=("main", "convoy"), now=1)


def alternates(world: World, alarm: Alarm) -> None:
    moved = world.root / "borrowed"
    (world.repo / ".git/objects").rename(moved)
    (world.repo / ".git/objects/info").mkdir(parents=True)
    (world.repo / ".git/objects/pack").mkdir()
    (world.repo / ".git/objects/info/alternates").write_text(f"{moved}\n")
    world.git("config", "core.alternateRefsCommand", str(alarm.program))


def worktree_config(world: World, alarm: Alarm) -> None:
    world.git("config", "extensions.worktreeConfig", "true")
    world.git("config", "core.repositoryFormatVersion", "1")
    world.git("config", "--worktree", "core.fsmonitor", str(alarm.program))
    world.git("-c", "core.fsmonitor=false", "worktree", "add", "-q", str(world.root / "other"), "-b", "other")


def elsewhere(world: World, alarm: Alarm) -> None:
    """The tree is not beside its repository."""
    tree = world.root / "tree"
    tree.mkdir()
    for name in ("README.md", ".brat"):
        (world.repo / name).rename(tree / name)
    world.git("config", "core.worktree", str(tree))


def replaced(world: World, alarm: Alarm) -> None:
    """What git shows of the base is not what it is."""
    fake = world.git("commit-tree", "HEAD^{tree}", "-m", "Not the base")
    world.git("replace", "HEAD", fake)
    (world.repo / ".git/info").mkdir(exist_ok=True)
    (world.repo / ".git/info/grafts").write_text(f"{world.git('rev-parse', 'HEAD')} {fake}\n")


def rewritten_urls(world: World, alarm: Alarm) -> None:
    own = world.root / "gitconfig"
    own.write_text(
        f'[url "ext::{alarm.program} "]\n\tinsteadOf = /\n[core]\n\thooksPath = {alarm.program.parent}\n'
    )
    os.environ["GIT_CONFIG_GLOBAL"] = str(own)


LAYOUTS = (alternates, worktree_config, elsewhere, replaced, rewritten_urls)


@pytest.mark.full
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda each: each.__name__)
def test_odd_layout_lands_and_runs_nothing(
    world: World, alarm: Alarm, layout: Callable[[World, Alarm], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    base = world.git("rev-parse", "HEAD")
    layout(world, alarm)
    world.start(ONE)
    assert world.run() is End.LANDED, world.told()
    alarm.expect_silence()
    monkeypatch.setenv("GIT_NO_REPLACE_OBJECTS", "1")
    assert world.git("rev-parse", "main~1") == base
    assert world.landed() == ("First",)


@pytest.mark.full
def test_t8_hundred_megabytes_in_the_base_are_carried_and_by_an_agent_refused(world: World) -> None:
    (world.repo / "big.bin").write_bytes(b"\0" * (100 * 1024 * 1024))
    world.commit({"small.txt": "1\n"})
    world.plays("task-1", "cat > /dev/null\ntruncate -s 101M more.bin\n", attempt=1)
    world.start(ONE)
    assert world.run() is End.LANDED, world.told()
    first = world.works(1)[0].ended
    assert first is not None
    assert "105906176 bytes, 52428800 are allowed" in first.evidence
    assert set(world.files()) >= {"big.bin", "task-1.txt"}
