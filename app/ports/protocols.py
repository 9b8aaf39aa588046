"""What the control loop needs from outside: a place for refs, a place for sessions."""

from __future__ import annotations

from typing import Protocol

from app.ports.action import Outcome
from app.ports.hub_action import HubAction
from app.ports.seen import Checkout, Seen, SessionSeen, Wanted
from app.ports.session import SessionSpec
from app.values import dataclass

__all__ = ["Dispatch", "Forge", "RefMove"]


@dataclass(frozen=True, slots=True)
class RefMove:
    """One ref by compare-and-swap:

    `old` None: must not exist yet; `new` empty: the ref goes; `force` allows a move that is no fast-forward.
    """

    ref: str
    old: str | None
    new: str
    force: bool = False


class Forge(Protocol):
    """A place where branches and the log live: a plain repository, or a code host."""

    def refresh(self) -> None:
        """Take over what others did since: the remote's refs and log. Nothing on a plain repository."""
        ...

    def observe(self, wanted: Wanted) -> Seen:
        """Look once at all that is wanted but sessions. Computes inspections and merge candidates."""
        ...

    def lend(self, commits: tuple[str, ...]) -> Outcome:
        """Make sure that the repository that sessions borrow from has these commits."""
        ...

    def push(self, moves: tuple[RefMove, ...]) -> Outcome:
        """Move all refs or none. `Refused` when a ref is not where it was expected."""
        ...

    def take_over(self, checkout: Checkout | None, move: RefMove, log: RefMove | None) -> Outcome:
        """Fast-forward a branch together with the tree that has it checked out, under a journal."""
        ...

    def act(self, action: HubAction) -> Outcome:
        """Carry one action out on the code host. `Unknown` is looked up by its key in the next look."""
        ...


class Dispatch(Protocol):
    """Where sessions run."""

    def start(self, spec: SessionSpec) -> Outcome:
        """Start the session unless its id is known already."""
        ...

    def stop(self, session: str) -> Outcome:
        """Ask the session to end; its result says `stopped`."""
        ...

    def look(self, sessions: tuple[str, ...]) -> dict[str, SessionSeen]:
        """What this machine knows of each session."""
        ...

    def wait(self, seconds: float) -> None:
        """Pause so long, or less when a session ends meanwhile. It may miss one: look anyway."""
        ...

    def clean(self, session: str) -> None:
        """Free what an ended session does not need any more; its log, result and bundle stay."""
        ...
