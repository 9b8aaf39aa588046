"""A repository on the stand-in, people who work there, and one worker of ours with agents by script."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from app.board import Board, Convoy, Task
from app.control import Reconciler
from app.errors import BratError, Later
from app.forge.github import AppCredentials, GitHubApp
from app.ports import Life, SessionSeen, Step, Verdict, unnumbered
from app.service import Next
from app.wiring import Surroundings
from app.wiring.github import HubControl, Process
from tests.fakehub import Account, App, Hub, Installation, Issue, Project
from tests.hosted.points import Killed
from tests.runs.world import SHELL, WORKS

__all__ = ["HostedWorld", "green"]

GREEN_ONLY = """\
on: pull_request
permissions:
  contents: read
jobs:
  build:
    runs-on: ubuntu-latest
    steps: []
"""
_PATIENCE = 200
"""Passes in a row; more is a loop that goes nowhere."""
_AFTER_DEATH_S = 130
"""Longer than an intent is its owner's alone."""
_AGAIN_MS = 30_000
_SWEEP_S = 300.0


def green(repo: Project, branch: str, head: str) -> None:
    """CI that is content with everything on a convoy's branches."""
    if branch.startswith(("convoy/", "gh-readonly-queue/", "main")):
        repo.check(head, "build")


@dataclass
class HostedWorld:
    """`ada` may write; `eve` may not. The worker is made anew by `restart`."""

    root: Path
    hub: Hub
    repo: Project
    app: App
    installation: Installation
    ada: Account
    eve: Account
    step: Step = unnumbered
    workers: dict[str, HubControl] = field(default_factory=dict)
    environ: dict[str, str] = field(default_factory=dict)
    last: list[Verdict] = field(default_factory=list)
    later: str = ""
    between: Callable[[], object] = lambda: None
    """What happens in the world after each pass."""
    failed: list[BratError] | None = None
    """Errors for a person end up here where a list is given, as in the service; else they end the test."""

    @classmethod
    def make(
        cls, root: Path, hub: Hub, *, config: str = "", files: Mapping[str, str] | None = None
    ) -> HostedWorld:
        """A private repository with CI and our configuration."""
        lent = root / "lent"
        (lent / "plays").mkdir(parents=True)
        shutil.copy2(Path(__file__).parent.parent / "runs" / "agent.sh", lent / "agent.sh")
        (root / "operator.toml").write_text(
            f'[engines.shell]\ncommand = ["{lent}/agent.sh"]\n[sandbox]\nread_only = ["{lent}"]\n'
        )
        ada, eve = hub.person("ada", access="write"), hub.person("eve")
        first = {
            "README.md": "A project.\n",
            ".brat/config.toml": SHELL + config,
            ".github/workflows/ci.yml": GREEN_ONLY,
            **(files or {}),
        }
        repo = hub.repository("ada-corp/demo", private=True, files=first)
        app = hub.app("brat")
        world = cls(root, hub, repo, app, hub.install(app, repo), ada, eve)
        world.plays("witness", WORKS)
        return world

    def plays(self, who: str, script: str, *, attempt: int | None = None) -> None:
        """What the agent of `task-<n>`, in this attempt or in any, does; also by role."""
        name = f"{who}.{attempt}" if attempt else who
        (self.root / "lent" / "plays" / name).write_text(script)

    def worker(self, name: str = "one") -> HubControl:
        """A process of ours; all share one data folder."""
        if name not in self.workers:
            told = {**os.environ, "BRAT_CONFIG": str(self.root / "operator.toml"), **self.environ}
            around = Surroundings(
                told, self.root, clock=self.clock, step=self.step, pause=self.hub.clock.advance
            )
            credentials = AppCredentials(self.app.id, self.hub.keys[self.app.id], self.hub.api)
            process = Process(
                app=GitHubApp(credentials, clock=self.clock),
                data_dir=self.root / "data",
                surroundings=around,
                redact=lambda text: text,
                name=f"{name}-{len(self.workers)}",
            )
            self.workers[name] = HubControl(process)
        return self.workers[name]

    def clock(self) -> int:
        return self.hub.clock.now

    def restart(self, name: str = "one") -> None:
        """The process is gone with all it remembered."""
        worker = self.workers.pop(name, None)
        if worker is not None:
            worker.close()

    def close(self) -> None:
        """All processes end."""
        for name in tuple(self.workers):
            self.restart(name)

    def run_pass(self, name: str = "one") -> Next:
        """One pass of one worker. A killed one is followed by another, after the time of its intents."""
        try:
            return self._one_pass(name)
        finally:
            self.between()

    def _one_pass(self, name: str) -> Next:
        try:
            return self.worker(name).pass_over(self.repo.id, self.installation.id)
        except Killed:
            self.later = "killed"
        except Later as later:
            self.later = str(later)
            return Next(look_again=later.retry_at)
        except BratError as error:
            if self.failed is None:
                raise
            self.failed.append(error)
            return Next(look_again=self.clock() + _AGAIN_MS)
        return self._bury(name)

    def _bury(self, name: str) -> Next:
        """What the kernel closes with a dead process is closed here: the pipes to its sessions."""
        self.restart(name)
        gc.collect()
        for orphan in vars(subprocess)["_active"]:
            if orphan.stdin is not None:
                orphan.stdin.close()
        self.hub.clock.advance(_AFTER_DEATH_S)
        return Next(changed=True)

    def until(self, reached: Callable[[], bool], *, names: tuple[str, ...] = ("one",)) -> None:
        """Passes until it is so. Where nothing moves, time does: to the next look that was asked for."""
        for _ in range(_PATIENCE):
            if reached():
                return
            after = [self.run_pass(name) for name in names]
            self.last = [each for name in names for each in self.worker(name).verdicts(self.repo.id)]
            if any(each.changed for each in after):
                continue
            if self.sessions_run():
                self.await_session()
            elif not reached():
                self._wait([each.look_again for each in after if each.look_again])
        raise AssertionError(f"it is never so:\n{self.told()}")

    def _wait(self, looks: list[int]) -> None:
        """To the next look. An open convoy always has one; where there is none, the sweep will look."""
        if not looks and self.board.open_convoys:
            raise AssertionError(f"nothing moves and nothing is awaited:\n{self.told()}")
        self.hub.clock.advance(max(1.0, (min(looks) - self.clock()) / 1000) if looks else _SWEEP_S)

    def settle(self) -> None:
        """Passes until one changes nothing."""
        for _ in range(_PATIENCE):
            if not self.run_pass().changed and not self.sessions_run():
                return
            if self.sessions_run():
                self.await_session()
        raise AssertionError(f"it never rests:\n{self.told()}")

    def sessions_run(self) -> bool:
        return any(each.life is Life.ALIVE for each in self._alive().values())

    def _alive(self) -> dict[str, SessionSeen]:
        control = next(iter(self.workers.values()), None) or self.worker()
        hosted = control.opened(self.repo.id)
        return hosted.alive() if hosted else {}

    def await_session(self) -> None:
        """Until one of them ends, or none runs any more: looked at, not slept for."""
        before = {id for id, each in self._alive().items() if each.life is Life.ALIVE}
        pause = threading.Event()
        for _ in range(3000):
            now = {id for id, each in self._alive().items() if each.life is Life.ALIVE}
            if not now or now != before:
                return
            pause.wait(0.02)
        raise AssertionError("a session never ends")

    @property
    def board(self) -> Board:
        control = next(iter(self.workers.values()), None) or self.worker()
        hosted = control.opened(self.repo.id)
        return hosted.reconciler().board() if hosted else Board()

    @property
    def convoy(self) -> Convoy:
        return self.board.convoys[-1]

    def task(self, number: int) -> Task:
        found = self.convoy.task(number)
        assert found is not None
        return found

    def reconciler(self) -> Reconciler:
        """The loop's body of the first worker."""
        hosted = self.worker().opened(self.repo.id)
        assert hosted is not None
        return hosted.reconciler()

    def approved_by(self) -> str | None:
        """Whose word lets the newest convoy run."""
        return self.convoy.approved_by

    def ask(self, title: str, body: str) -> Issue:
        """An issue with the label, by ada."""
        issue = self.repo.issue(title=title, body=body, by=self.ada)
        self.repo.label(issue, "brat", by=self.ada)
        return issue

    def sticky(self, issue: Issue) -> str:
        """Our comment on the issue."""
        ours = [each for each in self.said(issue) if "brat:sticky" in each]
        assert len(ours) <= 1
        return ours[0] if ours else ""

    def said(self, issue: Issue | int) -> list[str]:
        """Everything that we said there."""
        number = issue if isinstance(issue, int) else issue.number
        return [
            each.body
            for each in self.repo.data.comments.values()
            if each.number == number and each.author.account.login == "brat[bot]"
        ]

    def told(self) -> str:
        """For a person who reads a failed test."""
        lines = []
        for convoy in self.board.convoys:
            lines.append(f"{convoy.slug} {convoy.status} {convoy.paused} {convoy.reason}")
            for each in convoy.tasks:
                lines.append(f"{each.number} {each.status}: {each.blocked or each.hold or each.follow_up}")
        return "\n".join([*lines, *map(str, self.last), self.later])
