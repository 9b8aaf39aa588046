"""Where a worker may die: each named step and each change asked of GitHub, counted over all processes.

A worker dies here by an exception that no `except Exception` stops, and its object is thrown away with all it
remembered. Two things are gentler than a real SIGKILL: locks are let go by closing files, which the kernel
does for a dead process too, and `finally` removes scratch (half-made session folders, what an inspection
unpacked), which a real kill leaves behind. Real kills with what they leave are in tests/crash.
Sessions are processes of their own and outlive the worker.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from app.forge.github import Reply

__all__ = ["SIDES", "Killed", "Points", "Strike", "changes", "strikes_of"]

SIDES = ("before", "after")
_VARIABLE = re.compile(r"(?<=/)(\d+|[0-9a-f]{40})(?=/|$)")
_HOST = re.compile(r"^https?://[^/]+")
_REPOSITORY = re.compile(r"^/repos/[^/]+/[^/]+")
_FREE = re.compile(r"/access_tokens$")

Send = Callable[..., Reply]


class Killed(BaseException):
    """The worker is dead."""


@dataclass(frozen=True, slots=True)
class Strike:
    """At the `occurrence`-th point of this name (from 1), before its effect or after it.

    After a request to GitHub: it was done there, and the answer came to nobody.
    """

    name: str
    occurrence: int
    side: str

    def __str__(self) -> str:
        return f"{self.side} {self.name} {self.occurrence}"


@dataclass
class Points:
    """Counts points; at an ordered one the worker dies. `names` are all that were passed, in order.

    `over`: what is done now only checks the end.
    """

    names: list[str] = field(default_factory=list)
    ordered: set[Strike] = field(default_factory=set)
    struck: list[Strike] = field(default_factory=list)
    over: bool = False
    _counts: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """The `Step` of a struck world."""
        if self.over:
            yield
            return
        occurrence = self._counted(name)
        self._strike(Strike(name, occurrence, "before"))
        yield
        self._strike(Strike(name, occurrence, "after"))

    def sending(self, send: Send) -> Send:
        """`Wire.send` with a point around each request that changes something."""

        def numbered(wire: Any, method: str, url: str, **how: Any) -> Reply:
            if not changes(method, url, how.get("body")):
                return send(wire, method, url, **how)
            with self.step(_name(method, url)):
                return send(wire, method, url, **how)

        return numbered

    def _counted(self, name: str) -> int:
        self.names.append(name)
        self._counts[name] += 1
        return self._counts[name]

    def _strike(self, here: Strike) -> None:
        if here in self.ordered:
            self.ordered.discard(here)
            self.struck.append(here)
            raise Killed(str(here))


def strikes_of(names: list[str]) -> list[Strike]:
    """Every point of a run, in order; a name that comes more than twice is struck on alternating sides,
    since after one effect is all but before the next.
    """
    total, seen = Counter(names), Counter[str]()
    found = []
    for name in names:
        seen[name] += 1
        sides = SIDES if total[name] < 3 else (SIDES[seen[name] % 2],)
        found += [Strike(name, seen[name], side) for side in sides]
    return found


def changes(method: str, url: str, body: Any) -> bool:
    """Whether this request asks GitHub for a lasting change."""
    if url.endswith("/graphql"):
        return str((body or {}).get("query", "")).lstrip().startswith("mutation")
    return method != "GET" and not _FREE.search(url)


def _name(method: str, url: str) -> str:
    return f"{method} {_VARIABLE.sub('*', _REPOSITORY.sub('', _HOST.sub('', url)))}"
