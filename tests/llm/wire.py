"""What the three wire formats have in common: their contract, ids and token counts."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from tests.llm.conversation import Conversation, Reply

__all__ = ["TOKENS_IN", "TOKENS_OUT", "Event", "Json", "Wire", "fresh_id"]

TOKENS_IN = 1000
TOKENS_OUT = 50
"""Every answer claims these, so that a test can add them up."""

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Event:
    """One server-sent event; its data are JSON, or a bare word such as `[DONE]`."""

    data: Mapping[str, Any] | str
    name: str | None = None

    def encode(self) -> bytes:
        """The event as it stands on the wire."""
        data = self.data if isinstance(self.data, str) else json.dumps(self.data)
        head = f"event: {self.name}\n" if self.name else ""
        return f"{head}data: {data}\n\n".encode()


class Wire(Protocol):
    """One API of a model: requests in, answers out, whole or streamed."""

    def parse(self, body: Json) -> Conversation:
        """What the request asks, without scenario."""
        ...

    def whole(self, model: str, reply: Reply) -> Json:
        """The answer as one body."""
        ...

    def events(self, model: str, reply: Reply) -> Iterator[Event]:
        """The answer as a stream."""
        ...

    def error(self, status: int) -> Json:
        """The body that goes with an HTTP status."""
        ...


def fresh_id(prefix: str) -> str:
    """An id as these APIs make them: a prefix that names the kind, then random characters."""
    return prefix + uuid.uuid4().hex[:24]
