"""A process, or all of them, killed at an effect: the next process reaches the same end."""

from __future__ import annotations

import pytest

from tests.crash.conftest import MakeRun, Undisturbed
from tests.crash.points import SIDES, Strike
from tests.crash.run import Run

STEPS = (
    "dispatch.make",
    "dispatch.spawn",
    "log.identity",
    "log.objects",
    "log.pins",
    "log.ref",
    "log.ref.settled",
    "mirror.create",
    "mirror.fetch",
    "mirror.keep",
    "publish.inspected",
    "publish.keep",
    "push.closed",
    "push.journal",
    "push.refs",
    "runner.bundle",
    "runner.pid",
    "runner.result",
    "takeover.closed",
    "takeover.index",
    "takeover.journal",
    "takeover.lock",
    "takeover.refs",
    "takeover.tree",
    "takeover.unlock",
)
SAMPLE = (
    Strike("log.ref", 1, "before"),
    Strike("dispatch.make", 2, "after"),
    Strike("dispatch.spawn", 1, "after", "all"),
    Strike("runner.result", 1, "before", "all"),
    Strike("push.refs", 2, "after", "all"),
    Strike("push.journal", 3, "after"),
    Strike("takeover.tree", 1, "after", "all"),
    Strike("takeover.refs", 1, "after"),
)


def test_undisturbed_run_has_exactly_the_known_steps(undisturbed: Undisturbed) -> None:
    assert sorted(set(undisturbed.names)) == sorted(STEPS)


@pytest.mark.parametrize("strike", SAMPLE, ids=str)
def test_killed_run_resumed_has_the_same_end(strike: Strike, run: Run, undisturbed: Undisturbed) -> None:
    run.land(strike)
    assert run.struck
    assert run.outcome() == undisturbed.outcome


@pytest.mark.full
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("name", STEPS)
def test_every_occurrence_of_a_step_may_be_the_last(
    name: str, side: str, make_run: MakeRun, undisturbed: Undisturbed
) -> None:
    """A step that comes often is struck on alternating sides: after one is all but before the next."""
    count = undisturbed.names.count(name)
    for occurrence in range(1, count + 1):
        if count > 2 and SIDES[occurrence % 2] != side:
            continue
        run = make_run(f"{occurrence}")
        run.land(Strike(name, occurrence, side))
        assert run.struck or run.names.count(name) < occurrence
        assert run.outcome() == undisturbed.outcome, (name, occurrence, side)


@pytest.mark.full
@pytest.mark.timeout(900)
@pytest.mark.parametrize("how", ["self", "all"])
@pytest.mark.parametrize("name", ["push.refs", "takeover.tree", "takeover.refs", "publish.keep", "log.ref"])
def test_effect_may_be_cut_in_its_middle(
    name: str, how: str, make_run: MakeRun, undisturbed: Undisturbed
) -> None:
    last = undisturbed.names.count(name)
    for ms in (2, 5, 10, 20, 40):
        run = make_run(f"{ms}")
        run.land(Strike(name, last, "amid", how, ms))
        assert run.outcome() == undisturbed.outcome, (name, how, ms)


@pytest.mark.full
@pytest.mark.timeout(600)
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("name", STEPS)
def test_all_processes_may_die_at_once(
    name: str, side: str, make_run: MakeRun, undisturbed: Undisturbed
) -> None:
    for occurrence in sorted({1, undisturbed.names.count(name)}):
        run = make_run(f"{occurrence}")
        run.land(Strike(name, occurrence, side, "all"))
        assert run.struck or run.names.count(name) < occurrence
        assert run.outcome() == undisturbed.outcome, (name, occurrence, side)
