"""The room's worked example runs."""

from __future__ import annotations

import doctest

import app.grite


def test_the_worked_example_of_the_room_is_true() -> None:
    results = doctest.testmod(app.grite)
    assert results.attempted > 5
    assert results.failed == 0
