"""What engines asked, kept as values, so that a test can look at both sides."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, replace

from tests.llm.conversation import Conversation, Step

__all__ = ["Request", "Requests"]


@dataclass(frozen=True, slots=True)
class Request:
    """One request. Times are ms since the epoch; `api` is `other` for what is no conversation.

    `authorization` is the whole value of the header the engine sent its key in.
    """

    at: int
    path: str
    authorization: str
    api: str = "other"
    scenario: str = ""
    key: str = ""
    model: str = ""
    prompts: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    text: str = ""
    answer: Step | None = None
    answered_at: int | None = None

    @property
    def prompt(self) -> str:
        """The last thing the engine's user said, or nothing."""
        return self.prompts[-1] if self.prompts else ""

    @classmethod
    def of(cls, path: str, authorization: str, asked: Conversation | None = None) -> Request:
        """A request that arrives now."""
        arrived = cls(at=_now(), path=path, authorization=authorization)
        if asked is None:
            return arrived
        return replace(
            arrived,
            api=asked.api,
            scenario=asked.scenario,
            key=asked.key,
            model=asked.model,
            prompts=asked.prompts,
            results=asked.results,
            tools=tuple(tool.name for tool in asked.tools),
            text=asked.text,
        )


class Requests:
    """A list that many threads write."""

    def __init__(self) -> None:
        self._all: list[Request] = []
        self._lock = threading.Lock()

    def add(self, request: Request) -> int:
        """Keep it; the answer is its place in the list."""
        with self._lock:
            self._all.append(request)
            return len(self._all) - 1

    def answered(self, place: int, step: Step) -> None:
        """Note what the model decided."""
        with self._lock:
            self._all[place] = replace(self._all[place], answer=step, answered_at=_now())

    def all(self) -> tuple[Request, ...]:
        """A copy of what is there."""
        with self._lock:
            return tuple(self._all)


def _now() -> int:
    return time.time_ns() // 1_000_000
