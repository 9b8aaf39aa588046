"""One repository on GitHub: its replica, and the loop's body over it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field, replace
from pathlib import Path

from app.config import ENGINES
from app.control import Housekeeper, Pass, Reconciler
from app.errors import Later, OperatorError
from app.forge import LocalForge
from app.forge.github import GitHubApp, GitHubForge, GitHubHub, ReplicaTree, RepositoryRef
from app.forge.github import Surroundings as HubSurroundings
from app.grite import Identity
from app.ports import Dispatch, Life, SessionSeen, Setting
from app.settings import key_variable, lend
from app.values import dataclass
from app.wiring.last_good import LastGood
from app.wiring.workshop import Surroundings, Workshop, open_workshop
from app.workspace import Replica

__all__ = ["HostedRepository", "Process", "hub_of"]

_CLONES = 4
"""At a time, of the sixteen threads that a worker has for passes that take long."""
_TURN_MS = 30_000

log = logging.getLogger("brat.worker")


@dataclass(frozen=True, slots=True)
class Process:
    """What all repositories of one worker share. `name` tells its intents from another worker's."""

    app: GitHubApp
    data_dir: Path
    surroundings: Surroundings
    redact: Callable[[str], str]
    name: str
    cloning: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(_CLONES))


def hub_of(place: RepositoryRef, process: Process, replica: Path) -> GitHubHub:
    """The repository on GitHub, to look at and to act on; files are read in the replica."""
    around = HubSurroundings(ReplicaTree(replica), process.redact, process.surroundings.clock)
    client = process.app.client(place.installation, place.id)
    return GitHubHub(client, place.name, process.app.ourselves(), around=around)


@dataclass(slots=True)
class HostedRepository:
    """Opened once per process. A pass at a time: `turn` is held by whoever makes one.

    `there` is the place as GitHub has it by now: the next pass goes there.
    """

    place: RepositoryRef
    process: Process
    turn: threading.Lock = field(default_factory=threading.Lock)
    there: RepositoryRef | None = None
    _reconciler: Reconciler | None = field(default=None, init=False)
    _workshop: Workshop | None = field(default=None, init=False)
    _keeper: Housekeeper | None = field(default=None, init=False)
    _hub: GitHubHub | None = field(default=None, init=False)
    _dispatch: Dispatch | None = field(default=None, init=False)

    @property
    def folder(self) -> Path:
        """By GitHub's number, which a repository keeps when it is renamed."""
        return self.process.data_dir / "repos" / str(self.place.id) / "repo.git"

    def reconciler(self) -> Reconciler:
        """The loop's body. Raises Later, OperatorError and ConfigError: a later pass may find them mended."""
        if self._reconciler is None:
            self._reconciler = self._open()
        return self._reconciler

    def run(self) -> Pass:
        """One pass, and what became due by it. Raises as `reconciler` does."""
        self._follow()
        done = self.reconciler().run()
        assert self._keeper is not None
        return replace(done, refusals=(*done.refusals, *self._keeper.tidy(done)))

    def alive(self, sessions: Iterable[str] | None = None) -> dict[str, SessionSeen]:
        """These sessions, or all of this repository on this machine; GitHub is not looked at."""
        if self._workshop is None:
            return {}
        dispatch = self._workshop.dispatch()
        return dispatch.look(dispatch.sessions() if sessions is None else tuple(sessions))

    def stop(self) -> tuple[str, ...]:
        """Sessions that run here are asked to end: nobody could take their work. Which they are."""
        running = tuple(id for id, each in self.alive().items() if each.life is Life.ALIVE)
        for session in running:
            assert self._workshop is not None
            self._workshop.dispatch().stop(session)
        return running

    def close(self) -> None:
        """This process drives the repository no more."""
        if self._workshop is not None:
            self._workshop.close()

    def _follow(self) -> None:
        """Opened anew where it has another name, default branch or address, or is seen by others.

        What this process did on GitHub, and which sessions it started, it goes on knowing.
        """
        place = self.there
        if place is None or place == self.place:
            return
        self.close()
        self.place, self._reconciler = place, None
        if self._hub is not None:
            self._hub.move(self.process.app.client(place.installation, place.id), place.name)

    def _open(self) -> Reconciler:
        process, around = self.process, self.process.surroundings
        replica = Replica(
            self.folder, process.app.git_access(self.place), clock=around.clock, step=around.step
        )
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        self._fetch(replica)
        self._share_identity()
        shop = open_workshop(self.folder, around, base=self.place.default_branch)
        self._workshop = shop
        settings = LastGood(self.folder, shop.repository.base, shop.settings)
        shop.config = settings
        keyless = tuple(_keyless(shop))
        usable = set(_allowed(shop)) - {engine for engine, _ in keyless}
        reconciler = shop.reconciler(operator=shop.operator(sorted(usable)))
        log = shop.log()
        log.publish_through(lambda prepared: replica.publish(prepared.new))
        hub = self._hub = self._hub or hub_of(self.place, process, self.folder)
        reconciler.dispatch = self._dispatch = self._dispatch or reconciler.dispatch
        local = reconciler.forge
        assert isinstance(local, LocalForge)
        reconciler.forge = GitHubForge(local, replica, hub, log=log)
        reconciler.setting = self._setting(reconciler.setting, settings, keyless)
        mirror = shop.publisher().mirror
        self._keeper = Housekeeper(
            *(log, shop.dispatch(), mirror),
            share=replica.share_snapshots,
            pack=replica.pack,
            step=around.step,
            clock=around.clock,
        )
        return reconciler

    def _fetch(self, replica: Replica) -> None:
        """The first time it is all of the history: few at a time, for passes over others need threads too."""
        if replica.cloned:
            replica.refresh()
            return
        process, name = self.process, self.place.name
        if not process.cloning.acquire(blocking=False):
            again = process.surroundings.clock() + _TURN_MS
            raise Later(f"{name} waits until others are cloned", retry_at=again, place="this machine")
        try:
            log.info("clones %s", name, extra={"repository": self.place.id})
            replica.refresh()
        finally:
            process.cloning.release()

    def _setting(
        self, local: Callable[[], Setting], settings: LastGood, keyless: tuple[tuple[str, str], ...]
    ) -> Callable[[], Setting]:
        name, base = self.process.name, self.place.default_branch
        silent = ("minimal",) if self.place.private else ("minimal", "auto")

        def setting() -> Setting:
            minimal = settings.at(f"refs/heads/{base}").log.detail in silent
            told = replace(local(), process=name, hosted=True, base=base, minimal=minimal)
            return replace(told, config_problem=settings.problem, keyless=keyless)

        return setting

    def _share_identity(self) -> None:
        """One key signs in all repositories of this App, so that a replica can be made anew."""
        shared = self.process.data_dir / "identity.json"
        identity = Identity.ensure(shared, step=self.process.surroundings.step)
        state = self.folder / "brat"
        state.mkdir(mode=0o700, exist_ok=True)
        own = state / "identity.json"
        if not own.exists():
            identity.save(own)


def _allowed(shop: Workshop) -> tuple[str, ...]:
    """Engines that may be asked for: which one is chosen may change while this process lives."""
    return shop.settings.allow_engines or ENGINES


def _keyless(shop: Workshop) -> Iterator[tuple[str, str]]:
    """Those that lack their key, with the variable that should hold it."""
    for engine in _allowed(shop):
        try:
            lend(shop.settings, shop.surroundings.environ, engines=[engine])
        except OperatorError:
            yield engine, key_variable(shop.settings.engine(engine)) or ""
