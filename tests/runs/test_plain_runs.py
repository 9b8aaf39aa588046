"""The ordinary run, and what it leaves."""

from __future__ import annotations

from app.control import End
from tests.runs.world import World


def test_chain_and_one_beside_it_land_once_each(world: World) -> None:
    world.start()
    assert world.run() is End.LANDED
    world.expect_landed("First", "Second", "Third")
    assert set(world.files()) == {"README.md", ".brat/config.toml", "task-1.txt", "task-2.txt", "task-3.txt"}
