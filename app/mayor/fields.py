"""What the fields of a plan may hold: sizes, shapes and durations, in one place for every planner."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

__all__ = [
    "COMMANDS",
    "GLOBS",
    "MAX_TASKS",
    "SIZES",
    "Command",
    "Commit",
    "Duration",
    "GlobText",
    "Instructions",
    "Line",
    "Name",
    "Prose",
    "Size",
    "Title",
    "duration_ms",
    "duration_text",
]

Size = Literal["S", "M", "L"]
SIZES: tuple[Size, ...] = ("S", "M", "L")

MAX_TASKS = 200
GLOBS = 40
COMMANDS = 20
INSTRUCTION_BYTES = 16 * 1024
LONGEST_MS = 24 * 3_600_000
SHORTEST_MS = 1_000

UNITS = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000}
# Tab and newline are text; the rest of C0, DEL and lone surrogates cannot be shown, hashed or written.
UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")


def duration_ms(text: str) -> int | None:
    """Milliseconds of `90s`, `20m`, `1h` or `1500ms`; None when it is not a duration."""
    found = re.fullmatch(r"([0-9]{1,9})(ms|s|m|h)", text.strip())
    return int(found[1]) * UNITS[found[2]] if found else None


def duration_text(ms: int) -> str:
    """The shortest exact way to write it: 1200000 is `20m`."""
    unit = next(unit for unit in ("h", "m", "s", "ms") if ms % UNITS[unit] == 0)
    return f"{ms // UNITS[unit]}{unit}"


def _printable(text: str) -> str:
    if found := UNPRINTABLE.search(text):
        raise ValueError(
            f"holds the control character U+{ord(found[0]):04X}; only tab and newline are allowed"
        )
    return text


def _one_line(text: str) -> str:
    _printable(text)
    if len(text.splitlines()) > 1 or text.strip() != text:
        raise ValueError("must be one line without space at its ends")
    if not text:
        raise ValueError("is empty")
    return text


def _small(text: str) -> str:
    size = len(_printable(text).encode())
    if size > INSTRUCTION_BYTES:
        raise ValueError(f"has {size} bytes; at most {INSTRUCTION_BYTES} allowed")
    return text


def _duration(text: str) -> str:
    ms = duration_ms(text)
    if ms is None or not SHORTEST_MS <= ms <= LONGEST_MS:
        raise ValueError(f"is {text!r}; allowed: a duration from 1s to 24h, like 30s, 20m or 2h")
    return text


Name = Annotated[str, Field(pattern=r"^[a-z0-9-]{1,40}$")]
Title = Annotated[str, Field(max_length=120), AfterValidator(_one_line)]
Line = Annotated[str, Field(max_length=1_000), AfterValidator(_one_line)]
Prose = Annotated[str, Field(max_length=4_000), AfterValidator(_printable)]
Instructions = Annotated[str, AfterValidator(_small)]
Command = Annotated[str, Field(min_length=1, max_length=4_000), AfterValidator(_printable)]
GlobText = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_printable)]
Commit = Annotated[str, Field(pattern=r"^([0-9a-f]{40}|[0-9a-f]{64})$")]
Duration = Annotated[str, AfterValidator(_duration)]
