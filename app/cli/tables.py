"""Words in columns: what every listing is printed with, on a terminal and in a file alike."""

from __future__ import annotations

import sys
import textwrap
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from app.cli.call import Call
from app.cli.progress import one_line
from app.values import dataclass

__all__ = ["Column", "columns_of", "indented", "put", "style_of", "table"]

_NARROWEST = 12
_STYLES = {"merged": "green", "complete": "green", "blocked": "red", "failed": "red", "held": "yellow"}
_ASCII = str.maketrans(
    {"\u2026": "...", "\u2192": "->", "\u2013": "-", "\u201c": '"', "\u201d": '"', "\u2019": "'"}
)
"""Of our own words and what editors make of quotes; other letters become a question mark."""


@dataclass(frozen=True, slots=True)
class Column:
    """A heading; `right` for numbers, `shrinks` for the one that gives way on a narrow screen."""

    name: str
    right: bool = False
    shrinks: bool = False


def put(call: Call, text: str = "", *, style: str = "") -> None:
    """A line of the answer, printed as it is: no markup, and no letter that the terminal cannot show."""
    encoding = sys.stdout.encoding or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.translate(_ASCII).encode(encoding, "replace").decode(encoding)
    call.line(text, style=style)


def columns_of(call: Call) -> int:
    """How wide the answer may be: the terminal, or 80 where there is none."""
    return max(40, call.columns)


def table(columns: Sequence[Column], rows: Iterable[Sequence[str]], *, room: int) -> Iterator[str]:
    """Aligned lines under their headings; the shrinking column is cut so that a line fits into `room`."""
    cells = [[one_line(cell) for cell in row] for row in rows]
    lines = [[each.name for each in columns], *cells]
    widths = [max(_width(line[at]) for line in lines) for at in range(len(columns))]
    wide = sum(widths) + 2 * (len(widths) - 1)
    for at, column in enumerate(columns):
        if column.shrinks and wide > room:
            widths[at] = max(_NARROWEST, widths[at] - (wide - room))
    for line in lines:
        padded = (
            _padded(_cut(cell, width), width, right=column.right)
            for cell, width, column in zip(line, widths, columns, strict=True)
        )
        yield "  ".join(padded).rstrip()


def indented(text: str, *, by: int, room: int) -> Iterator[str]:
    """Prose in lines that fit, each set in; commands are not broken inside a word."""
    for line in text.splitlines() or [""]:
        margin = " " * (by + min(len(line) - len(line.lstrip(" ")), by + room // 4))
        yield from textwrap.wrap(
            one_line(line),
            room,
            initial_indent=margin,
            subsequent_indent=margin,
            break_long_words=False,
            break_on_hyphens=False,
        )


def style_of(state: str) -> str:
    """The colour of a state's word on a terminal."""
    return _STYLES.get(state, "")


def _width(text: str) -> int:
    """Columns on a screen: wide letters take two, marks that combine none."""
    return sum(
        0 if unicodedata.combining(each) else 2 if unicodedata.east_asian_width(each) in "WF" else 1
        for each in text
    )


def _cut(text: str, width: int) -> str:
    if _width(text) <= width:
        return text
    while text and _width(text) > width - 3:
        text = text[:-1]
    return text.rstrip() + "..."


def _padded(text: str, width: int, *, right: bool) -> str:
    space = " " * max(0, width - _width(text))
    return space + text if right else text + space
