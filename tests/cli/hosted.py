"""A person in a fresh clone of a repository that the App works on, on the stand-in."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.cli import main
from app.cli.call import Call
from app.wiring import Surroundings
from tests.cli.desk import Answer
from tests.hosted.world import HostedWorld

__all__ = ["LOG", "Cloned"]

LOG = "refs/grite/*:refs/grite/*"


@dataclass(slots=True)
class Cloned:
    """`clone` makes the checkout; before, the world may have gone anywhere."""

    world: HostedWorld
    folder: Path
    capsys: pytest.CaptureFixture[str]

    def until_pull(self) -> None:
        """One task is published, its pull request open; the check `build` is required and never comes."""
        self.world.repo.protect("main", "build")
        self.world.ask("One part", "- [ ] First\n")
        self.world.until(lambda: bool(self.world.board.convoys) and self.world.task(1).pull is not None)
        self.world.settle()

    def clone(self, *, log: bool = True) -> None:
        """With the log's refs, or as git makes it by itself."""
        there = str(self.world.repo.git.path)
        self._git("clone", "--quiet", there, str(self.folder), at=self.folder.parent)
        if log:
            self._git("fetch", "--quiet", "origin", LOG)
        self._git("remote", "set-url", "origin", self.world.repo.clone_url)

    def brat(self, *args: str, app: bool = True) -> Answer:
        """In the clone; `app`: with the App's credentials in the environment."""
        world = self.world
        environ = {**os.environ, "COLUMNS": "100"}
        environ["BRAT_DATA_DIR"] = str(self.folder.parent / "data")
        if app:
            environ["BRAT_GITHUB_APP_ID"] = str(world.app.id)
            environ["BRAT_GITHUB_PRIVATE_KEY"] = world.hub.keys[world.app.id]
            environ["BRAT_GITHUB_API_URL"] = world.hub.api
        around = Surroundings(environ, self.folder.parent, clock=world.clock)
        self.capsys.readouterr()
        code = main(["-C", str(self.folder), *args], call=Call(surroundings=around))
        out, err = self.capsys.readouterr()
        return Answer(code, out, err)

    def refs(self) -> str:
        """All that the stand-in holds, to see that a look changed nothing."""
        return self.world.repo.git.run("for-each-ref")

    def _git(self, *args: str, at: Path | None = None) -> None:
        subprocess.run(["git", *args], cwd=at or self.folder, check=True)
