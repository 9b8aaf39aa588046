"""GitHub as the place where branches and the log live: its refs are the truth, the replica follows."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Protocol

from app.errors import Moved
from app.forge.github.hub import GitHubHub
from app.forge.local import LocalForge
from app.grite import Log
from app.ports import Checkout, Done, HubAction, Outcome, RefMove, Refused, Seen, SetBack, Wanted

__all__ = ["GitHubForge", "Replicating"]

log = logging.getLogger("brat.worker")


class Replicating(Protocol):
    """A bare repository beside GitHub's, kept in step. Implemented outside this room, with git."""

    def refresh(self) -> str | None:
        """Take over branches and log objects; the head of GitHub's log."""
        ...

    def push(self, moves: tuple[RefMove, ...]) -> Outcome:
        """Move refs on GitHub, all or none."""
        ...

    def publish(self, new: str) -> None:
        """The log's head to GitHub. Raises Moved where GitHub's has what is not here."""
        ...


class GitHubForge:
    """The `Forge` of a repository on GitHub. `local` works on the replica."""

    def __init__(self, local: LocalForge, replica: Replicating, hub: GitHubHub, *, log: Log) -> None:
        self._local, self._replica, self._hub, self._log = local, replica, hub, log
        self._set_back: SetBack | None = None

    def refresh(self) -> None:
        """GitHub's branches as they are, and its log united with ours."""
        for last in (False, False, True):
            head = self._replica.refresh()
            try:
                if head is not None:
                    self._log.unite(head)
                here = self._log.read().head
                if here is not None and here != head:
                    # Somebody set GitHub's log back, or deleted it: what it lost is here, and goes back.
                    self._replica.publish(here)
                    self._note(head, here)
                return
            except Moved:
                # Others write to GitHub's log in between; what they wrote is fetched and united too.
                if last:
                    raise

    def _note(self, found: str | None, ours: str) -> None:
        self._set_back = SetBack(found, ours)
        stood = f"stood at {found[:12]}" if found else "was gone"
        told = "the log on GitHub was set back: refs/grite/wal %s; put back to %s from this worker's copy"
        log.warning(told, stood, ours[:12])

    def observe(self, wanted: Wanted) -> Seen:
        """The replica is looked at always, GitHub where something is wanted there."""
        seen = self._local.observe(wanted)
        if wanted.hub is None:
            return seen
        return replace(seen, hub=replace(self._hub.observe(wanted.hub), set_back=self._set_back))

    def lend(self, commits: tuple[str, ...]) -> Outcome:
        """From the replica's mirror."""
        return self._local.lend(commits)

    def push(self, moves: tuple[RefMove, ...]) -> Outcome:
        """GitHub first. What the replica misses then, the next refresh brings."""
        outcome = self._replica.push(moves)
        if isinstance(outcome, Done):
            self._local.push(tuple(each for each in moves if each.new))
        return outcome

    def take_over(self, checkout: Checkout | None, move: RefMove, log: RefMove | None) -> Outcome:
        """A push: nobody works in a replica."""
        if checkout is not None:
            return Refused(f"{move.ref} is checked out in a replica", "remove that checkout")
        return self.push((move,) if log is None else (move, log))

    def act(self, action: HubAction) -> Outcome:
        """See `GitHubHub.act`."""
        return self._hub.act(action)
