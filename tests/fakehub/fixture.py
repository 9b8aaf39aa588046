"""The stand-in as a fixture, for any `conftest.py`: `from tests.fakehub.fixture import hub`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakehub import Hub

__all__ = ["hub"]


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    """A running stand-in; what it could not accept fails the test at its end."""
    with Hub(tmp_path / "hub") as made:
        yield made
    assert made.journal.problems == []
