"""What is wrong with a settings file: found all at once, each with place, key, reason and remedy."""

from __future__ import annotations

import re
from collections.abc import Iterable

from app.config.fields import shown
from app.config.names import nearest
from app.config.places import KeyPath, Spot, locate
from app.errors import ConfigError
from app.values import dataclass

__all__ = ["Answer", "Problem", "config_error", "dotted", "unknown_key", "wrong_value"]

_MOST = 40
"""Problems shown; a file with more is not read to the end by anybody."""

_WANTED = {
    "bool_type": "wants true or false",
    "int_type": "wants a whole number",
    "float_type": "wants a number",
    "string_type": "wants text in quotes",
    "list_type": "wants a list",
    "dict_type": "wants a table",
    "model_type": "wants a table",
    "finite_number": "wants a finite number",
}
_BOUNDS = {
    "greater_than_equal": ("ge", "wants {} or more"),
    "less_than_equal": ("le", "wants {} or less"),
    "greater_than": ("gt", "wants more than {}"),
    "string_too_long": ("max_length", "wants at most {} characters"),
    "too_short": ("min_length", "wants at least {} in the list"),
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said about one key."""

    reason: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """One wrong thing: `path` names the key."""

    path: KeyPath
    answer: Answer


def dotted(path: KeyPath) -> str:
    """`refinery.check[1].name`, the array's elements counted from 1."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part + 1}]"
        else:
            bare = part if re.fullmatch(r"[A-Za-z0-9_-]{1,60}", part) else shown(part)
            text += f".{bare}" if text else bare
    return text


def unknown_key(key: str, *, here: Iterable[str], tables: dict[str, tuple[str, ...]]) -> Answer:
    """A key that no table knows, with the name that was probably meant. `tables` are all keys by table."""
    homes = [table for table, keys in tables.items() if key in keys]
    if homes:
        where = " or ".join(
            f"in [{table}]" if table else "at the top of the file, above the first [table]" for table in homes
        )
        return Answer(f"unknown key here: it belongs {where}")
    known = sorted(here)
    meant = nearest(key, known)
    if meant:
        return Answer(f"unknown key, did you mean `{meant}`?", f"allowed here: {', '.join(known)}")
    return Answer("unknown key", f"allowed here: {', '.join(known)}")


def wrong_value(kind: str, value: object, context: dict[str, object]) -> Answer:
    """A validation error of pydantic in words. Source: https://docs.pydantic.dev/latest/errors/validation_errors/"""
    if kind == "brat":
        return Answer(str(context["reason"]), str(context["remedy"]))
    if kind == "literal_error":
        allowed = re.findall(r"'([^']*)'", str(context["expected"]))
        meant = nearest(value, allowed) if isinstance(value, str) else None
        hint = f", did you mean `{meant}`?" if meant else ""
        return Answer(f"{shown(value)} is not allowed{hint}", f"allowed: {', '.join(allowed)}")
    if kind in _BOUNDS:
        name, words = _BOUNDS[kind]
        return Answer(f"{words.format(_plain(context[name]))}, got {shown(value)}")
    return Answer(f"{_WANTED.get(kind, 'has a wrong value')}, got {shown(value)}")


def _plain(bound: object) -> str:
    return f"{bound:g}" if isinstance(bound, float) else str(bound)


def config_error(
    problems: Iterable[Problem], *, place: str, found: tuple[Spot, ...], remedy: str = ""
) -> ConfigError:
    """All problems in one error, in the order of the file, one to a line with the remedy under it."""
    lines = []
    for problem in problems:
        spot = locate(found, problem.path)
        where = f"{place}:{spot.line}:{spot.column}" if spot else place
        key = dotted(problem.path)
        said = problem.answer.reason
        text = f"`{key}` {said}" if key and said.startswith(("is ", "wants ", "has ")) else f"`{key}`: {said}"
        order = (spot.line, spot.column) if spot else (0, 0)
        lines.append((order, where, text if key else said, problem.answer.remedy))
    lines.sort(key=lambda line: line[0])
    if len(lines) == 1:
        _, where, text, mend = lines[0]
        return ConfigError(text, place=where, remedy=mend or remedy or None)
    rows = [
        f"{where}: {text}" + (f"\n    → {mend}" if mend else "") for _, where, text, mend in lines[:_MOST]
    ]
    listed = "".join(f"\n  {row}" for row in rows)
    count = f"more than {_MOST}" if len(lines) > _MOST else str(len(lines))
    return ConfigError(f"{count} problems{listed}", place=place, remedy=remedy or None)
