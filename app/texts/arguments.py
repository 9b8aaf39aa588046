"""The words behind a command: numbers of tasks, an engine, a strategy, a level, or free text."""

from __future__ import annotations

import re
from collections.abc import Collection

from app.config import STRATEGIES, nearest, nearest_engine
from app.texts.table import PRIORITIES, Argument, Row
from app.values import dataclass

__all__ = ["Given", "Wrong", "read_arguments"]

MOST_TASKS = 500
"""As many as a plan may have."""

_ITEM = re.compile(
    r"(?:task[-s]?)?#?([0-9]{1,6})(?:\s*[-\u2013]\s*(?:task-?)?#?([0-9]{1,6}))?", re.IGNORECASE
)
_FILLERS = ("and", "&", "task", "tasks", "all")


@dataclass(frozen=True, slots=True)
class Given:
    """What was said: tasks in ascending order, one word, or text."""

    numbers: tuple[int, ...] = ()
    word: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Wrong:
    """Why the words do not fit, and what to write instead where one is near."""

    because: str
    nearest: str = ""


def read_arguments(
    row: Row, words: str, *, more: tuple[str, ...], task: int | None, engines: Collection[str]
) -> Given | Wrong:
    """The arguments of one command. `task` is meant where none is named; `more` continues a text."""
    if Argument.TEXT in row.needs:
        text = "\n".join((words, *more)).strip()
        return Given(text=text) if text else Wrong("it needs a text")
    tokens = re.sub(r"[.!]+$", "", words).replace(",", " ").split()
    numbers, tokens = _numbers(tokens) if _takes_tasks(row) else ((), tokens)
    if isinstance(numbers, Wrong):
        return numbers
    if not numbers and task is not None and row.about_task:
        numbers = (task,)
    wrong = _count(row, numbers)
    if wrong is not None:
        return wrong
    return _word(row, tokens, numbers=numbers, engines=engines)


def _takes_tasks(row: Row) -> bool:
    return bool({Argument.TASKS, Argument.TASK} & {*row.needs, *row.takes})


def _numbers(tokens: list[str]) -> tuple[tuple[int, ...] | Wrong, list[str]]:
    """Leading numbers, and the tokens behind them."""
    found: set[int] = set()
    rest = list(tokens)
    while rest and (rest[0].lower() in _FILLERS or _ITEM.fullmatch(rest[0])):
        token = rest.pop(0)
        item = _ITEM.fullmatch(token)
        if item is None:
            continue
        first, last = int(item[1]), int(item[2] or item[1])
        if not 1 <= first <= last or last - first >= MOST_TASKS:
            return Wrong(f"{token} names no tasks: they are counted from 1, ranges go upwards"), rest
        found |= set(range(first, last + 1))
    said = tokens[: len(tokens) - len(rest)]
    if not found and any(each.lower() != "all" for each in said):
        return Wrong("it names no task by its number"), rest
    return tuple(sorted(found)), rest


def _count(row: Row, numbers: tuple[int, ...]) -> Wrong | None:
    if not numbers and {Argument.TASKS, Argument.TASK} & set(row.needs):
        return Wrong("it needs the number of a task")
    if len(numbers) > 1 and Argument.TASK in (*row.needs, *row.takes):
        return Wrong("it takes one task at a time")
    return None


def _word(
    row: Row, tokens: list[str], *, numbers: tuple[int, ...], engines: Collection[str]
) -> Given | Wrong:
    kind = next((each for each in (*row.needs, *row.takes) if each in _WORDS), None)
    if kind is None or (not tokens and kind in row.takes):
        return Wrong(_too_much(tokens)) if tokens else Given(numbers)
    if not tokens:
        return Wrong(f"it needs {_WORDS[kind]}")
    word, rest = tokens[0].lower(), tokens[1:]
    allowed = _allowed(kind, engines)
    if word not in allowed:
        near = nearest_engine(word) if kind is Argument.ENGINE else nearest(word, allowed)
        listed = ", ".join(allowed)
        return Wrong(f"{tokens[0]} is not {_WORDS[kind]} ({listed})", near if near in allowed else "")
    return Wrong(_too_much(rest)) if rest else Given(numbers, word)


_WORDS = {
    Argument.ENGINE: "an engine",
    Argument.STRATEGY: "a strategy",
    Argument.LEVEL: "a level",
}


def _allowed(kind: Argument, engines: Collection[str]) -> tuple[str, ...]:
    if kind is Argument.ENGINE:
        return tuple(engines)
    return STRATEGIES if kind is Argument.STRATEGY else tuple(PRIORITIES)


def _too_much(tokens: list[str]) -> str:
    return f"it does not take “{' '.join(tokens)}”"
