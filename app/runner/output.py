"""The session's output log: redacted as it comes, capped, with its last line kept ready for whoever looks."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable

from app.ports import Clock
from app.runner.folder import Folder
from app.runner.redact import Redactor, last_bytes, one_line, plain_text

__all__ = ["Output", "read_last"]

# Somebody who watches sees a new line at most this late; more often would only cost CPU.
NOTE_EVERY_S = 0.5
LONGEST_LINE = 256 * 1024
KEY_BEGINS, KEY_ENDS = b"-----BEGIN", b"-----END"


class Output:
    """Counts what it is given, raw, and writes it line by line, redacted."""

    def __init__(self, folder: Folder, redactor: Redactor, limit: int, *, clock: Clock) -> None:
        self._folder = folder
        self.redactor = redactor
        self._left = limit
        self._clock = clock
        self._human: Callable[[str], str] = lambda line: line
        self._file = folder.log.open("wb")
        self._partial = b""
        self._noted = 0.0
        self._line = ""

    def speak_through(self, human: Callable[[str], str]) -> None:
        """How a line of this program is told to people; an empty answer is skipped."""
        self._human = human

    def __call__(self, piece: bytes) -> bool:
        """Take a piece; False: the limit is reached."""
        if not piece:
            self._note(now=True)
            return self._left > 0
        self._left -= len(piece)
        lines, newline, partial = (self._partial + piece).rpartition(b"\n")
        if newline and KEY_BEGINS in lines and KEY_ENDS not in lines and len(lines) < LONGEST_LINE:
            self._partial = self._partial + piece
        elif newline:
            self._partial = partial
            self._write(lines + newline)
        elif len(partial) > LONGEST_LINE:
            self._partial = b""
            self._write(partial)
        else:
            self._partial = partial
        self._note()
        return self._left > 0

    def flush(self) -> None:
        """At a program's end: its unfinished line is a line."""
        if self._partial:
            self._write(self._partial + b"\n")
            self._partial = b""
        self._note(now=True)

    def close(self) -> str:
        """Answer the log's digest, `sha256:<hex>`."""
        self.flush()
        self._file.close()
        with self._folder.log.open("rb") as file:
            return f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()}"

    def tail(self) -> str:
        """The last 2 KB."""
        self.flush()
        with self._folder.log.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - 8192))
            return last_bytes(file.read().decode("utf-8", "replace"))

    def _write(self, raw: bytes) -> None:
        # Plain first: a terminal's codes in the middle of a secret would hide it here and not on a screen.
        text = self.redactor(plain_text(raw.decode("utf-8", "replace")))
        if self._left > -LONGEST_LINE:
            self._file.write(text.encode("utf-8", "replace"))
            self._file.flush()
        for line in reversed(text.splitlines()[-20:]):
            told = self.redactor(one_line(self._human(line))) if line.strip() else ""
            if told:
                self._line = told
                break

    def _note(self, *, now: bool = False) -> None:
        tick = time.monotonic()
        if now or tick >= self._noted + NOTE_EVERY_S:
            self._noted = tick
            self._folder.note(self._folder.last, json.dumps([self._clock(), self._line]))


def read_last(folder: Folder) -> tuple[int | None, str]:
    """When the engine last said something, and what."""
    try:
        ts, line = json.loads(folder.last.read_text("utf-8"))
    except (OSError, ValueError):
        return None, ""
    return int(ts), str(line)
