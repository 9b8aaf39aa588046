"""One look for the commands that show: the board, the roles' verdicts, and who drives the repository."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from app.board import Board, Convoy, Session, Task, TaskStatus
from app.control import Pass, PinnedTrust, newest
from app.grite import History, IssueCreated
from app.ports import Life, SessionSeen, Verdict, VerdictState
from app.values import dataclass

if TYPE_CHECKING:
    from app.control import Reconciler
    from app.wiring import Workshop

__all__ = ["NOBODY", "Observation", "Observer", "Waiting", "fetch_hint"]


@dataclass(frozen=True, slots=True)
class Waiting:
    """Why something waits, who can end it, with which command, and when it is looked at again (ms)."""

    reason: str
    who: str
    command: str
    until: int | None = None


NOBODY = Waiting("no brat process runs on this repository", "whoever runs brat", "brat mayor resume")
"""Nothing else holds it back."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What a command shows. `uncounted` are actors whose convoys are in the log and do not count here.

    `hint`: the command that brings the log here, where there is none and it may be elsewhere.
    """

    done: Pass
    verdicts: Mapping[str, Verdict]
    pinned: bool
    uncounted: tuple[str, ...]
    attended: bool
    now: int
    hint: str = ""

    @property
    def board(self) -> Board:
        return self.done.board

    def session(self, session: Session) -> SessionSeen:
        """This machine's view of an open session."""
        return self.done.seen.sessions.get(session.id, SessionSeen(Life.UNKNOWN))

    def waiting(self, subject: Task | Convoy) -> Waiting | None:
        """The roles' own reason; where they would go on at once, whether anybody is there to do it."""
        if subject.status.final or self._over(subject):
            return None
        verdict = self.verdicts.get(subject.issue)
        hosted = self._hosted(subject)
        if hosted is not None and (found := _on_host(hosted, subject, verdict)) is not None:
            return found
        if verdict is not None and verdict.state in (VerdictState.WAITING, VerdictState.BLOCKED):
            command = _said_there(verdict.unblock, hosted) if hosted else verdict.unblock
            return Waiting(verdict.because, verdict.who, command, verdict.next_look_ts)
        if (
            hosted is not None
            or self.attended
            or self._moves(subject)
            or (verdict is None and self._of_its_tasks(subject))
        ):
            return None
        return NOBODY

    def _over(self, subject: Task | Convoy) -> bool:
        convoy = self._convoy(subject)
        return convoy is not None and convoy.status.final

    def _hosted(self, subject: Task | Convoy) -> Convoy | None:
        """Its convoy, where a service on a code host drives that and not this machine."""
        convoy = self._convoy(subject)
        return convoy if convoy is not None and convoy.request is not None else None

    def _convoy(self, subject: Task | Convoy) -> Convoy | None:
        return self.board.convoy(subject.convoy) if isinstance(subject, Task) else subject

    @property
    def unattended_work(self) -> bool:
        """Whether a running brat would have something to do, and there is none."""
        return not self.attended and any(self._could_move(each) for each in self.board.open_convoys)

    def _could_move(self, convoy: Convoy) -> bool:
        """Whether something of it waits for nobody: one of its open tasks, or its end when there is none."""
        if convoy.request is not None:
            return False
        tasks = [task for task in convoy.tasks if not task.status.final]
        return not self._stuck(convoy) and (not tasks or not all(self._stuck(task) for task in tasks))

    def _stuck(self, subject: Task | Convoy) -> bool:
        verdict = self.verdicts.get(subject.issue)
        return verdict is not None and (verdict.state is VerdictState.BLOCKED or verdict.rule == "dependency")

    def _moves(self, subject: Task | Convoy) -> bool:
        return any(each.open and self.session(each).life is Life.ALIVE for each in subject.sessions)

    @staticmethod
    def _of_its_tasks(subject: Task | Convoy) -> bool:
        """A convoy with a plan waits for nothing that its tasks do not say themselves."""
        return isinstance(subject, Convoy) and any(not task.status.final for task in subject.tasks)


class Observer:
    """Looks again and again, for those that follow; a look that finds nothing new is cheap."""

    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop
        self._reconciler: Reconciler = workshop.observer()

    def look(self) -> Observation:
        """Now. Raises ConfigError for settings that cannot be read."""
        history = self._reconciler.log.read()
        trust, pinned = self._workshop.pins.trust(history)
        uncounted = _uncounted(history, frozenset(map(str, trust.keys)) if pinned else frozenset())
        # Before anybody decided anything, a stranger's key counts for nothing: proposals show as such.
        self._reconciler.trusted = trust if pinned or uncounted else PinnedTrust({})
        done = self._reconciler.look()
        return Observation(
            done=done,
            verdicts=newest(done.verdicts),
            pinned=pinned,
            uncounted=uncounted,
            attended=self._workshop.attended,
            now=self._workshop.surroundings.clock(),
            hint="" if history.events else fetch_hint(self._workshop),
        )

    def changed(self, since: Observation) -> bool:
        """Whether there is something new to show. Cheap: the log's ref, and the sessions' small files."""
        if self._reconciler.log.read().head != since.board.head:
            return True
        sessions = self._reconciler.dispatch.look(tuple(since.done.seen.sessions))
        return sessions != dict(since.done.seen.sessions) or self._workshop.attended != since.attended


def fetch_hint(workshop: Workshop) -> str:
    """How the log comes here from `origin`, whether or not there is one; empty without such a remote.

    No look at the network: whoever asks for the status does not wait for it.
    """
    import pygit2

    names = pygit2.Repository(str(workshop.repository.common_dir)).remotes.names()
    return "git fetch origin 'refs/grite/*:refs/grite/*'" if "origin" in names else ""


def _said_there(command: str, convoy: Convoy) -> str:
    """As a comment: what is written into this clone's log reaches nobody."""
    # Only a convoy of a code host pays for its texts.
    from app.texts import as_comment

    return as_comment(command, convoy)


def _on_host(convoy: Convoy, subject: Task | Convoy, verdict: Verdict | None) -> Waiting | None:
    """A published task waits for what only the code host shows."""
    if not isinstance(subject, Task) or subject.status is not TaskStatus.NEEDS_REVIEW or subject.hold:
        return None
    if verdict is not None and verdict.state is VerdictState.BLOCKED:
        return None
    if subject.pull is None:
        return Waiting("its pull request is not open yet", "", "")
    number = subject.pull.number
    return Waiting(
        f"pull request #{number} is open; its check `brat` tells what it waits for",
        "",
        f"brat policy explain {number}",
    )


def _uncounted(history: History, counted: frozenset[str]) -> tuple[str, ...]:
    """Actors of whom a convoy is in the log, and whose key is not trusted here."""
    found = {
        str(event.actor)
        for event in history.events
        if isinstance(event.kind, IssueCreated) and "type:convoy" in event.kind.labels
    }
    return tuple(sorted(found - counted))
