"""Token counts seen in passing: the largest of each name in an answer, whatever its format. Pure."""

from __future__ import annotations

import re

__all__ = ["Meter"]

COUNTS = re.compile(rb'"(input_tokens|output_tokens|prompt_tokens|completion_tokens)"\s*:\s*(\d{1,12})(?=\D)')
NAMES = {b"prompt_tokens": b"input_tokens", b"completion_tokens": b"output_tokens"}
# Longer than any match, so that a count cut in two by a border of pieces is found.
OVERLAP = 64


class Meter:
    """Fed with an answer's pieces. A streamed answer says its counts several times, growing."""

    def __init__(self) -> None:
        self._end = b""
        self._most: dict[bytes, int] = {}

    def feed(self, piece: bytes) -> None:
        text = self._end + piece
        for name, digits in COUNTS.findall(text):
            known = NAMES.get(name, name)
            self._most[known] = max(self._most.get(known, 0), int(digits))
        self._end = text[-OVERLAP:]

    def counts(self) -> dict[str, int]:
        return {name.decode(): most for name, most in self._most.items()}
