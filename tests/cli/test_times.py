"""Times read as people say them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.cli.times import ago, duration, elapsed, in_how_long, stamp


@pytest.mark.parametrize(
    ("ms", "words"),
    [
        (0, "0.0s"),
        (-5, "0.0s"),
        (9_990, "9.9s"),
        (10_000, "10s"),
        (80_000, "1m 20s"),
        (11_100_000, "3h 05m"),
        (187_200_000, "2d 4h"),
    ],
)
def test_durations_have_at_most_two_units(ms: int, words: str) -> None:
    assert duration(ms) == words


@pytest.mark.parametrize(
    ("passed", "words"),
    [
        (0, "just now"),
        (40_000, "40 s ago"),
        (130_000, "2 min ago"),
        (7_200_000, "2 h ago"),
        (90_000_000, "1 day ago"),
        (200_000_000, "2 days ago"),
    ],
)
def test_the_past_is_rough(passed: int, words: str) -> None:
    assert ago(1_000_000_000 - passed, now=1_000_000_000) == words


def test_the_future_is_rough_too() -> None:
    assert in_how_long(120_000, now=0) == "in 2 min"
    assert in_how_long(0, now=120_000) == "now"


def test_elapsed_is_a_clock() -> None:
    assert [elapsed(ms) for ms in (7_000, 760_000, 3_723_000)] == ["00:07", "12:40", "1:02:03"]


def test_a_stamp_is_utc() -> None:
    assert stamp(1_763_726_049_000) == "2025-11-21 11:54:09Z"


@given(st.integers(-(10**12), 10**12))
def test_every_span_has_words(ms: int) -> None:
    assert duration(ms)
    assert ago(0, now=ms)
    assert elapsed(ms)
