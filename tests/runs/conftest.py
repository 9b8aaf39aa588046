"""A world per test, looked over when the story is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.runs.world import World

Make = Callable[..., World]


@pytest.fixture
def make_world(tmp_path: Path) -> Iterator[Make]:
    """Worlds with settings of the test's own; `name` tells several apart."""
    made: list[World] = []

    def make(*, name: str = "world", **settings: Any) -> World:
        made.append(World.make(tmp_path / name, **settings))
        return made[-1]

    yield make
    for world in made:
        world.expect_in_order()


@pytest.fixture
def world(make_world: Make) -> World:
    """The default one: two checks of nothing much, agents that write a file each."""
    return make_world()
