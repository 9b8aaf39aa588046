"""A glob as an automaton: folder names in a row, each a row of characters."""

from __future__ import annotations

from app.values import dataclass

__all__ = ["Char", "Pattern", "Segment", "of_glob", "of_path"]

Spans = tuple[tuple[int, int], ...]
SLASH = ord("/")
ANY: Spans = ((0, SLASH - 1), (SLASH + 1, 0x10FFFF))


@dataclass(frozen=True, slots=True)
class Char:
    """One character out of `spans` (inclusive code points, never a slash); `repeat`: any number of them."""

    spans: Spans
    repeat: bool = False


Segment = tuple[Char, ...] | None
"""One folder or file name; None is `**`: any number of names."""

Pattern = tuple[Segment, ...]

STAR = Char(ANY, repeat=True)
ONE: Segment = (STAR,)


def of_path(path: str) -> Pattern:
    """The automaton of exactly one file."""
    return tuple(tuple(_literal(char) for char in name) for name in path.split("/"))


def of_glob(glob: str) -> Pattern:
    """The automaton of all files a glob covers; what it names may be a folder, so it ends open."""
    names = glob.rstrip("/").split("/")
    pattern: list[Segment] = [None if name == "**" else _segment(name) for name in names]
    if len(names) == 1 and not glob.endswith("/") and any(char in glob for char in "*?["):
        pattern.insert(0, None)
    if pattern[-1] is None:
        pattern[-1:] = [ONE]
    elif glob.endswith("/"):
        pattern.append(ONE)
    return (*pattern, None)


def _segment(name: str) -> Segment:
    chars: list[Char] = []
    at = 0
    while at < len(name):
        if name[at] == "*":
            if not chars or chars[-1] is not STAR:
                chars.append(STAR)
        elif name[at] == "?":
            chars.append(Char(ANY))
        elif name[at] == "[" and (end := _class_end(name, at)) > 0:
            chars.append(Char(_class(name[at + 1 : end])))
            at = end
        else:
            chars.append(_literal(name[at]))
        at += 1
    return tuple(chars)


def _literal(char: str) -> Char:
    return Char(((ord(char), ord(char)),))


def _class_end(name: str, start: int) -> int:
    """Where a `[...]` closes, or -1; a `]` in first place is a member."""
    first = start + 1
    if first < len(name) and name[first] in "!^":
        first += 1
    return name.find("]", first + 1)


def _class(body: str) -> Spans:
    negated = body[0] in "!^"
    members = body[1:] if negated else body
    spans: list[tuple[int, int]] = []
    at = 0
    while at < len(members):
        if members[at + 1 : at + 2] == "-" and at + 2 < len(members):
            spans.append((ord(members[at]), ord(members[at + 2])))
            at += 3
        else:
            spans.append((ord(members[at]), ord(members[at])))
            at += 1
    if negated:
        return _without(ANY, (*spans, (SLASH, SLASH)))
    return _without(tuple(span for span in spans if span[0] <= span[1]), ((SLASH, SLASH),))


def _without(spans: Spans, holes: Spans) -> Spans:
    for low, high in holes:
        cut: list[tuple[int, int]] = []
        for start, end in spans:
            cut += (
                [(start, min(end, low - 1)), (max(start, high + 1), end)] if low <= high else [(start, end)]
            )
        spans = tuple(sorted({span for span in cut if span[0] <= span[1]}))
    return spans
