"""What was asked of the stand-in, what it changed, and what it could not accept."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

__all__ = ["Asked", "Change", "Journal"]


@dataclass(frozen=True, slots=True)
class Asked:
    """One request. `route` is `METHOD template`; `free`: answered 304, not charged."""

    route: str
    path: str
    status: int
    by: str
    free: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """One effect that lasts, by whom it was made. `what` as in `comment`, `merge`, `push`, `label`."""

    what: str
    repository: str
    subject: str
    by: str


@dataclass(slots=True)
class Journal:
    """`problems` must be empty at a test's end: unknown routes, and what breaks GitHub's description."""

    asked: list[Asked] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def count(self, route: str = "") -> int:
        """Charged requests whose route holds this text."""
        return sum(route in each.route and not each.free for each in self.asked)

    @property
    def routes(self) -> Counter[str]:
        return Counter(each.route for each in self.asked)

    def changes_of(self, what: str, *, by: str = "") -> list[Change]:
        """Effects of one kind, of one account if named."""
        return [each for each in self.changes if each.what == what and by in ("", each.by)]

    def clear(self) -> None:
        """Forgets requests and problems; effects stay."""
        self.asked.clear()
        self.problems.clear()
