"""A run in processes of its own, which may be killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.crash.points import Numbered, Strike
from tests.crash.surroundings import environment
from tests.runs.summary import Summary, summary
from tests.runs.world import CHAIN_AND_ONE, World

__all__ = ["Outcome", "Run", "Went"]

PROJECT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Went:
    """How one process ended: killed, with an end, or with an error for a person; else `output` says why."""

    code: int
    end: str = ""
    error: str = ""
    output: str = ""

    @property
    def killed(self) -> bool:
        return self.code == -signal.SIGKILL


@dataclass(frozen=True, slots=True)
class Outcome:
    """What must be the same at the end of every run."""

    tree: dict[str, str]
    board: Summary
    commits: int


class Run:
    """One world and the processes that work on it."""

    def __init__(self, world: World, *, checklist: str = CHAIN_AND_ONE, traced: bool = False) -> None:
        self.world = world
        folder = world.root / "counted"
        folder.mkdir()
        self.step = Numbered(folder, str(world.root), traced)
        told = {"checklist": checklist, "isolation": world.isolation}
        (world.root / "run.json").write_text(json.dumps(told))

    def begin(self, *, roles: str = "", prefix: tuple[str, ...] = ()) -> subprocess.Popen[str]:
        """A process that goes on by itself."""
        command = [*prefix, sys.executable, "-m", "tests.crash.brat", str(self.world.root)]
        return subprocess.Popen(
            [*command, *([roles] if roles else [])],
            cwd=PROJECT,
            env={**os.environ, "PYTHONPATH": str(PROJECT), **environment(self.step)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def go(self, *, roles: str = "", prefix: tuple[str, ...] = ()) -> Went:
        """A process to its end."""
        return self.end_of(self.begin(roles=roles, prefix=prefix))

    @staticmethod
    def end_of(process: subprocess.Popen[str]) -> Went:
        """Wait for it."""
        out, err = process.communicate()
        try:
            said = json.loads(out.splitlines()[-1])
        except (ValueError, IndexError):
            said = {}
        return Went(process.returncode, said.get("end", ""), said.get("error", ""), out + err)

    @property
    def names(self) -> list[str]:
        """The effects so far, in order."""
        return (self.step.folder / "steps").read_text().splitlines()

    @property
    def struck(self) -> bool:
        return (self.step.folder / "struck").exists()

    def land(self, strike: Strike) -> None:
        """Struck, then resumed by fresh processes until it has an end; three are enough for anything."""
        self.step.order(strike)
        went = [self.go()]
        while went[-1].end != "landed" and len(went) < 3:
            went.append(self.go())
        assert went[-1].end == "landed", "\n---\n".join(each.output for each in went)
        assert all(each.killed or each.end or each.error for each in went), went[0].output

    def outcome(self) -> Outcome:
        """After an end. Fails when a task was done twice or not at all."""
        world = self.world
        world.expect_landed(*(task.title for task in world.convoy.tasks))
        world.expect_in_order()
        return Outcome(world.files(), summary(world.board()), len(world.landed()))
