"""The control plane of a service: every repository of the App, opened when it is first looked at."""

from __future__ import annotations

import logging
import os
import secrets
import socket
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from app.control import Pass
from app.errors import BratError, Later
from app.forge.github import AppCredentials, GitHubApp, LocalShelf, RedisShelf, Shelf
from app.ports import Life, SessionSeen, Verdict, VerdictState
from app.service import Counted, Next, Repository
from app.settings import ServiceSettings
from app.wiring.github.hosted import HostedRepository, Process
from app.wiring.github.places import Places
from app.wiring.github.report import Report, requests_of
from app.wiring.workshop import Surroundings

__all__ = ["HubControl", "open_control", "process_of"]

LOOK_AGAIN_MS = 60_000
"""An open convoy is looked at this often even when nothing hints at a change; the sweep is rarer."""
SOON_MS = 15_000
"""What a code host computes, or an intent of another process, is looked at again after this."""
_WATCH_S = 0.25
_BUSY_MS = 1_000
_LET_GO_S = 30.0
"""How long a sweep waits for a pass over a repository that is gone."""
_REDELIVER_MS = 3 * 86_400_000
"""GitHub keeps deliveries for three days."""
_REDELIVERED_AT_ONCE = 100
"""In one sweep; after a long outage the sweeps share the rest."""

log = logging.getLogger("brat.worker")


