"""What a request asks, and what may be answered: values without any wire format."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = [
    "Bash",
    "Call",
    "Conversation",
    "Drop",
    "Garbage",
    "Hang",
    "Play",
    "Refuse",
    "Reply",
    "Say",
    "Step",
    "Text",
    "Tool",
    "Write",
    "is_prompt",
    "said",
    "text_of",
]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool the engine offers. `custom` tools take one string, the others JSON arguments by `schema`."""

    name: str
    schema: Mapping[str, Any]
    custom: bool = False
    namespace: str | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """One request, read. `results` are the tool results since the last prompt.

    `text` is all that was sent, `turn` counts the requests of one scenario and key from 1.
    """

    api: str
    model: str
    stream: bool
    prompts: tuple[str, ...]
    results: tuple[str, ...]
    tools: tuple[Tool, ...]
    text: str
    scenario: str = ""
    key: str = ""
    turn: int = 1

    @property
    def prompt(self) -> str:
        """The last thing the engine's user said, or nothing."""
        return self.prompts[-1] if self.prompts else ""


@dataclass(frozen=True, slots=True)
class Write:
    """Make a new file with the engine's own tool. Use `Bash` where one exists: some tools refuse it."""

    path: str
    content: str


@dataclass(frozen=True, slots=True)
class Bash:
    """Run a command with the engine's own shell tool."""

    command: str


@dataclass(frozen=True, slots=True)
class Text:
    """The final answer: the engine's turn ends."""

    text: str


@dataclass(frozen=True, slots=True)
class Refuse:
    """Answer with this HTTP status and the API's own error body."""

    status: int


@dataclass(frozen=True, slots=True)
class Hang:
    """Accept the request and never answer it."""


@dataclass(frozen=True, slots=True)
class Drop:
    """Begin the answer and close the connection in the middle."""


@dataclass(frozen=True, slots=True)
class Garbage:
    """Answer 200 with a body that is neither JSON nor events."""


Step = Write | Bash | Text | Refuse | Hang | Drop | Garbage
Play = Callable[[Conversation], Step]
"""The model of one scenario. It runs in the request's own thread, so it may wait for something."""


@dataclass(frozen=True, slots=True)
class Say:
    """A reply of words."""

    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """A reply that calls a tool: JSON arguments, or one string for a custom tool."""

    tool: Tool
    arguments: Mapping[str, Any] | str


Reply = Say | Call

_ADDED_BY_ENGINE = re.compile(
    r"\s*(<(system-reminder|environment_context|[a-z_ ]*instructions)|# AGENTS\.md)"
)


def is_prompt(text: str) -> bool:
    """Whether a user message is the user's own, and not context that the engine adds in that role."""
    return bool(text.strip()) and not _ADDED_BY_ENGINE.match(text)


def said(content: object) -> str:
    """The words of a message: a string, or the text of its parts."""
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def text_of(value: object) -> str:
    """All text inside a JSON value, in order."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return "\n".join(text_of(each) for each in value.values())
    if isinstance(value, list):
        return "\n".join(text_of(each) for each in value)
    return ""
