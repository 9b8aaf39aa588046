"""What is the person's stays theirs, byte for byte."""

from __future__ import annotations

from pathlib import Path

from app.control import End
from tests.runs.world import World

OURS = ("refs/heads/convoy/", "refs/grite/")
HOOKS = (
    *("reference-transaction", "post-update", "update", "pre-receive", "post-receive", "pre-push"),
    *("post-checkout", "post-merge", "pre-commit", "post-commit", "post-index-change"),
)


def belongings(world: World, *, index: bool) -> dict[str, bytes]:
    """Every file of the person's repository and tree, without objects and without what is ours."""
    apart = (
        *(".git/objects/", ".git/brat/", ".git/grite/", ".git/refs/heads/", ".git/refs/grite/"),
        *(".git/logs/refs/heads/", ".git/logs/refs/grite/"),
    )
    found = {}
    for path in sorted(world.repo.rglob("*")):
        name = str(path.relative_to(world.repo))
        if path.is_file() and not name.startswith(apart) and (index or name != ".git/index"):
            found[name] = path.read_bytes()
    return found


def furnish(world: World) -> None:
    """A repository that is lived in: hooks that tell when they run, a stash, a tag, a note, a config."""
    for name in HOOKS:
        hook = world.repo / ".git/hooks" / name
        hook.write_text(f"#!/bin/sh\necho {name} >> {world.root}/hooks-ran\n")
    world.git("config", "user.nickname", "ada")
    world.git("tag", "v1")
    world.git("notes", "add", "-m", "a note")
    (world.repo / "README.md").write_text("later\n")
    world.git("stash")
    for name in HOOKS:
        (world.repo / ".git/hooks" / name).chmod(0o755)


def others(world: World) -> dict[str, str]:
    """Refs that are not ours and not the base."""
    return {k: v for k, v in world.refs().items() if not k.startswith(OURS) and k != "refs/heads/main"}


def test_person_at_work_on_another_branch_notices_nothing(world: World) -> None:
    furnish(world)
    world.git("checkout", "-q", "-b", "mine")
    (world.root / "hooks-ran").unlink(missing_ok=True)
    (world.repo / "staged.txt").write_text("staged\n")
    world.git("-c", "core.hooksPath=/dev/null", "add", "staged.txt")
    (world.repo / "README.md").write_text("half a thought\n")
    (world.repo / "loose.txt").write_text("untracked\n")
    before, refs = belongings(world, index=True), others(world)
    world.start()
    assert world.run() is End.LANDED
    assert belongings(world, index=True) == before
    assert others(world) == refs
    assert set(world.landed()) == {"First", "Second", "Third"}
    assert not (world.root / "hooks-ran").exists()


def test_clean_checkout_of_the_base_is_taken_along_and_nothing_else(world: World) -> None:
    furnish(world)
    (world.root / "hooks-ran").unlink(missing_ok=True)
    before, refs = belongings(world, index=False), others(world)
    world.start()
    assert world.run() is End.LANDED
    after = belongings(world, index=False)
    added = {name: after.pop(name) for name in ("task-1.txt", "task-2.txt", "task-3.txt")}
    for name in (".git/logs/HEAD", ".git/ORIG_HEAD"):
        after[name] = before[name] if name in before else after.pop(name, b"")
    assert after == before
    assert others(world) == refs
    assert set(added.values()) == {b"task-1\n", b"task-2\n", b"task-3\n"}
    assert not (world.root / "hooks-ran").exists()
    world.expect_clean_checkout()


def test_dirty_checkout_of_the_base_is_left_alone_and_the_command_is_said(world: World) -> None:
    world.start()
    (world.repo / "README.md").write_text("half a thought\n")
    before = belongings(world, index=False)
    head = world.git("rev-parse", "main")
    assert world.run() is End.WAITING
    assert "git merge --ff-only convoy/three-parts/main" in world.told()
    assert belongings(world, index=False) == before
    assert world.git("rev-parse", "main") == head
    world.git("checkout", "README.md")
    assert world.run() is End.LANDED
    world.expect_landed("First", "Second", "Third")


def test_untracked_file_in_the_way_is_never_overwritten(world: World) -> None:
    world.start()
    mine = world.repo / "task-2.txt"
    mine.write_text("precious\n")
    assert world.run() is End.WAITING
    assert mine.read_text() == "precious\n"
    assert "task-2.txt" in world.told()
    mine.unlink()
    assert world.run() is End.LANDED
    world.expect_landed("First", "Second", "Third")


def test_hooks_of_the_story_do_run_for_the_person(world: World) -> None:
    furnish(world)
    (world.root / "hooks-ran").unlink(missing_ok=True)
    world.git("checkout", "-q", "-b", "mine")
    assert "post-checkout" in Path(world.root / "hooks-ran").read_text()
