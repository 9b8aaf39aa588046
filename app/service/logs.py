"""One JSON object per line on standard error, without secrets.

Which delivery, repository, convoy, task or session a line is about comes from `context`, or from
`extra={"convoy": …}` at the call.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from msgspec.json import Encoder

__all__ = ["FIELDS", "JsonLines", "Redact", "context", "log_to"]

FIELDS = (
    "delivery",
    "event",
    "repository",
    "convoy",
    "task",
    "session",
    "action",
    "because",
    "outcome",
    "retry_at",
    "worker",
)
"""What a line may be about; other extras are left out."""

_TOLD = ("msg", *FIELDS)
_ENCODER = Encoder(enc_hook=str)
_HIDDEN = "<redacted>"
_SHAPES = re.compile(
    r"gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|sk-[A-Za-z0-9_-]{16,}"
    r"|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"
    r"|(?<=://)[^/\s:@]*:[^/\s@]+(?=@)|(?<=[?&]password=)[^&\s]+"
    r"|(?i:(?<=bearer )[^\s\"',]{8,}|(?<=token )[^\s\"',]{20,})",
    re.DOTALL,
)
_context: ContextVar[Mapping[str, Any]] = ContextVar("brat_log_context", default=MappingProxyType({}))


@contextmanager
def context(**about: object) -> Iterator[None]:
    """Lines written inside, in this task and the threads it starts, are about this."""
    token = _context.set({**_context.get(), **about})
    try:
        yield
    finally:
        _context.reset(token)


class Redact(logging.Filter):
    """Takes known secrets, and whatever looks like a token or a key, out of a line."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        super().__init__()
        parts = {part for each in secrets for part in (each, each.strip()) if len(part) >= 4}
        self._secrets = sorted(parts, key=len, reverse=True)

    def filter(self, record: logging.LogRecord) -> bool:
        """The arguments are put in first: a secret may stand in one of them."""
        record.msg, record.args = record.getMessage(), None
        if record.exc_info:
            record.exc_text = self.clean(logging.Formatter().formatException(record.exc_info))
            record.exc_info = None
        told = {name: value for name in _TOLD if isinstance(value := getattr(record, name, None), str)}
        # One search for a whole line: next to none holds a secret.
        together = "\n".join(told.values())
        if self.clean(together) != together:
            for name, value in told.items():
                setattr(record, name, self.clean(value))
        return True

    def clean(self, text: str) -> str:
        """The text without secrets."""
        for each in self._secrets:
            text = text.replace(each, _HIDDEN)
        return _SHAPES.sub(_HIDDEN, text)


class JsonLines(logging.Formatter):
    """`{"time", "level", "logger", "message", …}`; a line break inside is escaped, so a line is a record."""

    def format(self, record: logging.LogRecord) -> str:
        told: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **_context.get(),
        }
        told |= {name: value for name in FIELDS if (value := getattr(record, name, None)) is not None}
        if record.exc_text:
            told["exception"] = record.exc_text
        try:
            return _ENCODER.encode(told).decode()
        except UnicodeEncodeError:
            # A name from the file system may hold bytes that are no text.
            return json.dumps(told, default=str)


def log_to(stream: Any = None, *, secrets: Iterable[str] = ()) -> None:
    """All loggers of this process to `stream`, else standard error."""
    handler = logging.StreamHandler(sys.stderr if stream is None else stream)
    handler.setFormatter(JsonLines())
    handler.addFilter(Redact(secrets))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    # No line tells these, and looking them up is half its cost:
    # https://docs.python.org/3/howto/logging.html#optimization
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    vars(logging)["_srcfile"] = None
    # These say each job and each request at INFO, which ours already tell of.
    for chatty in ("arq", "httpx", "hishel", "uvicorn"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
