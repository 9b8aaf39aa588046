"""Freeze windows, in their own time zone."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.config import FreezeCron, FreezeSpan
from app.policy import frozen_until, judge
from app.ports import VerdictState
from tests.policy.values import NOW, case, part

HOUR = 3_600_000
BERLIN = "Europe/Berlin"
WEEKEND = FreezeCron("0 17 * * FRI", 63 * HOUR, BERLIN)


def at(moment: str, zone: str = BERLIN) -> int:
    return int(datetime.fromisoformat(moment).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


@pytest.mark.parametrize(
    ("moment", "until"),
    [
        ("2026-11-13T16:59:59", None),
        ("2026-11-13T17:00:00", "2026-11-16T08:00"),
        ("2026-11-15T12:00:00", "2026-11-16T08:00"),
        ("2026-11-16T07:59:59", "2026-11-16T08:00"),
        ("2026-11-16T08:00:00", None),
    ],
)
def test_a_weekend_is_frozen_from_friday_evening_to_monday_morning(moment: str, until: str | None) -> None:
    assert frozen_until(WEEKEND, at(moment)) == (at(until) if until else None)


def test_the_hour_is_that_of_the_zone_also_after_the_clocks_changed() -> None:
    summer, winter = at("2026-07-10T17:00"), at("2026-11-13T17:00")
    assert (summer // HOUR) % 24 == 15
    assert (winter // HOUR) % 24 == 16
    for start in (summer, winter):
        assert frozen_until(WEEKEND, start - 1) is None
        assert frozen_until(WEEKEND, start) == start + 63 * HOUR


def test_windows_that_touch_are_one() -> None:
    """Nights of workdays follow each other over a day that is frozen too."""
    daily = FreezeCron("0 0 * * MON-FRI", 24 * HOUR, "UTC")
    assert frozen_until(daily, at("2026-11-09T05:00", "UTC")) == at("2026-11-14T00:00", "UTC")


def test_a_freeze_for_ever_has_an_end_to_look_again_at() -> None:
    always = FreezeCron("* * * * *", HOUR, "UTC")
    until = frozen_until(always, NOW)
    assert until is not None
    assert until > NOW


@given(st.integers(0, 10_000_000), st.integers(1, 10_000_000), st.integers(0, 30_000_000))
def test_a_span_is_frozen_from_its_start_up_to_its_end(start: int, length: int, now: int) -> None:
    span = FreezeSpan(start, start + length)
    assert (frozen_until(span, now) is not None) == (start <= now < start + length)


def test_a_frozen_case_waits_for_the_end_of_the_last_open_window() -> None:
    spans = (FreezeSpan(NOW - 1, NOW + HOUR), FreezeSpan(NOW - 1, NOW + 2 * HOUR, BERLIN))
    verdict = part(judge(case(policy={"freeze": spans})), "freeze")
    assert (verdict.state, verdict.next_look_ts) == (VerdictState.WAITING, NOW + 2 * HOUR)
    assert verdict.because == "until 2027-01-15 11:00 Europe/Berlin"
    assert judge(case(policy={"freeze": (FreezeSpan(NOW + 1, NOW + 2),)})).state is VerdictState.DONE
