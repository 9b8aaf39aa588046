"""Times for people: how long ago, how long it took. Milliseconds in, words out; the clock is the caller's."""

from __future__ import annotations

from datetime import UTC, datetime

__all__ = ["ago", "duration", "elapsed", "in_how_long", "stamp"]

_SECOND = 1000
_MINUTE = 60 * _SECOND
_HOUR = 60 * _MINUTE
_DAY = 24 * _HOUR


def duration(ms: int | float) -> str:
    """`0.4s`, `12s`, `1m 20s`, `3h 05m`, `2d 4h`. Negative spans, from clocks that disagree, are `0.0s`."""
    whole = max(0, int(ms))
    if whole < 10 * _SECOND:
        return f"{whole // 100 / 10:.1f}s"
    if whole < _MINUTE:
        return f"{whole // _SECOND}s"
    if whole < _HOUR:
        return f"{whole // _MINUTE}m {whole % _MINUTE // _SECOND:02d}s"
    if whole < _DAY:
        return f"{whole // _HOUR}h {whole % _HOUR // _MINUTE:02d}m"
    return f"{whole // _DAY}d {whole % _DAY // _HOUR}h"


def ago(ts: int, *, now: int) -> str:
    """`just now`, `40 s ago`, `2 min ago`, `3 h ago`, `5 days ago`."""
    passed = now - ts
    if passed < 5 * _SECOND:
        return "just now"
    return f"{_rough(passed)} ago"


def in_how_long(ts: int, *, now: int) -> str:
    """`now`, `in 40 s`, `in 2 min`, `in 3 h`."""
    left = ts - now
    return "now" if left < _SECOND else f"in {_rough(left)}"


def elapsed(ms: int) -> str:
    """`00:07`, `12:40`, `1:02:03`: fixed width below an hour, for the start of a line."""
    seconds = max(0, ms) // _SECOND
    hours, rest = divmod(seconds, 3600)
    clock = f"{rest // 60:02d}:{rest % 60:02d}"
    return f"{hours}:{clock}" if hours else clock


def stamp(ts: int) -> str:
    """`2025-11-21 11:54:09Z`: a moment in the log, in UTC so that it reads the same everywhere."""
    return datetime.fromtimestamp(ts / 1000, UTC).strftime("%Y-%m-%d %H:%M:%SZ")


def _rough(ms: int) -> str:
    if ms < _MINUTE:
        return f"{ms // _SECOND} s"
    if ms < _HOUR:
        return f"{ms // _MINUTE} min"
    if ms < _DAY:
        return f"{ms // _HOUR} h"
    days = ms // _DAY
    return "1 day" if days == 1 else f"{days} days"
