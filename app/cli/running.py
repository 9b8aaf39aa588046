"""The loop in the foreground: shown as it goes, stopped cleanly by Ctrl-C."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from types import FrameType
from typing import TYPE_CHECKING

from app.board import Board
from app.cli.call import Call
from app.cli.live import View
from app.control import LOOK_AGAIN_S, ROLES, End, Housekeeper, Loop, Pass, Reconciler, Refusal, Stop
from app.ports import Operator, Setting, Verdict
from app.values import dataclass

if TYPE_CHECKING:
    from app.wiring import Workshop

__all__ = ["Course", "Finished", "Runner", "exit_code_of", "stopping"]

_EXIT = {End.LANDED: 0, End.FAILED: 1, End.WAITING: 3, End.STOPPED: 130}


@dataclass(frozen=True, slots=True)
class Course:
    """What is run. No `convoys` (issue ids): all that are open. `ask`: a person sits there and says when."""

    convoys: tuple[str, ...] = ()
    remote: str | None = None
    roles: frozenset[str] = ROLES
    ask: bool = False
    forever: bool = False
    look_again_s: float = LOOK_AGAIN_S


@dataclass(frozen=True, slots=True)
class Finished:
    """How it ended; `unsent` is why the remote does not have it all."""

    end: End
    done: Pass
    convoys: tuple[str, ...]
    unsent: tuple[Refusal, ...] = ()


def exit_code_of(finished: Finished) -> int:
    """0 landed, 1 failed, 3 waits for a person (also with an unfinished push), 130 stopped."""
    code = _EXIT[finished.end]
    return 3 if code == 0 and finished.unsent else code


@contextmanager
def stopping(stop: Stop) -> Iterator[None]:
    """SIGINT and SIGTERM ask the loop to end; a second one leaves at once."""

    def ask(signum: int, frame: FrameType | None) -> None:
        stop.ask()
        if stop.hard:
            raise KeyboardInterrupt

    before = {each: signal.signal(each, ask) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


class Runner:
    """One process's loop over a repository."""

    def __init__(self, call: Call, workshop: Workshop, *, operator: Operator) -> None:
        self._call, self._workshop = call, workshop
        self._operator = operator
        self.view = View(call, workshop.surroundings.clock, live=call.terminal)
        self.stop = Stop()

    def run(self, course: Course) -> Finished:
        """Until the convoys end, only a person helps, or somebody stops it."""
        reconciler = self._reconciler(course)
        keeper = self._keeper(course)
        chosen = course.convoys or tuple(each.issue for each in reconciler.board().open_convoys)
        self.view.chosen = chosen
        look = self._look(keeper)
        loop = Loop(reconciler, stop=self.stop, on_look=look, look_again_s=course.look_again_s)
        with closing(self._workshop), stopping(self.stop):
            with self.view.open():
                end, done = loop.run(_these(course.convoys or None), forever=course.forever)
            if end is End.WAITING and course.ask and self._may_take_over(done):
                reconciler.setting = _taking_over(reconciler)
                with self.view.open():
                    end, done = loop.run(_these(course.convoys or None), forever=course.forever)
            self.view.show(done)
            unsent = keeper.close(done)
        return Finished(end, done, chosen, unsent)

    def once(self, course: Course) -> Finished:
        """Passes until one changes nothing."""
        reconciler, keeper = self._reconciler(course), self._keeper(course)
        self.view.chosen = course.convoys
        with closing(self._workshop), stopping(self.stop):
            done = Loop(reconciler, stop=self.stop, on_look=self.view.show).once()
            unsent = keeper.tidy(done)
        end = End.STOPPED if self.stop.asked else End.LANDED
        return Finished(end, done, course.convoys, unsent)

    def _reconciler(self, course: Course) -> Reconciler:
        return self._workshop.reconciler(
            roles=course.roles, operator=self._operator, take_over=not course.ask
        )

    def _keeper(self, course: Course) -> Housekeeper:
        publisher = self._workshop.publisher()
        return Housekeeper(
            self._workshop.log(write=True),
            self._workshop.dispatch(),
            publisher.mirror,
            remote=course.remote,
            step=self._workshop.surroundings.step,
            clock=self._workshop.surroundings.clock,
        )

    def _look(self, keeper: Housekeeper) -> Callable[[Pass], None]:
        def look(done: Pass) -> None:
            self.view.show(done)
            for refusal in keeper.tidy(done):
                self.view.once(f"{refusal.action}: {refusal.reason} -> {refusal.remedy}")

        return look

    def _may_take_over(self, done: Pass) -> bool:
        """Ask the person for the one fast-forward that is theirs to say; False when none is."""
        waiting = _takeover_waits(done)
        if waiting is None:
            return False
        import typer

        return typer.confirm(f"{waiting.because}. Do it now?", default=True)


def _takeover_waits(done: Pass) -> Verdict | None:
    """The verdict of a convoy whose base is checked out, clean, and only waits for a word."""
    for verdict in done.verdicts:
        convoy = done.board.convoy(verdict.subject)
        if verdict.rule == "takeover" and convoy is not None:
            checkout = done.seen.checkouts.get(convoy.base)
            if checkout is not None and checkout.clean:
                return verdict
    return None


def _these(convoys: tuple[str, ...] | None) -> Callable[[Board], tuple[str, ...]]:
    """The convoys to wait for; None: those that were open at the first look, and any opened since."""
    if convoys is not None:
        return lambda board: convoys
    seen: dict[str, None] = {}

    def open_ones(board: Board) -> tuple[str, ...]:
        seen.update((each.issue, None) for each in board.open_convoys)
        return tuple(seen)

    return open_ones


def _taking_over(reconciler: Reconciler) -> Callable[[], Setting]:
    inner = reconciler.setting
    return lambda: replace(inner(), take_over=True)
