"""A person at a desk: a real repository, an operator's file, a scripted agent, the command."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

import pytest

from app.cli import main
from app.cli.call import Call
from app.wiring import Surroundings

__all__ = ["AGENT", "Answer", "Apart", "Desk", "told"]

ROOT = Path(__file__).parents[2]

AGENT = """\
#!/bin/sh
cat > /dev/null
echo "works on ${BRAT_BRANCH##*/}"
echo "$BRAT_BRANCH" > "${BRAT_BRANCH##*/}.txt"
"""

CONFIG = (
    '[engine.default]\ntype = "shell"\n\n[[refinery.check]]\nname = "readme"\nrun = "test -f README.md"\n'
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What one call of the command said."""

    code: int
    out: str
    err: str


class Apart(subprocess.Popen[str]):
    """A process that does not outlive a test which failed."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self.kill()
        super().__exit__(kind, error, trace)


def told(text: str, desk: Desk | None = None) -> str:
    """The text with what changes from run to run replaced (places, ids, commits, times), folded at 90."""
    if desk is not None:
        text = text.replace(str(desk.repo), "REPO").replace(str(desk.home), "HOME")
    text = re.sub(r"\b([cts])-\d{8}-[0-9a-f]{4}\b", r"\1-ID", text)
    text = re.sub(r"\b[0-9a-f]{12}\b", "COMMIT", text)
    text = re.sub(r"^\d\d:\d\d ", "TIME ", text, flags=re.MULTILINE)
    text = re.sub(r"\b(\d+m )?\d+(\.\d)?s\b", "SPAN", text)
    text = re.sub(r" {2,}SPAN", "  SPAN", text)
    return "\n".join(folded for line in text.splitlines() for folded in _folded(line.rstrip()))


def _folded(line: str) -> list[str]:
    if len(line) <= 90:
        return [line]
    return textwrap.wrap(line, 90, subsequent_indent="\\ ", drop_whitespace=True)


@dataclass(slots=True)
class Desk:
    """`repo` is the person's, `home` has the operator's file and the agent's script."""

    repo: Path
    home: Path
    capsys: pytest.CaptureFixture[str]
    environ: dict[str, str] = field(default_factory=dict)

    @classmethod
    def make(cls, folder: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
        desk = cls(folder / "repo", folder / "home", capsys)
        desk.home.mkdir()
        desk.repo.mkdir()
        desk.environ = {**os.environ, "BRAT_CONFIG": str(desk.home / "operator.toml")}
        desk.agent(AGENT)
        desk.git("init", "--quiet", "-b", "main")
        desk.commit({"README.md": "hello\n", ".brat/config.toml": CONFIG})
        return desk

    def agent(self, script: str, settings: str = "") -> None:
        """What the `shell` engine runs; `settings` are more of the operator's file."""
        file = self.home / "agent.sh"
        file.write_text(script)
        file.chmod(0o755)
        sandbox = "" if "[sandbox]" in settings else f'[sandbox]\nread_only = ["{file}"]\n'
        engine = f'[engines.shell]\ncommand = ["{file}"]\n'
        (self.home / "operator.toml").write_text(engine + sandbox + settings)

    def git(self, *args: str) -> str:
        ran = subprocess.run(["git", *args], cwd=self.repo, capture_output=True, text=True, check=True)
        return ran.stdout.strip()

    def commit(self, files: dict[str, str]) -> str:
        for name, text in files.items():
            (self.repo / name).parent.mkdir(parents=True, exist_ok=True)
            (self.repo / name).write_text(text)
        self.git("add", "-A")
        self.git("commit", "--quiet", "-m", "Work")
        return self.git("rev-parse", "HEAD")

    def brat(self, *args: str) -> Answer:
        """The command in this process."""
        around = Surroundings(self.environ, self.home)
        self.capsys.readouterr()
        code = main(["-C", str(self.repo), *args], call=Call(surroundings=around))
        out, err = self.capsys.readouterr()
        return Answer(code, out, err)

    def process(self, *args: str, wrap: Sequence[str] = ()) -> Apart:
        """The command as a process of its own, maybe inside another one."""
        code = "import sys; from app.cli import main; sys.exit(main())"
        return Apart(
            [*wrap, sys.executable, "-c", code, "-C", str(self.repo), *args],
            env={**self.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run_apart(self, *args: str, wrap: Sequence[str] = ()) -> Answer:
        """`process`, to its end."""
        with self.process(*args, wrap=wrap) as process:
            out, _ = process.communicate()
            return Answer(process.returncode, out, "")
