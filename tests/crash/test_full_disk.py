"""No space left, once, at any durable effect: it is said in words or survived, and the run goes on later."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crash.conftest import MakeRun, Undisturbed
from tests.crash.points import Strike
from tests.crash.run import Run
from tests.crash.test_kills import STEPS
from tests.runs.world import World


@pytest.mark.parametrize("name", ["log.objects", "push.journal", "dispatch.make", "takeover.journal"])
def test_full_disk_stops_the_run_and_loses_nothing(name: str, run: Run, undisturbed: Undisturbed) -> None:
    run.land(Strike(name, 1, "before", "full"))
    assert run.struck
    assert run.outcome() == undisturbed.outcome


@pytest.mark.full
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", STEPS)
def test_full_disk_at_any_effect_loses_nothing(name: str, make_run: MakeRun, undisturbed: Undisturbed) -> None:
    for occurrence in sorted({1, undisturbed.names.count(name)}):
        run = make_run(f"{occurrence}")
        run.land(Strike(name, occurrence, "before", "full"))
        assert run.struck or run.names.count(name) < occurrence
        assert run.outcome() == undisturbed.outcome, occurrence
