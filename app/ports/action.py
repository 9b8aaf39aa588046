"""What shall be done outside the log.

Each action is found again by what it leaves: doing it twice is doing it once.
"""

from __future__ import annotations

from app.ports.facts import Fact
from app.ports.hub_action import HubAction
from app.ports.seen import WorkKey
from app.ports.session import SessionSpec
from app.values import dataclass

__all__ = [
    "Action",
    "Done",
    "DropRefs",
    "Land",
    "Outcome",
    "Publish",
    "Refused",
    "RestoreRef",
    "StartSession",
    "StopSession",
    "TakeOver",
    "Unknown",
]


@dataclass(frozen=True, slots=True)
class StartSession:
    """Found again by the session's folder; a second start of one id does nothing."""

    spec: SessionSpec


@dataclass(frozen=True, slots=True)
class StopSession:
    """Found again by the session's result."""

    session: str
    reason: str


@dataclass(frozen=True, slots=True)
class Publish:
    """Branch and facts in one atomic push.

    Found again by the branch's head. `old` None: the branch is new.
    """

    work: WorkKey
    branch: str
    old: str | None
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Land:
    """The target moves from `old` to the tested `new`, with its facts, by compare-and-swap.

    Found again by containment. `attempt` as in `MergePull`.
    """

    ref: str
    old: str | None
    new: str
    facts: tuple[Fact, ...]
    attempt: str = ""


@dataclass(frozen=True, slots=True)
class RestoreRef:
    """A recorded but missing ref is pushed again: `old` is what is there now."""

    ref: str
    old: str | None
    new: str


@dataclass(frozen=True, slots=True)
class DropRefs:
    """Refs of ours that are not needed any more go, all or none, if each is still where it is said to be.

    Found again by their absence; `key` names what could not be dropped in `Seen.refused`.
    """

    key: str
    refs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class TakeOver:
    """One journalled fast-forward of a branch, with the working tree that has it checked out, if any."""

    branch: str
    old: str
    new: str
    facts: tuple[Fact, ...]


Action = StartSession | StopSession | Publish | Land | RestoreRef | DropRefs | TakeOver | HubAction


@dataclass(frozen=True, slots=True)
class Done:
    """It is so now."""


@dataclass(frozen=True, slots=True)
class Refused:
    """It was not done and will not be by trying again at once. `behind`: not before the base is in the head.

    `for_good`: what it was about takes it no more, whatever time brings.
    """

    reason: str
    remedy: str = ""
    behind: bool = False
    for_good: bool = False


@dataclass(frozen=True, slots=True)
class Unknown:
    """It may or may not be done: look again before deciding."""

    reason: str


Outcome = Done | Refused | Unknown
