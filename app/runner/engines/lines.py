"""Reading JSON lines of engines: foreign data, so every field may be missing or of another type."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

__all__ = ["count", "json_lines", "number", "tool_line"]


def json_lines(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects among the lines; other lines are skipped."""
    for line in text.splitlines():
        if line.lstrip().startswith("{"):
            try:
                value = json.loads(line)
            except ValueError:
                continue
            if isinstance(value, dict):
                yield value


def count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e9:
        return None
    return float(value)


def tool_line(name: str, what: str) -> str:
    """`Bash: pytest -q`, on one line."""
    return f"{name}: {' '.join(what.split())}"
