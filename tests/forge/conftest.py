"""The same world as the publisher's tests, behind the forge."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.forge import LocalForge
from app.workspace import Place, Publisher
from tests.workspace.world import World


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Fresh repositories."""
    return World.make(tmp_path)


@pytest.fixture
def forge(world: World) -> LocalForge:
    """A forge with nothing cached."""
    common = world.person.path / ".git"
    return LocalForge(common, Publisher(Place(common, world.state, world.bundle_path)))
