"""The publisher: everything a place for branches needs done with git, behind one value."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

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
    Step,
    WorkKey,
    unnumbered,
)
from app.values import dataclass
from app.workspace.checkouts import Checkouts
from app.workspace.handing import PatchReader
from app.workspace.inspection import Inspector
from app.workspace.merging import Builder
from app.workspace.mirror import Mirror
from app.workspace.pushing import Pusher
from app.workspace.rules import Rules
from app.workspace.takeover import Takeover

__all__ = ["Place", "Publisher"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where things are: the person's repository, our folder in it, and the bundle of a session."""

    common_dir: Path
    state_dir: Path
    bundle_path: Callable[[str], Path]


class Publisher:
    """One repository's mirror with all that works on it. `recover` comes first in each run."""

    def __init__(self, place: Place, rules: Rules | None = None, *, step: Step = unnumbered) -> None:
        self.mirror = Mirror(place.state_dir, place.common_dir, step)
        self._inspector = Inspector(self.mirror, place.bundle_path, rules or Rules(), step=step)
        self._builder = Builder(self.mirror)
        self._patches = PatchReader(self.mirror)
        self._checkouts = Checkouts(place.common_dir)
        self._pusher = Pusher(self.mirror, place.common_dir, step)
        self._takeover = Takeover(place.state_dir, place.common_dir, step)

    def recover(self) -> None:
        """Finish or undo what a killed run left. Raises `RepositoryError` when a person has to look."""
        self._pusher.recover()
        self._takeover.recover()

    def fetch(self, commits: tuple[str, ...]) -> None:
        """Have in the mirror what these tips of the person's branches reach."""
        self.mirror.fetch(commits)

    def protect(self, globs: tuple[str, ...]) -> None:
        """Which paths `inspect` calls protected."""
        self._inspector.protect(globs)

    def inspect(self, key: WorkKey) -> Inspection:
        """The look at a bundle; `problems` when it is refused."""
        return self._inspector.inspect(key)

    def build(self, key: CandidateKey) -> Candidate | None:
        """The merge, or None while its commits are not here."""
        return self._builder.build(key)

    def landing(self, key: LandingKey) -> Landing | None:
        """The trees of a landing, or None while its commits are not here."""
        return self._builder.landing(key)

    def patch(self, key: PatchKey) -> Patch | None:
        """What work does to workflow files, or None while its commits are not here."""
        return self._patches.read(key)

    def diff(self, key: DiffKey) -> str | None:
        """All that work changes; empty: too long, or no text. None while its commits are not here."""
        return self._patches.diff(key)

    def checkouts(self, branches: tuple[str, ...]) -> dict[str, Checkout]:
        """Which of these branches are checked out, and where."""
        return self._checkouts.look(branches)

    def push(self, moves: tuple[RefMove, ...]) -> Outcome:
        """All refs or none, in the person's repository."""
        return self._pusher.push(moves)

    def take_over(self, checkout: Checkout | None, move: RefMove, log: RefMove | None) -> Outcome:
        """Fast-forward a branch together with its working tree; without one it is a push."""
        if checkout is None:
            return self._pusher.push((move,) if log is None else (move, log))
        return self._takeover.take_over(checkout, move, log)
