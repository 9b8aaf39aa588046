"""Several processes on one convoy at once: nothing happens twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.crash.run import Run
from tests.runs.world import World


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("", "", id="two whole loops"),
        pytest.param("mayor,witness", "refinery", id="a Witness and a Refinery", marks=pytest.mark.full),
        pytest.param("mayor,witness,refinery", "witness", id="a loop and a Witness", marks=pytest.mark.full),
    ],
)
def test_two_processes_land_every_task_once(one: str, other: str, tmp_path: Path) -> None:
    run = Run(World.make(tmp_path / "world"))
    run.world.start()
    processes = [run.begin(roles=one), run.begin(roles=other)]
    went = [run.end_of(each) for each in processes]
    assert [each.end for each in went] == ["landed", "landed"], [each.output for each in went]
    run.outcome()
    assert [len(run.world.works(number)) for number in (1, 2, 3)] == [1, 1, 1]
