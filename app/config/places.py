"""Where each key of a TOML text stands. The text's meaning comes from `tomllib`; this only finds places.

Grammar: https://toml.io/en/v1.0.0
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterator

from app.values import dataclass

__all__ = ["KeyPath", "Spot", "locate", "spots"]

KeyPath = tuple[str | int, ...]
"""Keys from the top of the file; an int counts the elements of an array."""

_TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}' + r"|'''.*?'{3,5}" + r'|"(?:\\.|[^"\\\n])*"' + r"|'[^'\n]*'"
    r"|\#[^\n]*|\n|[\[\]{},=.]|[ \t\r]+|[^\s\[\]{},=.\"'\#]+|.",
    re.DOTALL,
)


_DEEPEST = 60
"""Levels; what is nested deeper is not looked into, so that no text can exhaust the stack."""


@dataclass(frozen=True, slots=True)
class Spot:
    """One key or table header. Lines and columns count from 1; `end_line` is the value's last line.

    `key` and `value` are offsets into the text (start, end); a header's `value` is empty. `nested`:
    inside an inline table or array.
    """

    path: KeyPath
    line: int
    column: int
    end_line: int
    key: tuple[int, int]
    value: tuple[int, int]
    header: bool = False
    nested: bool = False


def spots(text: str) -> tuple[Spot, ...]:
    """Every key and header in the order of the text; of a broken text, as far as it can be read."""
    return tuple(_Scan(text).document())


def locate(found: tuple[Spot, ...], path: KeyPath) -> Spot | None:
    """The place of a key, else of the nearest table around it, else None (the whole file)."""
    for length in range(len(path), 0, -1):
        for spot in found:
            if spot.path[:length] == path[:length]:
                return spot
    return None


class _Scan:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = [
            (each.group(), each.start())
            for each in _TOKEN.finditer(text)
            if not each.group().isspace() or each.group() == "\n"
        ]
        self.tokens = [each for each in self.tokens if not each[0].startswith("#")]
        self.lines = [0, *(each.end() for each in re.finditer("\n", text))]
        self.at = 0
        self.arrays: dict[KeyPath, int] = {}

    def document(self) -> Iterator[Spot]:
        table: KeyPath = ()
        while (token := self.peek()) != "":
            if token == "\n":
                self.at += 1
                continue
            if token == "[":
                header = self.header()
                table = header.path
                yield header
            else:
                yield from self.pair(table)
            self.skip_to("\n")

    def header(self) -> Spot:
        start = self.offset()
        self.at += 1
        many = self.peek() == "["
        self.at += many
        path = self.resolve(self.key("]"))
        if many:
            bare = path[:-1] if path and isinstance(path[-1], int) else path
            self.arrays[bare] = self.arrays.get(bare, 0) + 1
            path = (*bare, self.arrays[bare] - 1)
        return self.spot(path, (start, self.offset()), (start, start), header=True)

    def pair(self, table: KeyPath, *, nested: bool = False) -> Iterator[Spot]:
        start = self.offset()
        path = (*table, *self.key("="))
        end = self.end_before()
        self.at += 1
        begin, at = self.offset(), self.at
        inner = list(self.value(path))
        self.at = max(self.at, at + 1)
        yield self.spot(path, (start, end), (begin, self.end_before()), nested=nested)
        yield from inner

    def value(self, path: KeyPath) -> Iterator[Spot]:
        opened = self.peek()
        if len(path) > _DEEPEST:
            self.at = len(self.tokens)
            return
        if opened not in ("[", "{"):
            self.skip_to(",", "]", "}", "\n")
            return
        close = {"[": "]", "{": "}"}[opened]
        self.at += 1
        index = 0
        while (token := self.peek()) not in (close, ""):
            if token in (",", "\n"):
                self.at += 1
            elif opened == "{":
                yield from self.pair(path, nested=True)
            else:
                before = self.at
                yield from self.value((*path, index))
                self.at = max(self.at, before + 1)
                index += 1
        self.at += 1

    def key(self, until: str) -> tuple[str, ...]:
        parts = []
        while (token := self.peek()) not in (until, "\n", ""):
            if token != ".":
                parts.append(_unquoted(token))
            self.at += 1
        return tuple(parts)

    def resolve(self, parts: tuple[str, ...]) -> KeyPath:
        path: KeyPath = ()
        for part in parts:
            path = (*path, part)
            if path in self.arrays:
                path = (*path, self.arrays[path] - 1)
        return path

    def spot(
        self,
        path: KeyPath,
        key: tuple[int, int],
        value: tuple[int, int],
        *,
        header: bool = False,
        nested: bool = False,
    ) -> Spot:
        line = bisect_right(self.lines, key[0])
        end_line = bisect_right(self.lines, max(value[1], key[0]))
        column = key[0] - self.lines[line - 1] + 1
        return Spot(path, line, column, end_line, key, value, header, nested)

    def peek(self) -> str:
        return self.tokens[self.at][0] if self.at < len(self.tokens) else ""

    def offset(self) -> int:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else len(self.text)

    def end_before(self) -> int:
        token, start = self.tokens[min(self.at, len(self.tokens)) - 1]
        return start + len(token)

    def skip_to(self, *stops: str) -> None:
        while self.peek() not in (*stops, ""):
            self.at += 1


def _unquoted(token: str) -> str:
    if token[0] not in "\"'":
        return token
    try:
        return str(tomllib.loads(f"k = {token}")["k"])
    except tomllib.TOMLDecodeError:
        return token
