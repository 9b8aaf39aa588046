"""Where a private word may have got to: files, objects of every repository, redis while it runs, and talk."""

from __future__ import annotations

import json
import os
import re
import subprocess
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

import redis

__all__ = ["RedisEar", "files_of", "found_in", "objects_of", "talk", "told_by"]

_PATTERNS = (rb"ghs_[0-9a-f]{20,}", rb"gh[pousr]_[0-9A-Za-z]{20,}", rb"eyJ[\w-]{8,}\.eyJ[\w-]{8,}")
"""Tokens of installations and people, and the App's own signatures."""


def told_by(pem: str) -> tuple[str, ...]:
    """The lines of a key in PEM form that are its own."""
    return tuple(each for each in pem.splitlines() if not each.startswith("-----"))[1:]


def found_in(text: bytes, secrets: Iterable[str]) -> list[str]:
    """Which of them are in it, and what looks like a token."""
    named = [each for each in secrets if each.encode() in text]
    return named + [each.decode() for form in _PATTERNS for each in re.findall(form, text)]


def files_of(folder: Path) -> dict[str, bytes]:
    """Every file below, by its path; sockets and pipes apart, and what is taken away meanwhile."""
    found = {}
    for path in _paths(folder):
        with suppress(FileNotFoundError):
            if path.is_file():
                found[str(path)] = path.read_bytes()
    return found


def objects_of(folder: Path) -> dict[str, bytes]:
    """Every object of every repository below, by the repository's path."""
    found = {}
    for path in _paths(folder):
        if path.name == "HEAD" and (path.parent / "objects").is_dir():
            command = ["git", "-C", str(path.parent), "cat-file", "--batch", "--batch-all-objects"]
            found[str(path.parent)] = subprocess.run(command, check=False, capture_output=True).stdout
    return found


def _paths(folder: Path) -> Iterator[Path]:
    for place, _, names in os.walk(folder):
        yield from (Path(place, each) for each in names)


class RedisEar:
    """Hears every command that redis is given, with its values; at the end all that is still in it."""

    def __init__(self, url: str) -> None:
        self._client = redis.Redis.from_url(url)
        self._heard: list[str] = []
        self._began = threading.Event()
        self._thread = threading.Thread(target=self._listen, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._began.wait(60)
        return self

    def __exit__(self, *why: object) -> None:
        self._client.close()

    def _listen(self) -> None:
        try:
            with self._client.monitor() as monitor:  # type: ignore[no-untyped-call]
                self._began.set()
                for each in monitor.listen():
                    self._heard.append(str(each["command"]))
        except redis.RedisError:
            return

    @property
    def heard(self) -> bytes:
        """So far."""
        return "\n".join(self._heard).encode()

    def kept(self) -> bytes:
        """Keys and values, as redis itself writes them down."""
        dumped = ((key, self._client.dump(key)) for key in self._client.scan_iter())
        return b"\n".join(key + b" " + (value or b"") for key, value in dumped)


def talk(state: dict[str, Any]) -> bytes:
    """All that people can read on the code host."""
    return json.dumps(state).encode()
