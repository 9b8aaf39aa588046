"""Fixtures of the command's tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.desk import Desk
from tests.cli.hosted import Cloned
from tests.fakehub import Clock, Hub
from tests.hosted.world import HostedWorld


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A repository with one commit, settings, and a scripted agent."""
    monkeypatch.setenv("COLUMNS", "80")
    return Desk.make(tmp_path, capsys)


@pytest.fixture
def cloned(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Cloned]:
    """The App at work on a repository of the stand-in, and a place to clone it to."""
    monkeypatch.setenv("COLUMNS", "100")
    with Hub(tmp_path / "hub", clock=Clock.at_start(live=True)) as hub:
        world = HostedWorld.make(tmp_path / "world", hub)
        try:
            yield Cloned(world, tmp_path / "clone", capsys)
        finally:
            world.close()
        assert hub.journal.problems == []
