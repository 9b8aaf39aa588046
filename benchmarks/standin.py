"""The stand-in for GitHub as a process of its own, and one worker of ours in this one."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.errors import Later
from app.forge.github import AppCredentials, GitHubApp
from app.service import Next, Repository
from app.wiring import Surroundings
from app.wiring.github import HubControl, Process
from tests.hosted.up import REPOSITORY, Running

__all__ = ["StandIn", "stand_in"]

APP = 42
PATIENCE = 60
SETTLED_S = 120
"""What changed within the last minute is read anew at each look, as GitHub counts whole seconds."""


@dataclass
class StandIn:
    """Nothing is heard from it: each pass is asked for. Both sides' clocks are `ahead` of the machine's."""

    running: Running
    ahead_ms: int = 0
    control: HubControl = field(init=False)

    def __post_init__(self) -> None:
        root = self.running.root
        told = {**os.environ, "BRAT_CONFIG": str(root / "operator.toml")}
        around = Surroundings(told, root, clock=self.now, pause=self.wait)
        key = (root / "app.pem").read_text()
        app = GitHubApp(AppCredentials(APP, key, self.running.api), clock=self.now)
        self.control = HubControl(Process(app, self.data, around, lambda text: text, "bench"))

    @property
    def data(self) -> Path:
        return self.running.root / "data"

    def now(self) -> int:
        return time.time_ns() // 1_000_000 + self.ahead_ms

    def wait(self, seconds: float) -> None:
        """Time passes on both sides, and nobody waits for it."""
        self.ahead_ms += int(seconds * 1000)
        self.running.steer("clock", advance=seconds)

    def repositories(self) -> tuple[Repository, ...]:
        return self.control.sweep()

    def look(self, where: Repository) -> Next:
        return self.control.pass_over(where.repository, where.installation)

    def settle(self, where: Repository) -> None:
        """Passes until one changes nothing; where GitHub wants a pause between changes, it has it."""
        for _ in range(PATIENCE):
            try:
                after = self.look(where)
            except Later as later:
                self.wait((later.retry_at - self.now()) / 1000 + 1)
                continue
            if not after.changed:
                return
        raise RuntimeError("it never rests")

    def rest(self, places: tuple[Repository, ...]) -> None:
        """All is settled, and long enough ago that a look may keep what the last one saw."""
        for each in places:
            self.settle(each)
        self.wait(SETTLED_S)
        for _ in range(2):
            for each in places:
                self.settle(each)

    def asked(self, title: str, *, repository: str = REPOSITORY, parts: int = 2) -> int:
        """An issue with the label; its plan waits for a person."""
        body = "".join(f"- [ ] Part {each}\n" for each in range(parts))
        number: int = self.do(repository, "issue", title=title, body=body)["number"]
        self.do(repository, "label", number, "brat")
        return number

    def do(self, repository: str, verb: str, *args: Any, by: str = "ada", **more: Any) -> Any:
        """What a person does there."""
        told = {"list": list(args), **more}
        return self.running.steer("do", repository=repository, verb=verb, by=by, args=told)


@contextmanager
def stand_in(folder: Path) -> Iterator[StandIn]:
    """With one repository in which ada may write, and whose plans wait for a person."""
    folder.mkdir(parents=True)
    running = Running.begin(folder, 0, webhooks=False)
    try:
        made = StandIn(running)
        with closing(made.control):
            yield made
    finally:
        running.close()
