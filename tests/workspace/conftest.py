"""A person's repository, an agent's clone, and the publisher between them."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.workspace import Place, Publisher
from tests.workspace.world import World


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Fresh repositories."""
    return World.make(tmp_path)


@pytest.fixture
def publisher(world: World) -> Publisher:
    """The publisher of that world, with the base in its mirror."""
    made = Publisher(Place(world.person.path / ".git", world.state, world.bundle_path))
    made.fetch((world.person.head,))
    return made
