"""The last answer to each question, so that an unchanged one is free (304)."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict

from app.forge.github.tokens import Token
from app.forge.github.wire import Reply

__all__ = ["Remembered"]

_MOST_ANSWERS = 2000
_MOST_BYTES = 16_000_000
"""Of one repository: two full pages of the longest comments, or hundreds of usual ones."""


class Remembered:
    """One answer for each question; what was not asked for longest is forgotten first.

    An etag belongs to the token that got it, and tokens change hourly: the next one's answer takes its place.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[bytes, Reply]] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    @property
    def size(self) -> tuple[int, int]:
        """How many answers, and bytes of them."""
        return len(self._kept), self._bytes

    def of(self, token: Token, question: str) -> Reply | None:
        """What this token was answered."""
        with self._lock:
            holder, reply = self._kept.get(question, (b"", None))
            if reply is None or holder != _name(token):
                return None
            self._kept.move_to_end(question)
            return reply

    def keep(self, token: Token, question: str, reply: Reply) -> None:
        """In place of the answer before. What is too big for all is not kept at all."""
        with self._lock:
            self._forget(question)
            if len(reply.body) > _MOST_BYTES:
                return
            self._kept[question] = (_name(token), reply)
            self._bytes += len(reply.body)
            while len(self._kept) > _MOST_ANSWERS or self._bytes > _MOST_BYTES:
                self._forget(next(iter(self._kept)))

    def _forget(self, question: str) -> None:
        _, before = self._kept.pop(question, (b"", None))
        self._bytes -= len(before.body) if before is not None else 0


def _name(token: Token) -> bytes:
    """Not the token itself: memory is dumped sometimes."""
    return hashlib.sha256(token.text.encode()).digest()
