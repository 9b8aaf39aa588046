"""The lines of a text that are a checklist: which ones are boxes, which belong to one, which do not count."""

from __future__ import annotations

import re

from app.values import dataclass

__all__ = ["Box", "Line", "Outline", "has_open_box", "nothing_left", "outline"]

BOX = re.compile(r"( {0,3})(?:[-*+]|[0-9]{1,9}[.)]) +\[([ xX]|[^\w\]]|)\](?: +(.*)|)$")
FENCE = re.compile(r" *(?:[-*+] +)?(`{3,}|~{3,})")
# Boxes this much deeper than the first one are steps inside a task: Markdown nests at two columns.
NESTED = 2


@dataclass(frozen=True, slots=True)
class Line:
    """`number` counts from 1; tabs are spread to 4 columns; `fenced`: inside or bounding a code block."""

    number: int
    text: str
    fenced: bool

    @property
    def indent(self) -> int:
        return len(self.text) - len(self.text.lstrip(" "))


@dataclass(frozen=True, slots=True)
class Box:
    """A task of the list: `mark` is what stands in the box, `body` the indented lines below."""

    line: int
    mark: str
    title: str
    body: tuple[Line, ...]

    @property
    def done(self) -> bool:
        return self.mark in ("x", "X")


@dataclass(frozen=True, slots=True)
class Outline:
    """`prose` is all that belongs to no box; `loose` are its lines that follow a box without a blank line."""

    boxes: tuple[Box, ...]
    prose: tuple[Line, ...]
    loose: tuple[Line, ...]


def has_open_box(text: str) -> bool:
    """Whether the text has a `- [ ]` outside code blocks and HTML comments."""
    return any(box.mark == " " for box in outline(text).boxes)


def nothing_left(text: str) -> bool:
    """Whether the text is a list of boxes, all of them ticked, and says nothing beside headings and a title.

    Ticked boxes beside other prose are no answer to it: issue forms put some under every request.
    """
    found = outline(text)
    said = [line for line in found.prose if line.text and not line.text.lstrip().startswith("#")]
    title = len(said) <= 1 and all(line.number < found.boxes[0].line for line in said if found.boxes)
    return bool(found.boxes) and title and all(box.done for box in found.boxes)


def outline(text: str) -> Outline:
    """Boxes and prose in order. A line belongs to the box above while it is blank or indented deeper."""
    boxes: list[Box] = []
    prose: list[Line] = []
    loose: list[Line] = []
    body: list[Line] = []
    top, adjacent, inside = 0, False, False
    for line in _lines(text):
        found = None if line.fenced else BOX.match(line.text)
        if found and (not boxes or len(found[1]) < top + NESTED):
            top = len(found[1]) if not boxes else min(top, len(found[1]))
            body = []
            boxes.append(Box(line.number, found[2], (found[3] or "").strip(), ()))
            adjacent = inside = True
        elif inside and (not line.text or line.indent > top):
            body.append(line)
            boxes[-1] = Box(boxes[-1].line, boxes[-1].mark, boxes[-1].title, tuple(body))
            adjacent = adjacent and bool(line.text)
        else:
            prose.append(line)
            loose += [line] if adjacent else []
            inside = inside and line.fenced
            adjacent = False
    return Outline(tuple(boxes), tuple(prose), tuple(loose))


def _lines(text: str) -> list[Line]:
    """Lines without those of HTML comments, which people do not see and issue templates are full of."""
    result: list[Line] = []
    fence, hidden = "", False
    for number, raw in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        line = raw.expandtabs(4).rstrip()
        if not fence and (hidden or line.lstrip().startswith("<!--")):
            hidden = "-->" not in line
            continue
        found = FENCE.match(line)
        closes = bool(fence and found and found[1].startswith(fence) and not line.strip().strip(fence[0]))
        opens = bool(not fence and found)
        result.append(Line(number, line, bool(fence) or opens))
        if found and opens:
            fence = found[1]
        elif closes:
            fence = ""
    return result
