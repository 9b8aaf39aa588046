"""A plain repository as the place where branches and the log live."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

from app.errors import BratError
from app.forge.publisher import Publishing
from app.forge.refs import RefReader
from app.ports import Checkout, Done, HubAction, Outcome, RefMove, Refused, Seen, Wanted

__all__ = ["LocalForge"]

_BRANCHES = "refs/heads/"


class LocalForge:
    """The `Forge` of a repository on this machine; `git_dir` is its common directory."""

    def __init__(self, git_dir: Path, publisher: Publishing) -> None:
        self._refs = RefReader(git_dir)
        self._publisher = publisher

    def refresh(self) -> None:
        """Nothing to do: the repository is here."""

    def observe(self, wanted: Wanted) -> Seen:
        """Look once. Branches enter the mirror first; a candidate whose commits are nowhere is left out."""
        refs = self._refs.read(wanted.refs)
        self._publisher.fetch(tuple(commit for ref, commit in refs.items() if ref.startswith(_BRANCHES)))
        if wanted.protected is not None:
            self._publisher.protect(wanted.protected)
        works = {key: self._publisher.inspect(key) for key in wanted.works}
        landed = ((key, self._publisher.landing(key)) for key in wanted.landings)
        handed = ((key, self._publisher.patch(key)) for key in wanted.patches)
        shown = ((key, self._publisher.diff(key)) for key in wanted.diffs)
        built = ((key, self._publisher.build(key)) for key in wanted.candidates)
        return Seen(
            refs=MappingProxyType(refs),
            works=MappingProxyType(works),
            candidates=MappingProxyType({key: each for key, each in built if each is not None}),
            contains=frozenset(pair for pair in wanted.contains if self._refs.contains(*pair)),
            checkouts=MappingProxyType(
                self._publisher.checkouts(wanted.checkouts) if wanted.checkouts else {}
            ),
            landings=MappingProxyType({key: each for key, each in landed if each is not None}),
            names=self._refs.below(wanted.folders),
            patches=MappingProxyType({key: each for key, each in handed if each is not None}),
            diffs=MappingProxyType({key: each for key, each in shown if each is not None}),
        )

    def lend(self, commits: tuple[str, ...]) -> Outcome:
        """Have these commits in the mirror, which sessions borrow objects from."""
        try:
            self._publisher.fetch(commits)
        except BratError as error:
            return Refused(error.reason, error.remedy or "")
        return Done()

    def push(self, moves: tuple[RefMove, ...]) -> Outcome:
        """Move all refs or none, by compare-and-swap. A branch that is checked out is refused."""
        return self._publisher.push(moves)

    def take_over(self, checkout: Checkout | None, move: RefMove, log: RefMove | None) -> Outcome:
        """Fast-forward a branch with the tree that has it checked out, and the log with it."""
        return self._publisher.take_over(checkout, move, log)

    def act(self, action: HubAction) -> Outcome:
        """Refused: there are no issues and no pull requests here."""
        return Refused(f"a plain repository has no place for {type(action).__name__}")
