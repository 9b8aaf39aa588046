"""The whole that the log says, and what of it a look needs: told apart when it is made, not in each look."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType

from app.board.ids import convoy_main, task_branch
from app.board.ledger import Ledger
from app.board.model import Convoy, Task
from app.values import dataclass

__all__ = ["Board", "Problem", "Proposal", "convoy_branch", "told_key"]


@dataclass(frozen=True, slots=True)
class Proposal:
    """A task that somebody without the pinned key wrote down; it waits for approval."""

    issue: str
    title: str
    body: str
    convoy: str | None
    actor: str
    created_ts: int


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in the log that has no effect or needs repair, with its stated outcome."""

    issue: str
    what: str
    outcome: str


@dataclass(frozen=True, slots=True)
class Board:
    """All that the log says at the commit `head`; `last_ts` is its newest time.

    So that no look has to visit what is over: `moving` are not at rest, `untold` those whose issue may still
    have to show something, `given_up` have by number or branch a pull request that nobody waits for.
    `landings` counts landed tasks, bases taken over, convoys that are over.
    """

    head: str | None = None
    last_ts: int = 0
    convoys: tuple[Convoy, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    problems: tuple[Problem, ...] = ()
    signers: tuple[str, ...] = ()
    taken: frozenset[str] = frozenset()
    ledger: Ledger = Ledger()
    moving: tuple[Convoy, ...] = field(default=(), init=False, repr=False, compare=False)
    untold: tuple[Convoy, ...] = field(default=(), init=False, repr=False, compare=False)
    given_up: Mapping[int | str, tuple[Convoy, ...]] = field(init=False, repr=False, compare=False)
    landings: tuple[int, int, int] = field(default=(0, 0, 0), init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "moving", tuple([each for each in self.convoys if not each.at_rest]))
        object.__setattr__(self, "untold", _untold(self.convoys, self.ledger))
        object.__setattr__(self, "given_up", _by_pull(self.convoys))
        object.__setattr__(self, "landings", _landings(self.convoys))

    def convoy(self, issue: str) -> Convoy | None:
        """The convoy of this issue id."""
        return next((each for each in self.convoys if each.issue == issue), None)

    @property
    def open_convoys(self) -> tuple[Convoy, ...]:
        return tuple(each for each in self.moving if not each.status.final)


def convoy_branch(convoy: Convoy, task: Task | None) -> str:
    """The branch of a task, or with none the convoy's own; without `refs/heads/`."""
    return convoy_main(convoy.slug) if task is None else task_branch(convoy.slug, task.number)


def told_key(convoy: Convoy) -> str:
    """The effect that says: all of the end was seen done."""
    return f"told:{convoy.id}"


def _untold(convoys: tuple[Convoy, ...], ledger: Ledger) -> tuple[Convoy, ...]:
    """Open or not told, among those that were asked for in an issue of a code host."""
    told = ledger.told
    asked = [each for each in convoys if each.request is not None]
    return tuple([each for each in asked if each.id not in told or not each.status.final])


def _landings(convoys: tuple[Convoy, ...]) -> tuple[int, int, int]:
    merged, taken, over = map(sum, zip((0, 0, 0), *[each.landings for each in convoys], strict=True))
    return merged, taken, over


def _by_pull(convoys: tuple[Convoy, ...]) -> Mapping[int | str, tuple[Convoy, ...]]:
    """A pull request that was opened a moment before all ended is known by its branch alone."""
    found: dict[int | str, dict[str, Convoy]] = {}
    for convoy in convoys:
        for task in convoy.given_up:
            opened = convoy.pull if task is None else task.pull
            found.setdefault(convoy_branch(convoy, task), {})[convoy.issue] = convoy
            if opened is not None:
                found.setdefault(opened.number, {})[convoy.issue] = convoy
    return MappingProxyType({key: tuple(each.values()) for key, each in found.items()})
