"""Where in a comment commands may stand: lines that a reader sees as the writer's own words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

from app.values import dataclass

__all__ = ["Line", "live_lines"]

_COMMAND = re.compile(r"^( {0,3})/brat(?=\s|$)", re.IGNORECASE | re.MULTILINE)
_MARK = "\ue000"
"""A private character; the comment's own ones are replaced first, so a marked line is one of ours."""

_MARKED = re.compile(f"{_MARK}(\\d+){_MARK}")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_QUOTING_TAG = re.compile(
    r"<(/?)(?:blockquote|code|details|del|kbd|pre|s|samp|strike)\b[^>]*>", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Line:
    """A line that begins with `/brat`: the words behind it, and the rest of its paragraph."""

    number: int
    words: str
    more: tuple[str, ...] = ()


def live_lines(body: str) -> tuple[Line, ...]:
    """The lines that give commands, read as CommonMark and tables are (https://github.github.com/gfm/).

    Not in quotations (lazy lines too), code, comments, HTML that quotes, strikes out or folds, and image
    texts. Indented by up to three blanks outside lists only. A tag that is not closed hides the rest.
    """
    text = body.replace("\r\n", "\n").replace("\r", "\n").replace(_MARK, "\ufffd")
    if not _COMMAND.search(text):
        return ()
    marked, indents = _mark(text)
    found = list(_walk(_parser().parse(marked), indents))
    return tuple(sorted(found, key=lambda line: line.number))


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark").enable(["table", "strikethrough"])


def _mark(text: str) -> tuple[str, dict[int, int]]:
    """Each candidate's `/brat` becomes a mark with its line number; the indents are by that number."""
    lines, indents = text.split("\n"), {}
    for number, line in enumerate(lines, 1):
        if candidate := _COMMAND.match(line):
            indents[number] = len(candidate[1])
            lines[number - 1] = f"{candidate[1]}{_MARK}{number}{_MARK}{line[candidate.end() :]}"
    return "\n".join(lines), indents


def _walk(tokens: list[Token], indents: dict[int, int]) -> Iterator[Line]:
    quotes = lists = tags = 0
    for token in tokens:
        quotes += _nesting(token, "blockquote")
        lists += _nesting(token, "list_item")
        if token.type == "html_block":
            tags = _inside(tags, token.content)
        if token.type != "inline":
            continue
        alive: set[int] = set()
        for child, number in _starts(token):
            if child.type == "html_inline":
                tags = _inside(tags, child.content)
            if number is not None and not quotes and not tags and not (lists and indents[number]):
                alive.add(number)
        yield from _lines(token.content, alive)


def _starts(token: Token) -> Iterator[tuple[Token, int | None]]:
    """Every part of the paragraph, with the number of the command line that begins in it."""
    struck = 0
    for child in token.children or ():
        struck += _nesting(child, "s")
        marked = _MARKED.match(child.content) if child.type == "text" and not struck else None
        yield child, int(marked[1]) if marked else None


def _lines(content: str, alive: set[int]) -> Iterator[Line]:
    rows = content.split("\n")
    starts = [
        (at, int(found[1]))
        for at, row in enumerate(rows)
        if (found := _MARKED.match(row.lstrip())) and int(found[1]) in alive
    ]
    for (at, number), (end, _) in pairwise([*starts, (len(rows), 0)]):
        first, *more = (_MARKED.sub("/brat", row).strip() for row in rows[at:end])
        yield Line(number, first.removeprefix("/brat").strip(), tuple(more))


def _inside(depth: int, markup: str) -> int:
    for closing in _QUOTING_TAG.findall(_COMMENT.sub("", markup)):
        depth = max(0, depth - 1) if closing else depth + 1
    return depth


def _nesting(token: Token, kind: str) -> int:
    return token.nesting if token.type in (f"{kind}_open", f"{kind}_close") else 0
