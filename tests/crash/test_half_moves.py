"""The repository's own git dies between two refs of one push: the record or its ref is made good."""

from __future__ import annotations

import json

import pytest

from tests.crash.conftest import MakeRun, Undisturbed
from tests.crash.points import Strike
from tests.crash.run import Run

LOG = "refs/grite/wal"
SIDES = pytest.mark.parametrize("log", [True, False], ids=["only the log moved", "only branches moved"])


def move_half(run: Run, *, log: bool) -> None:
    """Of a push that was about to begin, move only the log or only the branches."""
    world = run.world
    moves: dict[str, str] = json.loads((world.state / "push.json").read_text())
    branches = {ref: commit for ref, commit in moves.items() if ref != LOG}
    world.git("fetch", "--quiet", str(world.state / "mirror.git"), *branches.values())
    for ref, commit in ({LOG: moves[LOG]} if log else branches).items():
        world.git("update-ref", ref, commit)


def expect_mended(run: Run, push: int, *, log: bool) -> None:
    """A run may need one push less, when two tasks are published together."""
    run.step.order(Strike("push.refs", push))
    went = run.go()
    if went.killed:
        move_half(run, log=log)
        went = run.go()
    else:
        assert run.names.count("push.refs") < push
    assert went.end == "landed", went.output


@SIDES
def test_half_a_push_is_made_whole(log: bool, run: Run, undisturbed: Undisturbed) -> None:
    expect_mended(run, 4, log=log)
    assert run.outcome() == undisturbed.outcome


@SIDES
@pytest.mark.full
@pytest.mark.timeout(900)
def test_half_of_any_push_is_made_whole(log: bool, make_run: MakeRun, undisturbed: Undisturbed) -> None:
    for push in range(1, undisturbed.names.count("push.refs") + 1):
        run = make_run(f"{push}")
        expect_mended(run, push, log=log)
        assert run.outcome() == undisturbed.outcome, push
