"""What a forge needs done with git on this machine; whoever wires the rooms hands it in."""

from __future__ import annotations

from typing import Protocol

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
    WorkKey,
)

__all__ = ["Publishing"]


class Publishing(Protocol):
    """Looks at bundles, builds merges, moves refs. Implemented beside the mirror, outside this room."""

    def fetch(self, commits: tuple[str, ...]) -> None:
        """Have what these branch tips reach."""
        ...

    def protect(self, globs: tuple[str, ...]) -> None:
        """Which paths `inspect` calls protected, from now on."""
        ...

    def inspect(self, key: WorkKey) -> Inspection:
        """The look at a bundle."""
        ...

    def build(self, key: CandidateKey) -> Candidate | None:
        """The merge, or None while its commits are not here."""
        ...

    def landing(self, key: LandingKey) -> Landing | None:
        """The trees of a landing that a code host made, or None while its commits are not here."""
        ...

    def patch(self, key: PatchKey) -> Patch | None:
        """Changes of workflow files, or None while their commits are not here."""
        ...

    def diff(self, key: DiffKey) -> str | None:
        """All changes, or None while their commits are not here."""
        ...

    def checkouts(self, branches: tuple[str, ...]) -> dict[str, Checkout]:
        """Where branches are checked out."""
        ...

    def push(self, moves: tuple[RefMove, ...]) -> Outcome:
        """All refs or none."""
        ...

    def take_over(self, checkout: Checkout | None, move: RefMove, log: RefMove | None) -> Outcome:
        """A fast-forward with a working tree."""
        ...
