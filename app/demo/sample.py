"""The sample project: a small service with a history, made anew, and the settings of its convoy."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from app.values import dataclass

__all__ = ["HERE", "SCRIPTED", "Sample"]

HERE = Path(__file__).parent
KINDS = ("code", "tests", "docs")
SCRIPTED = "shell"
"""The engine that plays agents by script."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A folder with the repository and, for scripted agents, the operator's file of this demo.

    `parts` holds what the scripted agents do; `pace` is their pause between two steps, in seconds.
    """

    folder: Path
    engine: str = SCRIPTED
    isolation: str = "bwrap"
    parts: Path = HERE / "parts"
    pace: float = 0.2

    @property
    def repo(self) -> Path:
        return self.folder / "repo"

    @property
    def request(self) -> Path:
        """The request: a title, a line of prose, and a checklist."""
        return self.folder / "request.md"

    @property
    def scripted(self) -> bool:
        return self.engine == SCRIPTED

    @property
    def operator_file(self) -> Path:
        return self.folder / "operator.toml"

    @property
    def environ(self) -> dict[str, str]:
        """For `brat` and git; scripted agents leave the operator's own settings alone.

        The checkout is importable from anywhere, also where brat is not installed.
        """
        checkout = str(HERE.parents[1])
        paths = [checkout, *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
        environ = {"COLUMNS": "80", **os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
        if self.scripted:
            environ["BRAT_CONFIG"] = str(self.operator_file)
        return environ

    def make(self) -> None:
        """The repository as its authors left it. What an earlier demo left is removed."""
        shutil.rmtree(self.repo, ignore_errors=True)
        self.repo.mkdir(parents=True)
        self.git("init", "--quiet", "--initial-branch=main")
        for name, value in (("user.name", "Ada Lindqvist"), ("user.email", "ada@notes.example")):
            self.git("config", name, value)
        self.git("config", "commit.gpgSign", "false")
        history = sorted((HERE / "sample").glob("*.patch"))
        self.git("am", "--quiet", "--committer-date-is-author-date", *map(str, history))
        shutil.copyfile(HERE / "sample" / "request.md", self.request)
        if self.scripted:
            self.operator_file.write_text(self._operator(), "utf-8")

    def commit_settings(self) -> None:
        """Commit what `brat init` has written, with an engine for each kind of work."""
        with (self.repo / ".brat" / "config.toml").open("a", encoding="utf-8") as file:
            file.writelines(f'\n[engine.{kind}]\ntype = "{self.engine}"\n' for kind in KINDS)
        self.git("add", ".brat")
        self.git("commit", "--quiet", "--message=Configure brat")

    def git(self, *arguments: str, environ: dict[str, str] | None = None) -> str:
        """What git says in the repository. Raises CalledProcessError."""
        command = ["git", "-C", str(self.repo), *arguments]
        environ = environ or self.environ
        done = subprocess.run(command, env=environ, check=True, capture_output=True, text=True)
        return done.stdout

    def tests(self) -> subprocess.CompletedProcess[str]:
        """The service's own tests on what is checked out."""
        command = [sys.executable, "-m", "unittest", "-v"]
        environ = {**self.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(
            command, cwd=self.repo, env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )

    def _operator(self) -> str:
        command = [sys.executable, "-I", str(HERE / "agent.py")]
        arguments = ["--parts", str(self.parts), "--pace", str(self.pace)]
        # A JSON text or list of texts is TOML too.
        tables: dict[str, dict[str, str | list[str]]] = {
            "engines.shell": {"command": command, "args": arguments},
            "sandbox": {"isolation": self.isolation, "read_only": [str(self.parts)]},
        }
        lines: list[str] = []
        for name, table in tables.items():
            lines += [f"[{name}]", *(f"{key} = {json.dumps(value)}" for key, value in table.items())]
        return "\n".join(lines) + "\n"
