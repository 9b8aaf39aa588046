"""One tree of exceptions, by who has to act.

    BratError
    ├── UserError          the person who called: arguments, plan, repository (exit 2)
    │   ├── ConfigError    a settings file: names file, line and key
    │   ├── PlanError      a plan that breaks a rule
    │   └── RepositoryError  the repository is not in a state to work on
    ├── OperatorError      whoever runs brat: engine, key, sandbox, disk, git (exit 4)
    ├── Moved              somebody else wrote first: read again, decide again
    ├── Later              time mends it; carries `retry_at`
    └── Defect             our own mistake (exit 70)

Every message names the place, the reason and the remedy. Nothing is retryable
unless its class says so.
"""

from __future__ import annotations

from typing import ClassVar

__all__ = [
    "BratError",
    "ConfigError",
    "Defect",
    "Later",
    "Moved",
    "OperatorError",
    "PlanError",
    "RepositoryError",
    "UserError",
]


class BratError(Exception):
    """An expected failure: what went wrong, where, and what to do about it."""

    exit_code: ClassVar[int] = 70
    retryable: ClassVar[bool] = False

    def __init__(self, reason: str, *, place: str | None = None, remedy: str | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.place = place
        self.remedy = remedy

    def __str__(self) -> str:
        where = f"{self.place}: " if self.place else ""
        then = f"\n  → {self.remedy}" if self.remedy else ""
        return f"{where}{self.reason}{then}"


class UserError(BratError):
    """The caller can mend it."""

    exit_code = 2


class ConfigError(UserError):
    """A settings file is wrong; `place` is `file:line`."""


class PlanError(UserError):
    """A plan breaks rules; each problem names the task and the rule, and all of them are listed."""

    def __init__(self, *problems: str, place: str | None = None, remedy: str | None = None) -> None:
        listed = f"{len(problems)} problems\n" + "\n".join(f"  - {problem}" for problem in problems)
        super().__init__(problems[0] if len(problems) == 1 else listed, place=place, remedy=remedy)
        self.problems = problems


class RepositoryError(UserError):
    """The repository cannot be worked on as it is."""


class OperatorError(BratError):
    """Something on this machine is missing or refuses: engine, key, sandbox, disk, git."""

    exit_code = 4


class Moved(BratError):
    """A compare-and-swap lost: the caller reads again and decides again."""

    retryable = True


class Later(BratError):
    """Time mends it. `retry_at` is in milliseconds since the epoch."""

    retryable = True

    def __init__(
        self, reason: str, *, retry_at: int, place: str | None = None, remedy: str | None = None
    ) -> None:
        super().__init__(reason, place=place, remedy=remedy)
        self.retry_at = retry_at


class Defect(BratError):
    """A state that our own code should have made impossible."""
