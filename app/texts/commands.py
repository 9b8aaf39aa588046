"""Commands in comments: from a comment's text to what was asked, or to what was wrong with it."""

from __future__ import annotations

from collections.abc import Collection

from app.config import ENGINES
from app.ports import Comment
from app.texts.arguments import Wrong, read_arguments
from app.texts.live import Line, live_lines
from app.texts.markdown import short
from app.texts.table import PRIORITIES, Place, nearest_command, row_of
from app.values import dataclass

__all__ = ["Command", "Mistake", "parse", "read_comment"]

MOST = 20
"""Commands that one comment may give; nobody needs more, and each costs an answer."""


@dataclass(frozen=True, slots=True)
class Command:
    """What a person asked for. No `numbers`: all that it fits. `line` is the comment's, from 1."""

    name: str
    numbers: tuple[int, ...] = ()
    word: str = ""
    text: str = ""
    line: int = 1

    @property
    def level(self) -> int:
        """The number behind a priority's word."""
        return PRIORITIES[self.word or "high"]

    def __str__(self) -> str:
        parts = ["/brat", self.name, _ranges(self.numbers), self.word, self.text]
        return " ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Mistake:
    """A line that is no command: what it said, why, the form that is expected, and the nearest right one."""

    said: str
    because: str
    form: str = ""
    nearest: str = ""
    line: int = 1


def parse(
    body: str, *, place: Place = Place.ISSUE, task: int | None = None, engines: Collection[str] = ENGINES
) -> tuple[Command | Mistake, ...]:
    """The commands of a comment, in order. `task` is the one whose own pull request this is.

    A text (`replan`, `answer`) goes on to the end of its paragraph or to the next command.
    """
    found = live_lines(body)
    read = tuple(_one(line, place, task=task, engines=engines) for line in found[:MOST])
    if len(found) <= MOST:
        return read
    over = found[MOST]
    because = f"only the first {MOST} commands of a comment are carried out; {len(found) - MOST} more are not"
    return (*read, Mistake(_said(over), because, line=over.number))


def read_comment(
    comment: Comment,
    *,
    place: Place = Place.ISSUE,
    task: int | None = None,
    engines: Collection[str] = ENGINES,
) -> tuple[Command | Mistake, ...]:
    """The commands of a comment as it was written. Our own give none; an edited one gives a mistake.

    Who edited it is not known here, and need not be who wrote it.
    """
    if comment.author.ours:
        return ()
    read = parse(comment.body, place=place, task=task, engines=engines)
    if not comment.edited or not read:
        return read
    first = live_lines(comment.body)[0]
    because = "the comment was edited; commands count as they were first written"
    return (Mistake(_said(first), because, "the command in a new comment", line=first.number),)


def _one(line: Line, place: Place, *, task: int | None, engines: Collection[str]) -> Command | Mistake:
    name, rest = (*line.words.split(None, 1), "", "")[:2]
    name = short(name.rstrip(".!:").lower(), 40)
    if not name:
        return Command("help", line=line.number)
    row = row_of(name)
    if row is None:
        near = row_of(nearest_command(name))
        form, meant = (near.form, near.name) if near else ("/brat help", "")
        return Mistake(_said(line), f"there is no command {name}", form, meant, line.number)
    if not row.fits(place):
        because = f"{name} is about a whole convoy, and this is a pull request: write it in the issue"
        return Mistake(_said(line), because, row.form, line=line.number)
    given = read_arguments(row, rest, more=line.more, task=task, engines=engines)
    if isinstance(given, Wrong):
        return Mistake(_said(line), given.because, row.form, given.nearest, line.number)
    return Command(row.name, given.numbers, given.word, given.text, line.number)


def _said(line: Line) -> str:
    return short(f"/brat {line.words}", 120)


def _ranges(numbers: tuple[int, ...]) -> str:
    """`1,3-5`."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return ",".join(str(each[0]) if len(each) == 1 else f"{each[0]}-{each[-1]}" for each in parts)
