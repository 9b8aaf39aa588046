"""Real repositories, a clock that the test turns, and logs over them."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from app.grite import CommentAdded, Draft, Event, Identity, IssueId, Log
from app.ports import Step, unnumbered

SAMPLES = Path(__file__).parent / "samples"
ISSUE = IssueId("000102030405060708090a0b0c0d0e0f")


def git(repo: Path, *arguments: str, input: str | None = None) -> str:
    """What git says, without the line end."""
    command = ["git", "-C", str(repo), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, input=input).stdout.strip()


def bare(path: Path) -> Path:
    """A new bare repository."""
    subprocess.run(["git", "init", "--quiet", "--bare", str(path)], check=True)
    return path


def comment(text: str, issue: IssueId = ISSUE) -> Draft:
    """A comment that somebody wants to make."""
    return Draft(issue, CommentAdded(text))


def said(events: tuple[Event, ...]) -> list[str]:
    """The comments among the events, in order."""
    return [event.kind.body for event in events if isinstance(event.kind, CommentAdded)]


@dataclass
class World:
    """Places for repositories, and a clock that stands still unless it is turned."""

    root: Path
    now: int = 1_700_000_000_000
    identities: dict[str, Identity] = field(default_factory=dict)

    def repo(self, name: str) -> Path:
        """The bare repository of that name."""
        path = self.root / name
        return path if path.exists() else bare(path)

    def log(self, name: str = "repo", *, step: Step = unnumbered, writer: str | None = None) -> Log:
        """A freshly opened log over the repository `name`; a writer keeps its identity."""
        identity = self.identities.setdefault(writer or name, Identity.create())
        state = self.root / f"{name}.state"
        return Log(self.repo(name), identity=identity, state_dir=state, clock=lambda: self.now, step=step)


@pytest.fixture
def world(tmp_path: Path) -> World:
    """An empty world."""
    return World(tmp_path)


@pytest.fixture
def sample(tmp_path: Path) -> Callable[[str], Path]:
    """A repository with the log of a sample that the real grite wrote."""

    def fetch(name: str) -> Path:
        repo = bare(tmp_path / name)
        git(repo, "fetch", "--quiet", str(SAMPLES / f"{name}.bundle"), "refs/grite/*:refs/grite/*")
        return repo

    return fetch
