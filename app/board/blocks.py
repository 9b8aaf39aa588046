"""Comment blocks: `[session]`, `[merge]` and `[brat]`, written so that no text can close or fake one."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

__all__ = ["Scalar", "looks_like_block", "read_block", "write_json_block", "write_lines_block"]

Scalar = str | int | float | bool | None

_BLOCK = re.compile(r"\[(session|merge|brat)\]\n(.*)\n\[/\1\]", re.DOTALL)
_LINE = re.compile(r"([a-z_]+) = (.*)")


def _quoted(value: object) -> str:
    """JSON on one line. Brackets inside strings are escaped, so a text never looks like a block's end."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=False, separators=(",", ":"))
    text = text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029").replace("\x85", "\\u0085")
    return _in_strings(text)


def _in_strings(text: str) -> str:
    """Escape `[` and `]` where they stand inside a JSON string."""
    return re.sub(
        r'"(?:[^"\\]|\\.)*"',
        lambda match: match.group().replace("[", "\\u005b").replace("]", "\\u005d"),
        text,
    )


def write_lines_block(name: str, values: Mapping[str, Scalar]) -> str:
    """A block of `key = value` lines: quoted text, bare integers, `null`, as the Rust tool writes them."""
    lines = [f"{key} = {_quoted(value)}" for key, value in values.items()]
    return "\n".join([f"[{name}]", *lines, f"[/{name}]"])


def write_json_block(value: Mapping[str, object]) -> str:
    """A `[brat]` block with one line of JSON."""
    return f"[brat]\n{_quoted(dict(value))}\n[/brat]"


def looks_like_block(body: str) -> bool:
    """Whether the text is exactly one block, readable or not."""
    return _BLOCK.fullmatch(body.strip()) is not None


def read_block(body: str) -> tuple[str, dict[str, object]] | None:
    """The block's name and values, or None when the text is not exactly one block.

    Raises ValueError when it is a block whose content cannot be read.
    """
    match = _BLOCK.fullmatch(body.strip())
    if match is None:
        return None
    name, inside = match.groups()
    if name == "brat":
        value = json.loads(inside)
        if not isinstance(value, dict):
            raise ValueError("a [brat] block holds one JSON object")
        return name, value
    values: dict[str, object] = {}
    for line in inside.split("\n"):
        parts = _LINE.fullmatch(line.strip())
        if parts is None:
            raise ValueError(f"not a `key = value` line: {line[:60]!r}")
        values[parts.group(1)] = json.loads(parts.group(2))
    return name, values
