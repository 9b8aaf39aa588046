"""The demo as a whole: what it shows, and that it fails when something did not happen."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from app.board import Convoy
from app.demo import Sample, points
from app.ports import Finding
from tests.demo.conftest import PARTS, convoy_of, play, sample_in


def without_mishaps(convoy: Convoy) -> Convoy:
    """The same convoy as if no session had crashed and no merge been recorded."""
    tasks = []
    for task in convoy.tasks:
        kept = (each for each in task.sessions if each.ended and each.ended.finding is not Finding.CRASHED)
        tasks.append(replace(task, sessions=tuple(kept), merges=()))
    return replace(convoy, tasks=tuple(tasks))


def test_demo_shows_everything_and_finds_it_in_the_log(
    sample: Sample, capfd: pytest.CaptureFixture[str]
) -> None:
    assert play(sample) == 0
    shown = capfd.readouterr().out
    assert "The agents are scripted: no model is asked" in shown
    assert "task 2: crashed, then done" in shown
    assert "conflicts in CHANGELOG.md" in shown
    assert "All of it happened" in shown
    unscathed = without_mishaps(convoy_of(sample))
    missing = [each.what for each in points(unscathed, isolation=sample.isolation) if not each.held]
    assert missing == [
        "an agent crashed, and another attempt did its task",
        "a merge conflicted, and a follow-up session resolved it",
        "all tasks are merged and the convoy is complete",
    ]


@pytest.mark.full
def test_demo_without_its_crash_fails_and_says_so(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    parts = tmp_path / "parts"
    shutil.copytree(PARTS, parts)
    script = parts / "script.toml"
    script.write_text(script.read_text().replace("dies = [1]\n", ""))
    assert play(sample_in(tmp_path / "demo", parts=parts)) == 1
    shown = capfd.readouterr().out
    assert "NO   an agent crashed, and another attempt did its task" in shown
    assert "The demo FAILED: an agent crashed, and another attempt did its task." in shown


def test_convoy_that_cannot_start_ends_the_demo_with_the_reason(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "parts").mkdir()
    sample = replace(sample_in(tmp_path, parts=tmp_path / "parts"), engine="no-such-engine")
    assert play(sample) != 0
    told = capfd.readouterr()
    assert "there is no engine 'no-such-engine'" in told.err
    assert "the demo ends here" in told.out
