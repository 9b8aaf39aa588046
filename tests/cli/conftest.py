"""Fixtures of the command's tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.desk import Desk


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A repository with one commit, settings, and a scripted agent."""
    monkeypatch.setenv("COLUMNS", "80")
    return Desk.make(tmp_path, capsys)
