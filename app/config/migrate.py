"""Rewrites the Rust tool's file: keys get their new names, what has nothing to set becomes a comment."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from typing import Any

from app.config.fields import shown
from app.config.legacy import LEGACY, Became, became, is_legacy_table
from app.config.names import ENGINES, nearest_engine
from app.config.parse import parse_config
from app.config.places import KeyPath, Spot, spots
from app.config.problems import dotted
from app.config.quantity import format_duration
from app.config.values import STRATEGIES
from app.errors import ConfigError
from app.values import dataclass

__all__ = ["Migration", "migrate"]


@dataclass(frozen=True, slots=True)
class Migration:
    """The new text, and a sentence for each key that changed."""

    text: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Edit:
    """What replaces a key and its value; None: its lines become a comment, as a longer value's do too."""

    spot: Spot
    line: str | None


def migrate(text: str, *, place: str = ".brat/config.toml") -> Migration:
    """The same wishes as a file that parses strictly; a file without the Rust tool's keys stays as it is.

    Raises `ConfigError` for what is wrong with the file beside that.
    """
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError):
        data = {}
    found = spots(text) if data else ()
    old = {spot.path: what for spot in found if not spot.header and (what := became(spot.path))}
    inside = next((spot for spot in found if spot.nested and spot.path in old), None)
    if inside:
        where = f"{place}:{inside.line}:{inside.column}"
        raise ConfigError(
            f"`{dotted(inside.path)}` stands in an inline table, which cannot be rewritten",
            place=where,
            remedy=f"write it as a table, [{dotted(inside.path[:-1])}], and migrate again",
        )
    notes = [_note(path, what, data) for path, what in old.items()]
    edits = [_edit(spot, data, found) for spot in found if spot.path in old and not spot.header]
    edits += [_Edit(spot, None) for spot in found if spot.header and is_legacy_table(spot.path[:1])]
    engine = _default_engine(data, found)
    rewritten = _apply(text, edits) + (f'\n[engine.default]\ntype = "{engine}"\n' if engine else "")
    parse_config(rewritten, place=place)
    return Migration(rewritten, tuple(notes))


def _edit(spot: Spot, data: Mapping[str, Any], found: tuple[Spot, ...]) -> _Edit:
    """A key is renamed inside its own table; it gives way where the new name is there already."""
    what, value = LEGACY[".".join(map(str, spot.path))], _value(data, spot.path)
    new = _RENAMED.get(spot.path)
    if new is None or what.key is None:
        return _Edit(spot, None)
    target = tuple(what.key.split("."))
    written = new(value)
    if written is None or any(each.path == target for each in found):
        return _Edit(spot, None)
    prefix = "" if _in_table(spot, found) else ".".join(target[:-1]) + "."
    return _Edit(spot, f"{prefix}{target[-1]} = {written}")


def _in_table(spot: Spot, found: tuple[Spot, ...]) -> bool:
    above = [each for each in found if each.header and each.key[0] < spot.key[0]]
    return bool(above) and above[-1].path == spot.path[:-1]


def _apply(text: str, edits: list[_Edit]) -> str:
    lines = text.split("\n")
    for spot, line in ((edit.spot, edit.line) for edit in edits):
        first = lines[spot.line - 1]
        if line is not None and spot.line == spot.end_line:
            after = spot.value[1] - spot.key[0] + spot.column - 1
            lines[spot.line - 1] = first[: spot.column - 1] + line + first[after:]
            continue
        for number in range(spot.line - 1, spot.end_line):
            lines[number] = f"# {lines[number]}"
        if line is not None:
            lines[spot.line - 1] = f"{line}\n{lines[spot.line - 1]}"
    rest = "\n".join(lines)
    return rest if not rest or rest.endswith("\n") else rest + "\n"


def _default_engine(data: Mapping[str, Any], found: tuple[Spot, ...]) -> str | None:
    """The Rust tool's one engine, unless the file already says more or the engine does not run here."""
    named = _value(data, ("swarm", "engine"))
    if not isinstance(named, str) or any(spot.path[:2] == ("engine", "default") for spot in found):
        return None
    meant = named if named in ENGINES else nearest_engine(named)
    return meant if meant in ENGINES else None


def _note(path: KeyPath, what: Became, data: Mapping[str, Any]) -> str:
    value = _value(data, path)
    said = f"`{dotted(path)}` {what}"
    if path == ("swarm", "engine") and _default_engine(data, ()) is None:
        return f"{said}; {shown(value)} does not run in this release, so [engine.default] is left to you"
    if path in _RENAMED and _RENAMED[path](value) is None:
        return f"{said}; {shown(value)} has no counterpart and is left out"
    return said


def _value(data: Mapping[str, Any], path: KeyPath) -> Any:
    node: Any = data
    for part in path:
        node = node.get(part) if isinstance(node, dict) else None
    return node


def _milliseconds(value: object) -> str | None:
    whole = isinstance(value, int) and not isinstance(value, bool) and value > 0
    return f'"{format_duration(value)}"' if whole and isinstance(value, int) else None


def _strategy(value: object) -> str | None:
    return f'"{value}"' if value in STRATEGIES else None


_RENAMED: Mapping[KeyPath, Callable[[object], str | None]] = {
    ("refinery", "rebase_strategy"): _strategy,
    ("interventions", "stale_session_ms"): _milliseconds,
    ("interventions", "blocked_task_ms"): _milliseconds,
}
