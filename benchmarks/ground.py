"""A repository with settings and an agent that sleeps, and the real `brat` in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from app.ports import Operator, Plan
from app.runner import probe

__all__ = ["PYTHON", "Ground"]

PYTHON = sys.executable
CHECKOUT = Path(__file__).parents[1]
AGENT = """#!/bin/sh
date +%s.%N > "began-$BRAT_TASK"
for each in $(sed -n 's/^sleep \\([0-9.]*\\)$/\\1/p'); do sleep "$each"; done
echo done
"""


@dataclass(frozen=True, slots=True)
class Ground:
    """A folder to measure in. `slots` sessions may run at once."""

    folder: Path
    slots: int = 16

    @property
    def repo(self) -> Path:
        return self.folder / "repo"

    @property
    def state(self) -> Path:
        """Where sessions and the log's lock are."""
        return self.repo / ".git" / "brat"

    @property
    def isolation(self) -> str:
        return "bwrap" if probe(Operator(isolation="bwrap")).works else "process"

    @property
    def environ(self) -> dict[str, str]:
        """Compiled modules are kept, as they are where brat is installed."""
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        return {
            **kept,
            "BRAT_CONFIG": str(self.folder / "operator.toml"),
            "PYTHONPATH": str(CHECKOUT),
            "PYTHONPYCACHEPREFIX": str(CHECKOUT / "benchmarks" / "out" / "pycache"),
        }

    def make(self) -> Ground:
        """An empty project with one commit, not checked out on its base, so that tasks land on it."""
        (self.repo / ".brat").mkdir(parents=True)
        self.git("init", "--quiet", "--initial-branch=main")
        for name, value in (("user.name", "bench"), ("user.email", "bench@brat.invalid")):
            self.git("config", name, value)
        swarm = f"[swarm]\nmax_polecats = {self.slots}\n[mayor]\nmax_tasks = 100\n"
        (self.repo / ".brat" / "config.toml").write_text(f'[engine.default]\ntype = "shell"\n{swarm}')
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message=First")
        agent = self.folder / "agent.sh"
        agent.write_text(AGENT)
        agent.chmod(0o755)
        (self.folder / "operator.toml").write_text(
            f"[engines.shell]\ncommand = [{json.dumps(str(agent))}]\n"
            f'[sandbox]\nisolation = "{self.isolation}"\nread_only = [{json.dumps(str(agent))}]\n'
        )
        return self

    def git(self, *arguments: str) -> str:
        """What git says."""
        command = ["git", "-C", str(self.repo), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def start(self, plan: Plan) -> subprocess.Popen[str]:
        """`brat mayor start` on this plan, begun."""
        file = self.folder / "plan.json"
        tasks = [
            {
                "id": each.id,
                "title": each.title,
                "instructions": each.instructions,
                "depends_on": each.depends_on,
            }
            for each in plan.tasks
        ]
        file.write_text(json.dumps({"summary": plan.summary, "tasks": tasks}))
        return self.brat("mayor", "start", "--headless", "--plan", str(file))

    def brat(self, *arguments: str) -> subprocess.Popen[str]:
        """The command, begun; its words are read by `finish`."""
        command = [PYTHON, "-m", "app.cli", *arguments]
        out = subprocess.PIPE
        return subprocess.Popen(
            command, cwd=self.repo, env=self.environ, stdout=out, stderr=subprocess.STDOUT, text=True
        )

    def finish(self, process: subprocess.Popen[str]) -> str:
        """What it said. Raises RuntimeError where it failed: a figure of a failed run says nothing."""
        said, _ = process.communicate()
        if process.returncode:
            raise RuntimeError(f"brat failed with exit code {process.returncode}:\n{said}")
        return said
