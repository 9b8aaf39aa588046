"""No space left, once, at any durable effect: it is said in words or survived, and the run goes on later."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.crash.conftest import MakeRun, Undisturbed
from tests.crash.points import Strike
from tests.crash.run import PROJECT, Run
from tests.crash.test_kills import STEPS


def test_full_disk_stops_the_run_and_loses_nothing(run: Run, undisturbed: Undisturbed) -> None:
    run.land(Strike("push.journal", 1, "before", "full"))
    assert run.struck
    assert run.outcome() == undisturbed.outcome


@pytest.mark.full
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", STEPS)
def test_full_disk_at_any_effect_loses_nothing(
    name: str, make_run: MakeRun, undisturbed: Undisturbed
) -> None:
    for occurrence in sorted({1, undisturbed.names.count(name)}):
        run = make_run(f"{occurrence}")
        run.land(Strike(name, occurrence, "before", "full"))
        assert run.struck or run.names.count(name) < occurrence
        assert run.outcome() == undisturbed.outcome, occurrence


@pytest.mark.full
@pytest.mark.parametrize("left", [20_000, 71_705, 200_000, 500_000, 810_875])
def test_disk_that_fills_up_is_named_and_the_run_lands_when_there_is_room(left: int, tmp_path: Path) -> None:
    command = ["unshare", "-rm", sys.executable, "-m", "tests.crash.small_disk", str(tmp_path), str(left)]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    ran = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "no space left" in ran.stdout.lower()
    assert "→" in ran.stdout
    assert "room: landed" in ran.stdout or "again: landed" in ran.stdout
