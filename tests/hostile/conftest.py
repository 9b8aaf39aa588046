"""Worlds as for whole runs, and an alarm that nothing outside a sandbox may ring."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.hostile.traps import Alarm
from tests.runs.world import World

Make = Callable[..., World]


@pytest.fixture
def make_world(tmp_path: Path) -> Iterator[Make]:
    """Worlds with settings of the test's own; each is looked over when the story is told."""
    made: list[World] = []

    def make(*, name: str = "world", **settings: Any) -> World:
        made.append(World.make(tmp_path / name, **settings))
        return made[-1]

    yield make
    for world in made:
        world.expect_in_order()


@pytest.fixture
def world(make_world: Make) -> World:
    """Without checks of the repository's own: a run is one session per task."""
    return make_world(config="")


@pytest.fixture
def alarm(tmp_path: Path) -> Alarm:
    """The program that all commands of a hostile repository lead to."""
    return Alarm(tmp_path / "alarm")
