"""Scenarios by name, as functions of the conversation."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from tests.llm.conversation import (
    Bash,
    Conversation,
    Drop,
    Garbage,
    Hang,
    Play,
    Refuse,
    Step,
    Text,
    Write,
)

__all__ = ["in_order", "play_named", "read_steps"]

_DONE = Text("All done: created hello.txt.")
_NAMED: Mapping[str, Step] = {
    "chat": Text("I did nothing."),
    "drop": Drop(),
    "garbage": Garbage(),
    "hang": Hang(),
    "loop": Bash("true"),
}
_DO_LINE = re.compile(r"(?m)^\W*DO: (.+?)`?\s*$")


def in_order(*steps: Step) -> Play:
    """One step per tool result, then the last one again and again. An engine without tools gets the first."""
    return lambda conversation: steps[min(len(conversation.results), len(steps) - 1)]


def play_named(name: str, scripts: Mapping[str, Iterable[Step]]) -> Play:
    """The play behind a scenario's name.

    `ok`, `chat`, `drop`, `garbage`, `hang`, `loop`, `obey`, `401` (any status), `flaky2` (the first two
    requests get 500), `script:<name>` (one of `scripts`). An unknown name raises KeyError.
    """
    if name == "ok":
        return in_order(Write("hello.txt", "hello\n"), _DONE)
    if name == "obey":
        return _obey
    if name in _NAMED:
        return in_order(_NAMED[name])
    if re.fullmatch(r"[45]\d\d", name):
        return in_order(Refuse(int(name)))
    if flaky := re.fullmatch(r"flaky(\d+)", name):
        return _flaky(int(flaky[1]))
    if name.startswith("script:"):
        return in_order(*scripts[name.removeprefix("script:")])
    raise KeyError(name)


def read_steps(path: Path) -> tuple[Step, ...]:
    """Steps from a JSON file: `[{"write": {"path": …, "content": …}}, {"bash": …}, {"text": …}]`."""
    return tuple(_step(each) for each in json.loads(path.read_text()))


def _step(given: Mapping[str, object]) -> Step:
    match given:
        case {"write": {"path": str(path), "content": str(content)}}:
            return Write(path, content)
        case {"bash": str(command)}:
            return Bash(command)
        case {"text": str(text)}:
            return Text(text)
        case _:
            raise ValueError(f"not a step: {given!r} (write, bash or text)")


def _obey(conversation: Conversation) -> Step:
    """Each line `DO: <command>` of the prompt is one shell step, in order."""
    commands = list(dict.fromkeys(_DO_LINE.findall(conversation.prompt)))
    done = len(conversation.results)
    return Bash(commands[done]) if done < len(commands) else Text("Done.")


def _flaky(failures: int) -> Play:
    healthy = play_named("ok", {})
    return lambda conversation: Refuse(500) if conversation.turn <= failures else healthy(conversation)
