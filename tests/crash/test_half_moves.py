"""The repository's own git dies between two refs of one push: the record or its ref is made good."""

from __future__ import annotations

import json

import pytest

from tests.crash.conftest import MakeRun, Undisturbed
from tests.crash.points import Strike
from tests.crash.run import Run

LOG = "refs/grite/wal"
PUSHES = 6
"""Three branches are published and three merges land."""


def move_half(run: Run, *, log: bool) -> str:
    """Of a push that was about to begin, move only the log or only the branch; the ref that was moved."""
    world = run.world
    moves: dict[str, str] = json.loads((world.state / "push.json").read_text())
    (ref,) = [each for each in moves if (each == LOG) is log]
    world.git("fetch", "--quiet", str(world.state / "mirror.git"), *[v for k, v in moves.items() if k != LOG])
    world.git("update-ref", ref, moves[ref])
    return ref


def expect_mended(run: Run, push: int, *, log: bool) -> None:
    run.step.order(Strike("push.refs", push))
    assert run.go().killed
    move_half(run, log=log)
    went = run.go()
    assert went.end == "landed", went.output


@pytest.mark.parametrize("log", [True, False], ids=["only the log moved", "only the branch moved"])
@pytest.mark.parametrize("push", [1, PUSHES])
def test_half_a_push_is_made_whole(push: int, log: bool, run: Run, undisturbed: Undisturbed) -> None:
    expect_mended(run, push, log=log)
    assert run.outcome() == undisturbed.outcome


@pytest.mark.full
@pytest.mark.timeout(900)
@pytest.mark.parametrize("log", [True, False], ids=["only the log moved", "only the branch moved"])
def test_half_of_any_push_is_made_whole(log: bool, make_run: MakeRun, undisturbed: Undisturbed) -> None:
    for push in range(2, PUSHES):
        run = make_run(f"{push}")
        expect_mended(run, push, log=log)
        assert run.outcome() == undisturbed.outcome, push
