"""What goes wrong on demand: per route and count, before the effect or after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

__all__ = ["Fault", "Faults"]


@dataclass(slots=True)
class Fault:
    """Strikes `count` matching requests after letting `skip` pass.

    `route` is a pattern over `METHOD template` or `METHOD path` (`PUT */merge`, `POST */graphql`,
    `POST */git-receive-pack`). `status` 0 cuts the connection. `after`: once the effect is done.
    `back`: answer as of that many changes ago. `refused`: a push's reason, by ref pattern.
    """

    route: str
    status: int = 502
    after: bool = False
    count: int = 1
    skip: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    message: str = "Server Error"
    back: int = 0
    refused: str = ""
    struck: int = 0

    def matches(self, method: str, *places: str) -> bool:
        return any(fnmatchcase(f"{method} {place}", self.route) for place in places)

    def strikes(self) -> bool:
        """Counts one matching request; whether it is struck."""
        if self.skip:
            self.skip -= 1
            return False
        self.count -= 1
        self.struck += 1
        return True


@dataclass(slots=True)
class Faults:
    """Armed faults, oldest first; at most one strikes a request at each point."""

    armed: list[Fault] = field(default_factory=list)

    def add(self, route: str, **how: Any) -> Fault:
        """`hub.faults.add("PUT */merge", status=502, after=True)`."""
        made = Fault(route, **how)
        self.armed.append(made)
        return made

    def limited(self, route: str, *, form: str, now: int, count: int = 1) -> Fault:
        """A rate limit as GitHub words it: `retry-after`, `reset`, `secondary` (no header) or `429`."""
        reset = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(now // 1000 + 60)}
        headers = {"retry-after": {"retry-after": "60"}, "429": {"retry-after": "60"}, "reset": reset}.get(
            form, {}
        )
        primary = "API rate limit exceeded for installation."
        secondary = (
            "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
        )
        status = 429 if form == "429" else 403
        message = primary if form == "reset" else secondary
        return self.add(route, status=status, headers=headers, message=message, count=count)

    def find(self, method: str, *places: str, after: bool = False) -> Fault | None:
        """The fault that strikes now with an answer of its own."""
        return self._strike(
            method, places, lambda each: not (each.back or each.refused) and each.after is after
        )

    def stale(self, method: str, *places: str) -> int:
        """How many changes ago this read sees the world."""
        found = self._strike(method, places, lambda each: bool(each.back))
        return found.back if found else 0

    def refused_push(self, place: str) -> str:
        """Why the host refuses this push, or nothing."""
        found = self._strike("POST", (place,), lambda each: bool(each.refused))
        return found.refused if found else ""

    @property
    def remembers(self) -> int:
        """How many changes back anyone still wants to look."""
        return max((each.back for each in self.armed), default=0)

    def clear(self) -> None:
        self.armed.clear()

    def _strike(self, method: str, places: tuple[str, ...], which: Any) -> Fault | None:
        for each in self.armed:
            if each.count > 0 and which(each) and each.matches(method, *places):
                return each if each.strikes() else None
        return None
