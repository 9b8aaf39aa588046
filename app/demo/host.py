"""A code host on this machine with the sample on it, people who work there, and one worker of the App."""

from __future__ import annotations

import base64
import importlib
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from app.board import Convoy
from app.demo.ci import JOB, run_workflow
from app.demo.sample import HERE, Sample
from app.errors import Later, UserError
from app.forge.github import AppCredentials, GitHubApp
from app.ports import Life
from app.service import Next
from app.wiring import Surroundings
from app.wiring.github import HubControl, Process

if TYPE_CHECKING:
    from tests.fakehub import Account, Hub, Installation, Issue, Project

__all__ = ["Host", "opened", "stand_in"]

PASSES = 400
"""For one wish; more is a loop that goes nowhere."""
PATIENCE = 12
"""Looks in a row in which nothing changed and nobody was at work."""
LOOK_EVERY_S = 0.05
SESSION_S = 120.0


def stand_in() -> str:
    """Why the code host cannot be played here; empty: it can."""
    checkout = HERE.parents[1]
    if not (checkout / "tests" / "fakehub" / "__init__.py").is_file():
        return "the stand-in of GitHub is test code, and this is no source checkout of brat"
    if str(checkout) not in sys.path:
        sys.path.insert(0, str(checkout))
    try:
        importlib.import_module("tests.fakehub")
    except ImportError as error:
        return f"the stand-in of GitHub cannot be imported: {error}"
    return ""


@dataclass(slots=True)
class Host:
    """`writer` may write to the repository, `stranger` may only read it. `watch` is called after every pass.

    `together` is the largest number of agents that were seen at work at once.
    """

    sample: Sample
    hub: Hub
    repo: Project
    writer: Account
    stranger: Account
    installation: Installation
    control: HubControl
    watch: Callable[[], None] = field(default=lambda: None)
    together: int = 0

    @property
    def environ(self) -> dict[str, str]:
        """For git as the writer: the token in a header, in no address and no argument."""
        secret = base64.b64encode(f"x:{self.hub.token(self.writer)}".encode()).decode()
        return {
            **self.sample.environ,
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": f"http.{self.hub.base}/.extraHeader",
            "GIT_CONFIG_VALUE_0": f"Authorization: Basic {secret}",
        }

    @property
    def convoy(self) -> Convoy | None:
        """The one convoy, from the log as the worker knows it."""
        hosted = self.control.opened(self.repo.id)
        convoys = hosted.reconciler().board().convoys if hosted else ()
        return convoys[-1] if convoys else None

    @property
    def at_work(self) -> int:
        """Agents that run now."""
        hosted = self.control.opened(self.repo.id)
        return sum(each.life is Life.ALIVE for each in hosted.alive().values()) if hosted else 0

    def said(self, issue: Issue) -> list[str]:
        """What the App said in the issue, oldest first; the first is the one that it keeps up to date."""
        ours = (each for each in self.repo.data.comments.values() if each.number == issue.number)
        return [each.body for each in ours if each.author.account.login == "brat[bot]"]

    def until(self, reached: Callable[[], bool]) -> None:
        """Passes until it is so. Where only a later look helps, the clock is put forward to it."""
        idle = 0
        for _ in range(PASSES):
            after = self._pass_over()
            self.watch()
            if reached():
                return
            at_work = self.at_work
            self.together = max(self.together, at_work)
            idle = 0 if after.changed or at_work else idle + 1
            if idle > PATIENCE:
                break
            if after.changed:
                continue
            if at_work:
                self._await_session()
            else:
                self._wait_out(after)
        raise self._stuck()

    def _pass_over(self) -> Next:
        try:
            return self.control.pass_over(self.repo.id, self.installation.id)
        except Later as later:
            return Next(look_again=later.retry_at)

    def _wait_out(self, after: Next) -> None:
        if after.look_again is None:
            raise self._stuck()
        self.hub.clock.advance(max(1.0, (after.look_again - self.hub.clock.now) / 1000))

    def _await_session(self) -> None:
        """Until one more has ended."""
        before, pause = self.at_work, threading.Event()
        for _ in range(int(SESSION_S / LOOK_EVERY_S)):
            if self.at_work != before:
                return
            pause.wait(LOOK_EVERY_S)

    def _stuck(self) -> UserError:
        waits = "; ".join(each.because for each in self.control.verdicts(self.repo.id))
        said = f"nothing moves any more: {waits or 'and nothing says why'}"
        return UserError(said, place="the second act of the demo", remedy="look at the log above")


@contextmanager
def opened(sample: Sample) -> Iterator[Host]:
    """The sample pushed to a fresh code host with the App installed; the worker ends with the context."""
    from tests.fakehub import Clock, Hub

    with Hub(sample.folder / "host", clock=Clock.at_start(live=True)) as hub:
        writer, stranger = hub.person("ada", access="write"), hub.person("eve")
        repo = hub.repository("notes/service", files={})
        app = hub.app("brat")
        host = Host(sample, hub, repo, writer, stranger, hub.install(app, repo), _worker(sample, hub, app.id))
        address = f"{hub.base}/notes/service.git"
        sample.git("remote", "add", "origin", address)
        sample.git("push", "--quiet", "--set-upstream", "origin", "main", environ=host.environ)
        repo.ci(run_workflow)
        repo.protect("main", JOB)
        try:
            yield host
        finally:
            host.control.close()


def _worker(sample: Sample, hub: Hub, app: int) -> HubControl:
    """As `brat worker` makes one."""

    def clock() -> int:
        return hub.clock.now

    around = Surroundings({**os.environ, **sample.environ}, Path.home(), clock=clock, pause=hub.clock.advance)
    credentials = AppCredentials(app, hub.keys[app], hub.api)
    process = Process(
        app=GitHubApp(credentials, clock=clock),
        data_dir=sample.folder / "data",
        surroundings=around,
        redact=lambda text: text,
        name="demo",
    )
    return HubControl(process)
