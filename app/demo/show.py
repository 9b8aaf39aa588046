"""The demo from beginning to end, and its verdict on itself."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

from app.board import Convoy
from app.demo.proof import Point, points
from app.demo.sample import Sample
from app.demo.stage import Stage
from app.errors import UserError
from app.wiring import Surroundings, open_workshop

__all__ = ["Show"]


class Show:
    """One demo over one sample. `run` answers the exit code: 0 when all that had to happen did."""

    def __init__(self, sample: Sample, stage: Stage) -> None:
        self._sample, self._stage = sample, stage
        self._began = time.monotonic()

    def run(self) -> int:
        """Every chapter; one that fails ends it with the command's own exit code."""
        self._introduce()
        status = self._prepare() or self._convoy()
        if status:
            self._stage.explain(f"The command failed with exit code {status}; the demo ends here.")
            return status
        self._afterwards()
        return self._verdict()

    def _introduce(self) -> None:
        sample, stage = self._sample, self._stage
        stage.explain("brat demo: one request, six tasks, several agents, one tested result.")
        if sample.scripted:
            stage.explain(
                "The agents are scripted: no model is asked, no key and no network is used. All else is the"
                " real program: plan, workspaces, branches, merges, log."
            )
        else:
            stage.explain(f"The agents are real: {sample.engine}, with your key and at your cost.")
        if sample.isolation == "process" and sample.scripted:
            stage.explain(
                "NO SANDBOX: bubblewrap does not work on this machine, so these scripted agents run as plain"
                " processes. For agents of your own, brat refuses to do that unless you say so."
            )

    def _prepare(self) -> int:
        sample, stage = self._sample, self._stage
        stage.heading("A small service that signs people in with cookies")
        sample.make()
        lines = sum(text.count("\n") for text in map(_text, _files(sample)))
        stage.explain(
            f"In {_near(sample.repo)}: {len(_files(sample))} files, {lines} lines, with this history."
        )
        stage.git("log", "--format=%h %ad  %an: %s", "--date=short", cwd=sample.repo, environ=sample.environ)
        status = stage.brat("init", "--engine", sample.engine, cwd=sample.repo, environ=sample.environ)
        if status == 0:
            sample.commit_settings()
        return status

    def _convoy(self) -> int:
        sample, stage = self._sample, self._stage
        stage.heading("The request")
        stage.explain("It lists its tasks, so no engine has to be asked for a plan:")
        stage.show(_text(sample.request).partition("- [ ] Ask")[0] + "...")
        stage.heading("The plan, and the convoy that runs it")
        place = "sandbox" if sample.isolation == "bwrap" else "workspace"
        stage.explain(
            f"Each task gets an agent in a {place} of its own, and a branch. What passes its commands is"
            " merged, one at a time, after the tests have run on exactly the tree that lands."
        )
        if sample.scripted:
            stage.explain(
                "Planned mishaps: the first agent of task 2 is killed at work, and tasks 4 and 6 both write"
                " into CHANGELOG.md, so the second of them will not merge."
            )
        request = os.path.relpath(sample.request, sample.repo)
        arguments = ("mayor", "start", "--headless", "--strategy", "merge", "--task-file", request)
        return stage.brat(*arguments, cwd=sample.repo, environ=sample.environ)

    def _afterwards(self) -> None:
        sample, stage = self._sample, self._stage
        stage.heading("What landed")
        stage.git("log", "--graph", "--format=%h %s", "main", cwd=sample.repo, environ=sample.environ)
        stage.brat("status", cwd=sample.repo, environ=sample.environ)
        stage.heading("The log tells it all")
        stage.explain("All state is an append-only log in refs/grite/*; this is read from it:")
        stage.brat("log", cwd=sample.repo, environ=sample.environ)

    def _verdict(self) -> int:
        sample, stage = self._sample, self._stage
        stage.heading("The result, tested and held against what had to happen")
        found = (
            *points(_convoy_of(sample), isolation=sample.isolation, scripted=sample.scripted),
            *_outcome(sample),
        )
        around = f"Look around: cd {_near(sample.repo)}"
        return stage.verdict(found, what="The demo", began=self._began, then=around)


def _outcome(sample: Sample) -> tuple[Point, ...]:
    """What the checkout shows: the tests pass, sessions are gone, nothing is half merged."""
    tests = sample.tests()
    said = tests.stdout.strip().splitlines()
    count = next((found[0] for line in said if (found := re.search(r"Ran \d+ tests?", line))), "no tests ran")
    marked = [path.name for path in _files(sample) if re.search(r"(?m)^(<<<<<<<|>>>>>>>) ", _text(path))]
    tokens = any("HS256" in _text(path) for path in (sample.repo / "notes").glob("*.py"))
    clean = not sample.git("status", "--porcelain").strip()
    return (
        Point("the service's own tests pass on the result", tests.returncode == 0, f"{count}: {said[-1]}"),
        Point("the service signs tokens", tokens),
        Point(
            "the checkout is clean, and no conflict marker is left", clean and not marked, ", ".join(marked)
        ),
    )


def _convoy_of(sample: Sample) -> Convoy:
    """The one convoy, folded from the log alone."""
    workshop = open_workshop(sample.repo, Surroundings({**os.environ, **sample.environ}, Path.home()))
    convoys = workshop.view()[0].convoys
    if len(convoys) != 1:
        raise UserError(f"the log holds {len(convoys)} convoys, not one", place=str(sample.repo))
    return convoys[0]


def _files(sample: Sample) -> list[Path]:
    return [sample.repo / name for name in sample.git("ls-files").splitlines()]


def _text(path: Path) -> str:
    return path.read_text("utf-8")


def _near(path: Path) -> str:
    """As one would type it from here."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)
