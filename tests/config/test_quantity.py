from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.config import format_duration, format_size, parse_duration, parse_size


@given(st.integers(1, 30 * 86_400_000))
def test_every_duration_is_read_back_as_written(ms: int) -> None:
    assert parse_duration(format_duration(ms)) == ms


@given(st.integers(1, 999_999_999))
def test_every_size_is_read_back_as_written(size: int) -> None:
    assert parse_size(format_size(size)) == size


@pytest.mark.parametrize(
    ("text", "ms"),
    [("30s", 30_000), ("10m", 600_000), ("2h", 7_200_000), ("1h30m", 5_400_000), ("250ms", 250)],
)
def test_durations_are_written_as_people_do(text: str, ms: int) -> None:
    assert parse_duration(text) == ms


@pytest.mark.parametrize("text", ["", "10", "m", "-1s", "1.5h", "10 m", "1m1h", "1s\n", "٣s", "31d", "0ms"])
def test_what_is_no_duration_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="duration"):
        parse_duration(text)


@pytest.mark.parametrize("text", ["", "64", "64mb", "1.5GB", "0KB", "MB", "-1B", "1B\n"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="size"):
        parse_size(text)
