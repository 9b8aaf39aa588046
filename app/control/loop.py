"""The loop around the pass: run until an end is reached, wait cheaply in between, stop cleanly when asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from app.board import Board, ConvoyStatus, open_sessions
from app.control.reconcile import Pass, Reconciler
from app.ports import Life, Setting, VerdictState

__all__ = ["LOOK_AGAIN_S", "End", "Loop", "Stop", "settled_end"]

SHORTEST_WAIT_S = 0.03
LONGEST_WAIT_S = 0.2
IDLE_WAIT_S = 0.5
"""Between looks that only make sure that nobody but a person moves anything."""
LOOK_AGAIN_S = 5.0
"""Deadlines are checked at least this often, though nothing changed."""
PATIENCE = 3
"""Passes without any change and without a session before the loop says that only a person helps."""


class End(StrEnum):
    """Why the loop ended."""

    LANDED = "landed"
    FAILED = "failed"
    WAITING = "waiting"
    STOPPED = "stopped"


@dataclass(slots=True)
class Stop:
    """Set from a signal handler.

    `hard` after a second signal: leave at once, sessions go on by themselves.
    """

    asked: bool = False
    hard: bool = False

    def ask(self) -> None:
        self.hard = self.asked
        self.asked = True


def settled_end(done: Pass, convoys: tuple[str, ...]) -> End | None:
    """The end of these convoys (issue ids) if they all have one."""
    chosen = [found for issue in convoys if (found := done.board.convoy(issue)) is not None]
    if not chosen or not all(convoy.status.final for convoy in chosen):
        return None
    landed = all(convoy.status is ConvoyStatus.COMPLETE for convoy in chosen)
    return End.LANDED if landed else End.FAILED


class Loop:
    """Passes over one repository until `convoys` have ended or nothing moves without a person."""

    def __init__(
        self,
        reconciler: Reconciler,
        *,
        stop: Stop,
        on_look: Callable[[Pass], None] = lambda _: None,
        pause: Callable[[float], None] | None = None,
        look_again_s: float = LOOK_AGAIN_S,
    ) -> None:
        self._reconciler = reconciler
        self._stop = stop
        self._on_look = on_look
        self._pause = pause or reconciler.dispatch.wait
        self._look_again_s = look_again_s
        self._idle = 0

    def once(self) -> Pass:
        """Passes until one changes nothing."""
        done = self._reconciler.run()
        while done.changed and not self._stop.asked:
            done = self._reconciler.run()
        self._on_look(done)
        return done

    def run(self, convoys: Callable[[Board], tuple[str, ...]], *, forever: bool = False) -> tuple[End, Pass]:
        """Run until the convoys end. `forever` goes on waiting where only a person can help."""
        while True:
            done = self._reconciler.run()
            self._on_look(done)
            if self._stop.asked:
                return End.STOPPED, self._drain()
            end = settled_end(done, convoys(done.board))
            if end is not None:
                return end, self._close(done)
            if done.changed:
                self._idle = 0
                continue
            if not forever and self._only_a_person_helps(done):
                return End.WAITING, done
            self._wait(done)

    def _only_a_person_helps(self, done: Pass) -> bool:
        if _running(done) or any(each.state is VerdictState.WORKING for each in done.verdicts):
            self._idle = 0
            return False
        self._idle += 1
        return self._idle >= PATIENCE

    def _close(self, done: Pass) -> Pass:
        """Sessions that a convoy's end left open (a check, a dropped task) are ended and recorded."""
        rounds = 0
        while _running(done) and rounds < 100 and not self._stop.asked:
            self._pause(LONGEST_WAIT_S)
            done = self._reconciler.run()
            rounds += 1
        return done

    def _drain(self) -> Pass:
        """Nothing new starts; what runs here is asked to end and recorded."""
        inner = self._reconciler.setting
        self._reconciler.setting = lambda: _stopping(inner())
        done = self._reconciler.run()
        while _running(done) and not self._stop.hard:
            for session in _running(done):
                self._reconciler.dispatch.stop(session)
            self._pause(LONGEST_WAIT_S)
            done = self._reconciler.run()
            self._on_look(done)
        return done

    def _wait(self, done: Pass) -> None:
        """Until the log or a session changed; no event, no token and no push while nothing does."""
        waited, interval = 0.0, SHORTEST_WAIT_S
        lives = {id: view.life for id, view in done.seen.sessions.items()}
        longest = IDLE_WAIT_S if self._idle else self._look_again_s
        while waited < longest and not self._stop.asked:
            self._pause(interval)
            waited += interval
            interval = min(interval * 1.5, LONGEST_WAIT_S)
            if self._reconciler.log.read().head != done.board.head:
                return
            sessions = self._reconciler.dispatch.look(tuple(lives))
            if {id: view.life for id, view in sessions.items()} != lives:
                return
            self._on_look(replace(done, seen=replace(done.seen, sessions=sessions)))


def _running(done: Pass) -> tuple[str, ...]:
    """Open sessions that live on this machine."""
    here = (Life.ALIVE, Life.ENDED, Life.DEAD)
    return tuple(
        session.id
        for _, session in open_sessions(done.board)
        if (view := done.seen.sessions.get(session.id)) is not None and view.life in here
    )


def _stopping(setting: Setting) -> Setting:
    return replace(setting, start=False)
