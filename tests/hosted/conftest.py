"""A hosted world per test; what the stand-in could not accept fails the test at its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fakehub import Clock, Hub
from tests.hosted.world import HostedWorld

MakeHosted = Callable[..., HostedWorld]


@pytest.fixture
def make_hosted(tmp_path: Path) -> Iterator[MakeHosted]:
    """Worlds with settings of the test's own, on one stand-in."""
    made: list[HostedWorld] = []
    with Hub(tmp_path / "hub", clock=Clock.at_start(live=True)) as hub:

        def make(**settings: Any) -> HostedWorld:
            made.append(HostedWorld.make(tmp_path / "world", hub, **settings))
            return made[-1]

        yield make
        for each in made:
            each.close()
        assert hub.journal.problems == []


@pytest.fixture
def hosted(make_hosted: MakeHosted) -> HostedWorld:
    """The default one: CI is green, nothing has to be approved."""
    return make_hosted()