class HubControl:
    """Implements `app.service.Control`."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._lock = threading.Lock()
        self._open: dict[int, HostedRepository] = {}
        self._places = Places(process.app, process.surroundings.clock)
        self._wake: Callable[[Repository], None] = lambda _: None
        self._watcher: threading.Thread | None = None
        self._redelivered: set[int] = set()
        self._watched: dict[int, set[str]] = {}
        self._closed = threading.Event()
        self._report = Report(process.redact)
        self._said: dict[int, tuple[Verdict, ...]] = {}

    def listen(self, wake: Callable[[Repository], None]) -> None:
        """From now on `wake` is called when a session on this machine changed."""
        self._wake = wake
        self._watcher = threading.Thread(target=self._watch, name="sessions", daemon=True)
        self._watcher.start()

    def open(self, repository: int, installation: int) -> HostedRepository | None:
        """The repository as GitHub has it now, to work on; None where there is nothing to work on."""
        place = self._places.find(repository, installation)
        if place is None:
            self._let_go(repository)
            return None
        with self._lock:
            hosted = self._open.setdefault(repository, HostedRepository(place, self._process))
        hosted.there = place
        return hosted

    def opened(self, repository: int) -> HostedRepository | None:
        """The repository, if a pass has opened it."""
        return self._open.get(repository)

    def verdicts(self, repository: int) -> tuple[Verdict, ...]:
        """What the last pass of this process said of everything that waits."""
        return self._said.get(repository, ())

    def counted(self) -> tuple[Counted, ...]:
        """What passes and sweeps of this process did since this was last asked."""
        return (*self._report.counted(), *requests_of(self._process.app.requests()))

    def close(self) -> None:
        """This process works on nothing any more."""
        self._closed.set()
        if self._watcher is not None:
            self._watcher.join()
        for hosted in self._open.values():
            hosted.close()
        self._process.app.close()

    def pass_over(self, repository: int, installation: int) -> Next:
        """One pass. Raises BratError; `Later` names when to come back."""
        hosted = self.open(repository, installation)
        if hosted is None:
            # The sweep, or GitHub's word that it is back, brings it here again.
            return Next()
        if not hosted.turn.acquire(blocking=False):
            # A pass of this process that takes long; it will have seen what this one is called for, or not.
            return Next(look_again=self._process.surroundings.clock() + _BUSY_MS)
        try:
            done = hosted.run()
        finally:
            hosted.turn.release()
        self._report.note(hosted.place, done)
        self._said[repository] = done.verdicts
        self._watched[repository] = set(_living(done.seen.sessions))
        return self._next(done)

    def sweep(self) -> tuple[Repository, ...]:
        """Every repository of every installation is named; deliveries that failed are asked for again."""
        found = tuple(Repository(each.id, each.installation) for each in self._places.everywhere())
        with self._lock:
            gone = self._open.keys() - {each.repository for each in found}
        for number in gone:
            self._let_go(number)
        self._redeliver()
        return found

    def _let_go(self, repository: int) -> None:
        """Archived, taken away or suspended: nothing that is done for it could reach GitHub."""
        hosted = self._open.get(repository)
        if hosted is None:
            return
        if not hosted.turn.acquire(timeout=_LET_GO_S):
            # A pass that takes long, as a first clone does: the next sweep finds it ended.
            return
        try:
            with self._lock:
                if self._open.get(repository) is not hosted:
                    return
                for known in (self._open, self._watched, self._said):
                    known.pop(repository, None)
            stopped = hosted.stop()
            hosted.close()
        finally:
            hosted.turn.release()
        told = f"; sessions that are stopped: {', '.join(stopped)}" if stopped else ""
        log.warning("works no more on %s%s", hosted.place.name, told, extra={"repository": repository})

    def _redeliver(self) -> None:
        """A delivery that failed is asked for again until one of its attempts went well.

        What cannot be asked for now is left to the next sweep: what it hinted at this one has found.
        """
        app, now, failed = self._process.app, self._process.surroundings.clock(), None
        try:
            deliveries = app.deliveries(now - _REDELIVER_MS)
        except BratError:
            return
        well = {each.guid for each in deliveries if not each.failed}
        due = [each.id for each in deliveries if each.failed and each.guid not in well]
        for delivery in [each for each in due if each not in self._redelivered][:_REDELIVERED_AT_ONCE]:
            try:
                app.redeliver(delivery)
                self._redelivered.add(delivery)
            except BratError as error:
                failed = error
                if isinstance(error, Later):
                    break
        if failed is not None:
            log.warning("a delivery that failed could not be asked for again: %s", failed)

    def _next(self, done: Pass) -> Next:
        now = self._process.surroundings.clock()
        if done.changed:
            return Next(changed=True)
        if not done.board.open_convoys and not done.verdicts:
            return Next()
        waits = [each.next_look_ts for each in done.verdicts if each.next_look_ts]
        soon = any(each.state is VerdictState.WORKING for each in done.verdicts) or done.refusals
        usual = now + (SOON_MS if soon else LOOK_AGAIN_MS)
        return Next(look_again=max(now + _BUSY_MS, min([usual, *waits])))

    def _watch(self) -> None:
        """Sessions are files on this machine: their end is seen at once, and costs GitHub nothing."""
        while not self._closed.wait(_WATCH_S):
            for repository, watched in tuple(self._watched.items()):
                hosted = self._open.get(repository)
                if hosted is None or not watched:
                    continue
                ended = watched - _living(hosted.alive(watched))
                if ended:
                    # Of this very set: a pass that has just looked has put another in its place.
                    watched -= ended
                    self._wake(Repository(repository, hosted.place.installation))


def _living(sessions: Mapping[str, SessionSeen]) -> set[str]:
    return {id for id, each in sessions.items() if each.life is Life.ALIVE}


def open_control(settings: ServiceSettings) -> HubControl:
    """The control plane of this process. Raises OperatorError where the App's key cannot work."""
    return HubControl(process_of(settings, Surroundings(settings.environ, Path.home())))


def process_of(settings: ServiceSettings, around: Surroundings) -> Process:
    """What this process has of the App. Raises OperatorError where the App's key cannot work."""
    assert settings.app_id is not None
    assert settings.private_key is not None
    credentials = AppCredentials(settings.app_id, settings.private_key.get_secret_value(), settings.api_url)
    secrets_known = settings.secrets

    def redact(text: str) -> str:
        for each in secrets_known:
            text = text.replace(each, "***")
        return text

    return Process(
        app=GitHubApp(credentials, clock=around.clock, shelf=_shelf(settings)),
        data_dir=settings.data_dir,
        surroundings=around,
        redact=redact,
        name=f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}",
    )


def _shelf(settings: ServiceSettings) -> Shelf:
    """The budget is counted in redis, so that all workers share it."""
    if settings.redis_url is None:
        return LocalShelf()
    return RedisShelf.at(settings.redis_url.get_secret_value())
