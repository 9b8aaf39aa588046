"""Durations ("30s", "1h30m") as milliseconds and sizes ("64MB") as bytes, in both directions."""

from __future__ import annotations

import re

__all__ = ["DURATION", "SIZE", "format_duration", "format_size", "parse_duration", "parse_size"]

DURATION = r"^(?=\d)(\d{1,9}d)?(\d{1,9}h)?(\d{1,9}m)?(\d{1,9}s)?(\d{1,9}ms)?$"
"""What a duration looks like; also given to editors."""

SIZE = r"^\d{1,9}(B|KB|MB|GB)$"

_LONGEST_MS = 30 * 86_400_000
_UNITS_MS = (("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1))
_UNITS_BYTES = (("GB", 1024**3), ("MB", 1024**2), ("KB", 1024), ("B", 1))


def parse_duration(text: str) -> int:
    """Milliseconds; more than zero and at most 30 days. Raises `ValueError` with the reason."""
    found = re.fullmatch(DURATION.strip("^$"), text, re.ASCII)
    if found is None:
        raise ValueError('a duration is written like "30s", "10m", "2h" or "1h30m"')
    total = 0
    for part, (unit, factor) in zip(found.groups(), _UNITS_MS, strict=True):
        if part is not None:
            total += int(part.removesuffix(unit)) * factor
    if not 0 < total <= _LONGEST_MS:
        raise ValueError("a duration is more than zero and at most 30d")
    return total


def format_duration(ms: int) -> str:
    """The shortest text that `parse_duration` reads as the same number; "0s" for none."""
    parts = []
    for unit, factor in _UNITS_MS:
        count, ms = divmod(ms, factor)
        if count:
            parts.append(f"{count}{unit}")
    return "".join(parts) or "0s"


def parse_size(text: str) -> int:
    """Bytes, a KB being 1024 of them. Raises `ValueError` with the reason."""
    if re.fullmatch(SIZE.strip("^$"), text, re.ASCII) is None:
        raise ValueError('a size is written like "512KB", "64MB" or "2GB"')
    unit, factor = next(each for each in _UNITS_BYTES if text.endswith(each[0]))
    total = int(text.removesuffix(unit)) * factor
    if total == 0:
        raise ValueError("a size is more than zero")
    return total


def format_size(size: int) -> str:
    """The shortest text that `parse_size` reads as the same number."""
    unit, factor = next(each for each in _UNITS_BYTES if size % each[1] == 0)
    return f"{size // factor}{unit}"
