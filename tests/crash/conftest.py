"""Struck worlds, and the one run that nothing disturbs, to compare with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import GIT
from tests.crash.run import Outcome, Run
from tests.runs.world import World

MakeRun = Callable[[str], Run]


@dataclass(frozen=True, slots=True)
class Undisturbed:
    """Its effects in order, and its end."""

    names: tuple[str, ...]
    outcome: Outcome


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    """Once per process of the test run."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in GIT.items():
            patch.setenv(name, value)
        run = Run(World.make(tmp_path_factory.mktemp("undisturbed") / "world"))
        went = run.go()
        assert went.end == "landed", went.output
        return Undisturbed(tuple(run.names), run.outcome())


@pytest.fixture
def make_run(tmp_path: Path) -> MakeRun:
    """Worlds that have not begun."""
    return lambda name: Run(World.make(tmp_path / name))


@pytest.fixture
def run(make_run: MakeRun) -> Run:
    """One of them."""
    return make_run("world")
