"""A `.env` file as a mapping: `NAME=value` lines, quotes around values that span lines.

The format is what https://docs.docker.com/compose/how-tos/environment-variables/variable-interpolation/#env-file-syntax
describes, without interpolation: a value is never made from other values.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import Path

from app.errors import ConfigError, OperatorError

__all__ = ["parse_dotenv", "with_dotenv"]

_LINE = re.compile(
    r"[ \t]*(?:export[ \t]+)?(?P<name>[A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*"
    r"(?:'(?P<single>[^']*)'|\"(?P<double>(?:[^\"\\]|\\.)*)\"|(?P<plain>[^'\"\n][^\n]*)?)"
    r"[ \t]*(?:[ \t]#[^\n]*)?(?:\n|\Z)",
    re.DOTALL,
)
_EMPTY = re.compile(r"[ \t]*(?:#[^\n]*)?(?:\n|\Z)")
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}


def with_dotenv(environ: Mapping[str, str], file: Path, *, secret: Collection[str]) -> dict[str, str]:
    """The environment, with what only the file has. Nothing changes where there is no file.

    Raises ConfigError for a line that is no setting, OperatorError for a file with one of `secret` in it that
    others on this machine can read.
    """
    try:
        text = file.read_text("utf-8")
        mode = file.stat().st_mode
    except FileNotFoundError:
        return dict(environ)
    except (OSError, UnicodeDecodeError) as error:
        raise OperatorError(
            "cannot be read as text", place=str(file), remedy="make it readable, or take it away"
        ) from error
    found = parse_dotenv(text, place=str(file))
    held = sorted(name for name in secret if found.get(name))
    if held and mode & 0o007:
        raise OperatorError(
            f"holds {' and '.join(held)} and everybody on this machine can read it",
            place=str(file),
            remedy=f"chmod 600 {file}",
        )
    return {**found, **environ}


def parse_dotenv(text: str, *, place: str) -> dict[str, str]:
    """Names and values; the last of a name wins. Raises ConfigError naming the line, never its value."""
    text = text.replace("\r\n", "\n")
    found: dict[str, str] = {}
    at = 0
    while at < len(text):
        if empty := _EMPTY.match(text, at):
            at = empty.end()
            continue
        line = _LINE.match(text, at)
        if line is None:
            number = text.count("\n", 0, at) + 1
            raise ConfigError(
                "is no NAME=value", place=f"{place}:{number}", remedy="write NAME=value, or # before a remark"
            )
        found[line["name"]] = _value(line)
        at = line.end()
    return found


def _value(line: re.Match[str]) -> str:
    if line["single"] is not None:
        return line["single"]
    if line["double"] is not None:
        return re.sub(r"\\(.)", lambda each: _ESCAPES.get(each[1], each[1]), line["double"], flags=re.DOTALL)
    return re.split(r"[ \t]#", line["plain"] or "")[0].rstrip()
