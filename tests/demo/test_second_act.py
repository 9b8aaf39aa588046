"""The second act as a whole, and what its proof holds against it."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.board import Convoy
from app.demo import HostSeen, Sample, SecondAct, Stage, hosted_points
from app.errors import UserError
from app.wiring import Surroundings, open_workshop
from tests.demo.conftest import PARTS, sample_in

ALL = HostSeen(
    closed=True,
    pulls=(2, 3, 4, 5, 6, 7),
    merged=(2, 3, 4, 5, 6, 7),
    red=("E: lines of more than 90 characters",),
    unchecked=(),
    comments=("<!-- brat:sticky:c-1 -->", "Thank you, eve.", "Done."),
    problems=(),
    together=3,
    early=0,
)


def missing(convoy: Convoy, sample: Sample, **seen: Any) -> list[str]:
    """The points that do not hold when the host shows something else."""
    found = hosted_points(convoy, replace(ALL, **seen), writer="ada", isolation=sample.isolation)
    return [each.what for each in found if not each.held]


@pytest.mark.full
def test_the_request_goes_from_a_label_to_merged_pull_requests(
    sample: Sample, capfd: pytest.CaptureFixture[str]
) -> None:
    assert SecondAct(sample, Stage()).run() == 0
    shown = capfd.readouterr().out
    assert "The host is a STAND-IN of GitHub on this machine" in shown
    assert "Waiting for approval · 6 tasks planned" in shown
    assert "Thank you, eve." in shown
    assert "CI is red on convoy/auth-jwt/task-5: E: lines of more than 90 characters" in shown
    assert "an agent starts on task 5, attempt 2, after: check" in shown
    assert "#7   merged by brat[bot]" in shown
    assert "Done, landed on main · 6 of 6 tasks merged" in shown
    assert "pull request #2 opened at " in shown
    assert "All of it happened" in shown
    clone = open_workshop(sample.folder / "clone", Surroundings(sample.environ, Path.home()))
    (told,) = clone.view()[0].convoys
    assert missing(told, sample, merged=(2, 3, 4, 5, 6), closed=False) == [
        "a pull request per task, all merged, and the issue closed",
        "they landed in the order of the plan",
    ]
    assert len(missing(told, sample, together=1, early=2, red=(), unchecked=(3,), comments=())) == 5


def test_without_the_stand_in_it_is_left_out_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("app.demo.host.HERE", tmp_path / "app" / "demo")
    assert SecondAct(Sample(tmp_path / "hosted"), Stage()).run() == 0
    assert "this is no source checkout of brat" in capfd.readouterr().out
    assert not (tmp_path / "hosted").exists()


@pytest.mark.full
def test_an_agent_that_repairs_nothing_ends_it_with_the_reason(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    parts = tmp_path / "parts"
    shutil.copytree(PARTS, parts)
    script = parts / "script.toml"
    script.write_text(script.read_text().replace('repair = "5-api-tests-repair.patch"\n', ""))
    with pytest.raises(UserError, match=r"nothing moves any more: .*3 attempts"):
        SecondAct(sample_in(tmp_path / "demo", parts=parts), Stage()).run()
    assert "after: engine-error" in capfd.readouterr().out
