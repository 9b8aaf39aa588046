"""A repository that means harm is worked on: it runs nothing, and nothing of the person's changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.control import End
from tests.hostile.traps import Alarm, arm, odd_tree
from tests.runs.world import World
from tests.workspace.world import fingerprint

ONE = "Greet\n- [ ] First\n"
OURS = (".git/brat", ".git/objects", ".git/refs/grite", ".git/refs/heads/convoy", ".git/refs/heads/main")
OURS += (".git/logs/refs/grite", ".git/logs/refs/heads/convoy", ".git/logs/refs/heads/main")


def test_t22_nothing_that_the_repository_names_is_run(world: World, alarm: Alarm, tmp_path: Path) -> None:
    odd_tree(world, tmp_path)
    world.git("checkout", "-q", "-b", "mine")
    arm(world, alarm)
    before = fingerprint(world.repo, leaving_out=OURS)
    world.start(ONE)
    assert world.run() is End.LANDED, world.told()
    alarm.expect_silence()
    assert fingerprint(world.repo, leaving_out=OURS) == before


def test_t22_checkout_out(world: World, alarm: Alarm, tmp_path: Path) -> None:
    odd_tree(world, tmp_path)
    arm(world, alarm)
    config = (world.repo / ".git/config").read_bytes()
    world.start(ONE)
    assert world.run() is End.LANDED, world.told()
    alarm.expect_silence()
    assert (world.repo / ".git/config").read_bytes() == config
    assert (world.repo / "task-1.txt").read_bytes() == b"task-1\r\n"
