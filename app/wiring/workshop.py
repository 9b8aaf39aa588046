"""Everything that one repository needs, constructed in one place."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import IO

from app.board import Board, fold
from app.config import ENGINES
from app.control import ROLES, Pins, Reconciler
from app.errors import OperatorError, UserError
from app.forge import LocalForge
from app.grite import Identity, Log
from app.ports import Clock, Operator, Setting, Step, unnumbered, wall_clock
from app.runner import LocalDispatch, probe
from app.settings import Settings, lend, load_settings
from app.values import dataclass
from app.wiring.onlooker import Onlooker
from app.wiring.presence import attend, attended
from app.wiring.source import ConfigSource
from app.workspace import Place, Publisher, Repository, examine

__all__ = ["Surroundings", "Workshop", "open_workshop"]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What comes from outside the program:

    Environment, home, clock; tests number the steps and replace the runner.
    """

    environ: Mapping[str, str]
    home: Path
    clock: Clock = wall_clock
    step: Step = unnumbered
    runner: Sequence[str] | None = None
    pause: Callable[[float], None] = time.sleep


@dataclass(slots=True)
class Workshop:
    """One repository with its log, settings and places. Nothing is written before something has to be."""

    repository: Repository
    settings: Settings
    surroundings: Surroundings
    config: ConfigSource
    _log: Log | None = field(default=None, init=False)
    _presence: IO[bytes] | None = field(default=None, init=False)

    @property
    def state(self) -> Path:
        return self.repository.state_dir

    @property
    def pins(self) -> Pins:
        return Pins(self.state / "pins.json", self.surroundings.step)

    def identity(self, *, write: bool) -> Identity:
        """This clone's actor; made and pinned when it is about to write for the first time."""
        path = self.state / "identity.json"
        if write:
            self.refuse_unpinned()
            identity = Identity.ensure(path, step=self.surroundings.step)
            self.pins.own(identity)
            return identity
        return Identity.load(path) if path.exists() else Identity.create()

    def refuse_unpinned(self) -> None:
        """Raises UserError where all that is shown was decided by keys that nobody pinned here.

        A first decision pins this clone's own key, and what others decided would then count for nothing.
        """
        if self.pins.load():
            return
        path = self.state / "identity.json"
        own = str(Identity.load(path).actor) if path.exists() else ""
        board, _ = self.view()
        others = [each[:8] for each in board.signers if each != own]
        if board.convoys and others:
            raise UserError(
                f"the convoys here were decided by {', '.join(others)}, whose key is not pinned:"
                " nothing is written on top of them",
                remedy=f"brat log --pin {others[0]}",
            )

    def log(self, *, write: bool = False) -> Log:
        """The repository's log. To only read it needs no identity of its own."""
        if self._log is None or write:
            around = self.surroundings
            self._log = Log(
                self.repository.common_dir,
                identity=self.identity(write=write),
                state_dir=self.state,
                clock=around.clock,
                step=around.step,
            )
        return self._log

    def view(self) -> tuple[Board, bool]:
        """The board to show, and whether its decisions are signed by a key that is pinned here."""
        history = self.log().read()
        trust, pinned = self.pins.trust(history)
        return fold(history.events, trusted=trust, head=history.head), pinned

    def dispatch(self, operator: Operator | None = None) -> LocalDispatch:
        """The sessions of this machine; without an operator's word it can look and stop, not start."""
        around = self.surroundings
        runner = {"command": tuple(around.runner)} if around.runner else {}
        return LocalDispatch(
            self.state / "sessions",
            operator=operator or Operator(),
            step=around.step,
            clock=around.clock,
            **runner,
        )

    def publisher(self) -> Publisher:
        """The mirror and all git work; which paths are protected, each look says."""
        dispatch = self.dispatch()
        place = Place(self.repository.common_dir, self.state, lambda session: dispatch.folder(session).bundle)
        return Publisher(place, step=self.surroundings.step)

    def operator(self, engines: Sequence[str]) -> Operator:
        """What sessions are lent. Raises OperatorError for a missing key or sandbox, with the remedy."""
        return lend(self.settings, self.surroundings.environ, engines=engines, isolation=self.isolation())

    def isolation(self) -> str:
        """`bwrap` where it works; `process` only when the operator says so."""
        if self.settings.sandbox.isolation == "process":
            return "process"
        report = probe(Operator(isolation="bwrap"))
        if not report.works:
            raise OperatorError(
                f"no sandbox: {report.reason}",
                place="isolation bwrap",
                remedy=f"{report.remedy}; or, unsafe, "
                f'[sandbox] isolation = "process" in {self.settings.place}',
            )
        return "bwrap"

    def reconciler(
        self, *, roles: frozenset[str] = ROLES, operator: Operator, take_over: bool = True
    ) -> Reconciler:
        """The loop's body over this repository; until `close`, others see that it is driven."""
        self._presence = self._presence or attend(self.state / "driver.lock")
        log = self.log(write=True)
        publisher = self.publisher()
        publisher.recover()
        trust, _ = self.pins.trust(log.read())
        setting = self._setting(log, publisher, operator, take_over=take_over)
        return Reconciler(
            log=log,
            forge=LocalForge(self.repository.common_dir, publisher),
            dispatch=self.dispatch(operator),
            trusted=trust,
            config=self.config,
            setting=setting,
            clock=self.surroundings.clock,
            roles=roles,
            pause=self.surroundings.pause,
        )

    def close(self) -> None:
        """This process drives the repository no more."""
        if self._presence is not None:
            self._presence.close()
            self._presence = None

    @property
    def attended(self) -> bool:
        """Whether a process runs the loop over this repository now."""
        return attended(self.state / "driver.lock")

    def observer(self) -> Reconciler:
        """The loop's body to `look` with: makes no identity, reads no key, fetches and pushes nothing."""
        log = self.log()
        trust, _ = self.pins.trust(log.read())
        publisher = self.publisher()
        return Reconciler(
            log=log,
            forge=LocalForge(self.repository.common_dir, Onlooker(publisher)),
            dispatch=self.dispatch(),
            trusted=trust,
            config=self.config,
            setting=self._setting(log, publisher, Operator(), take_over=True),
            clock=self.surroundings.clock,
        )

    def _setting(
        self, log: Log, publisher: Publisher, operator: Operator, *, take_over: bool
    ) -> Callable[[], Setting]:
        minimal = self.config.at(self.repository.base).log.detail == "minimal"
        return lambda: Setting(
            me=log.identity.actor,
            repository=str(publisher.mirror.repository),
            now=self.surroundings.clock(),
            take_over=take_over,
            isolation=operator.isolation,
            minimal=minimal,
            allow_engines=self.settings.allow_engines or ENGINES,
        )


def open_workshop(
    path: Path, surroundings: Surroundings, *, base: str | None = None, needs_branch: bool = True
) -> Workshop:
    """Look at the repository and read the settings, once. `needs_branch`: something may land on the base.

    Raises UserError and OperatorError with remedies.
    """
    settings = load_settings(surroundings.environ, surroundings.home)
    repository = examine(path, base=base, needs_branch=needs_branch)
    source = ConfigSource(repository.common_dir, repository.base, settings, work_tree=repository.work_tree)
    return Workshop(repository, settings, surroundings, source)
