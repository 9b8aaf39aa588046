"""What the service runs: looks over repositories, of which it knows only when to call them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol

from app.values import dataclass

__all__ = ["Control", "Counted", "Next", "Repository"]


@dataclass(frozen=True, slots=True)
class Counted:
    """Something that happened, for the metrics: `Counted("actions", ("MergePull", "done"))`.

    The labels are an action's name and end, a request's status, a session's purpose and end.
    """

    what: Literal["actions", "github_requests", "sessions"]
    labels: tuple[str, ...]
    amount: int = 1


@dataclass(frozen=True, slots=True)
class Next:
    """What a pass leaves: `look_again` in milliseconds since the epoch, None to wait for a hint or a sweep.

    After a pass that `changed` something there is one more at once.
    """

    look_again: int | None = None
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository with the installation whose token sees it, both by GitHub's numbers."""

    repository: int
    installation: int


class Control(Protocol):
    """The first two block, are run in threads, and never sleep: what has to wait raises `Later`.

    Passes over different repositories run at the same time. One over the same repository may, after a flush
    or on a second machine, run twice at once: the log's compare-and-swap decides who acts.
    """

    def pass_over(self, repository: int, installation: int) -> Next:
        """Read, decide and act once, in at most 30 s. Raises BratError; `Later` names when to come back."""
        ...

    def sweep(self) -> tuple[Repository, ...]:
        """Look for what was missed, everywhere. Answers every repository that is to be looked at.

        Without a public address these are looked at every 15 s until the next sweep.
        """
        ...

    def listen(self, wake: Callable[[Repository], None]) -> None:
        """From now on `wake` may be called, in any thread, when something on this machine made one dirty."""
        ...

    def counted(self) -> tuple[Counted, ...]:
        """What happened since this was last asked: each thing once, that of failed passes and sweeps too."""
        ...

    def close(self) -> None:
        """Nothing is asked of it any more, and it calls nobody."""
        ...
