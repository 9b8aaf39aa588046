"""A publisher for those who only look: it builds, fetches and moves nothing."""

from __future__ import annotations

from app.ports import (
    Candidate,
    CandidateKey,
    Checkout,
    DiffKey,
    Inspection,
    Landing,
    LandingKey,
    Outcome,
    Patch,
    PatchKey,
    RefMove,
    Refused,
    WorkKey,
)
from app.values import dataclass
from app.workspace import Publisher

__all__ = ["Onlooker"]

_LOOKING = Refused("this process only looks", "brat mayor resume")


@dataclass(frozen=True, slots=True)
class Onlooker:
    """Verdicts follow from the board, refs and checkouts; bundles and merges only lead to facts and actions.

    So a look without them gives the same reasons, in a repository that one may only read, and at once.
    """

    publisher: Publisher

    def fetch(self, commits: tuple[str, ...]) -> None:
        """Nothing is borrowed from here."""

    def protect(self, globs: tuple[str, ...]) -> None:
        """Nothing is looked into."""

    def inspect(self, key: WorkKey) -> Inspection:
        """The bundle stays unopened."""
        return Inspection(key.head)

    def build(self, key: CandidateKey) -> Candidate | None:
        """No merge is built."""
        return None

    def landing(self, key: LandingKey) -> Landing | None:
        """No landing is looked into."""
        return None

    def patch(self, key: PatchKey) -> Patch | None:
        """No work is looked into."""
        return None

    def diff(self, key: DiffKey) -> str | None:
        """No work is looked into."""
        return None

    def checkouts(self, branches: tuple[str, ...]) -> dict[str, Checkout]:
        """Where branches are checked out, and whether they are clean."""
        return self.publisher.checkouts(branches)

    def push(self, moves: tuple[RefMove, ...]) -> Outcome:
        """Refused."""
        return _LOOKING

    def take_over(self, checkout: Checkout | None, move: RefMove, log: RefMove | None) -> Outcome:
        """Refused."""
        return _LOOKING
