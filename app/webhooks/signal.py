"""What a delivery says: look there."""

from __future__ import annotations

from app.values import dataclass

__all__ = ["Signal"]


@dataclass(frozen=True, slots=True)
class Signal:
    """Something of this kind changed.

    Without a repository the whole installation is to be looked at; without an installation the delivery did
    not say whose token sees the repository. `number` is an issue's or a pull request's.
    """

    repository: int | None
    installation: int | None
    kind: str
    number: int | None = None
