"""The `key: value` lines below a checklist's task."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from app.mayor.fields import SIZES, duration_ms
from app.mayor.nearest import misspelt

__all__ = ["KEYS", "Reading", "key_of", "read_key"]

KEY = re.compile(r" *([A-Za-z][A-Za-z_-]*):(?: +(.*))?$")
KEYS = ("after", "engine", "kind", "paths", "reads", "run", "size", "timeout")


@dataclass(slots=True)
class Reading:
    """What the lines below one task have said so far."""

    kind: str | None = None
    engine: str | None = None
    size: str | None = None
    timeout_ms: int | None = None
    paths: list[str] = field(default_factory=list)
    reads: list[str] = field(default_factory=list)
    run: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    instructions: list[str] = field(default_factory=list)


def key_of(line: str) -> tuple[str, str] | None:
    """Key (lower case) and value where a line has that form; `Note: ...` has it too."""
    found = KEY.match(line)
    return (found[1].lower(), (found[2] or "").strip()) if found else None


def read_key(reading: Reading, key: tuple[str, str]) -> str | None:
    """Takes a key into `reading`.

    None: not a key, so the line is instructions; "": taken; else the problem.
    """
    name, value = key
    if name not in KEYS:
        near = misspelt(name, KEYS)
        return f"`{name}:` is not a key; did you mean `{near}:`?" if near else None
    if not value:
        return f"`{name}:` has no value"
    if name in ("kind", "engine"):
        return _once(reading, name, value.lower())
    if name == "size":
        size = value.upper()
        return _once(reading, name, size) if size in SIZES else f"`size: {value}`: allowed are S, M and L"
    if name == "timeout":
        ms = duration_ms(value)
        return _once(reading, "timeout_ms", ms) if ms else f"`timeout: {value}`: write it like 30s, 20m or 2h"
    _more(reading, name, value)
    return ""


def _once(reading: Reading, name: str, value: str | int) -> str:
    if getattr(reading, name) is not None:
        return f"`{name.removesuffix('_ms')}:` stands twice below one task"
    setattr(reading, name, value)
    return ""


def _more(reading: Reading, name: str, value: str) -> None:
    """Keys that may stand several times; only globs are split at commas."""
    if name == "run":
        reading.run.append(_bare(value))
    elif name == "after":
        reading.after.append(value)
    else:
        globs = reading.paths if name == "paths" else reading.reads
        globs += [_bare(part.strip()) for part in value.split(",") if part.strip()]


def _bare(text: str) -> str:
    """Without the backticks that Markdown wants around code."""
    quoted = len(text) > 2 and text[0] == text[-1] == "`" and "`" not in text[1:-1]
    return text[1:-1].strip() if quoted else text
