"""Commands of the command line, said as comments: what unblocks a task must work where it is read."""

from __future__ import annotations

from collections.abc import Iterator

from app.board import Convoy
from app.texts.table import COMMANDS, Argument

__all__ = ["as_comment"]

_LOOKS = (("task", "show"), ("convoy", "show"), ("session", "show"))


def as_comment(command: str, convoy: Convoy) -> str:
    """`brat task retry T --engine codex` as `/brat retry 3 codex`; what has no twin stays as it is."""
    program, *words = command.split() or [""]
    if program != "brat":
        return command
    if tuple(words[:2]) in _LOOKS:
        return "/brat status"
    for row in COMMANDS:
        twin = row.twin.split()[1:]
        if "--once" in twin or not _matches(twin, words):
            continue
        if not {Argument.TASKS, Argument.TASK} & {*row.needs, *row.takes} or words[0] == "convoy":
            return f"/brat {row.name}"
        number = next(_numbers(words[2:], convoy), None)
        if number is not None:
            engine = _after("--engine", words)
            return " ".join(["/brat", row.name, str(number), *engine])
    return command


def _matches(twin: list[str], words: list[str]) -> bool:
    """The same command, with the option that tells apart what one word stands for twice."""
    told_apart = ("--head" in twin) == ("--head" in words)
    return words[:2] == twin[:2] and told_apart and ("--engine" not in twin or words[:2] == [])


def _numbers(words: list[str], convoy: Convoy) -> Iterator[int]:
    for task in convoy.tasks:
        if {task.id, task.issue, str(task.number), f"{convoy.slug}/{task.number}"} & set(words[:1]):
            yield task.number


def _after(option: str, words: list[str]) -> list[str]:
    return words[words.index(option) + 1 :][:1] if option in words else []
