"""The deaths of `test_crash` where work lands by push, by way of a convoy's branch, by GitHub's queue."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hosted.conftest import Mode, Struck, Undisturbed
from tests.hosted.points import Strike, strikes_of
from tests.hosted.test_crash import POINTS, pairs

# A dead worker closes nothing in good order.
pytestmark = [pytest.mark.filterwarnings("ignore::ResourceWarning"), pytest.mark.full]

MODES = {
    "push": Mode('[refinery]\nland = "push"\n'),
    "convoy": Mode('[refinery]\ntarget = "convoy"\n', homes=1),
    "queue": Mode(queue=True),
}
PARTS = 2
EVERY = 12
"""Of the points that every way of landing has; those of one way alone are struck all."""


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("mode", MODES)
def test_workers_that_die_reach_the_same_end_however_work_lands(
    mode: str, part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    struck = Struck(tmp_path, monkeypatch, mode=MODES[mode])
    points, end = struck.run()
    undisturbed = Undisturbed(tuple(strikes_of(points.names)), tuple(points.names), end)
    for one, other in pairs(chosen(undisturbed.strikes))[part::PARTS]:
        points, _ = struck.run(one, other, after=undisturbed)
        assert one in points.struck, str(one)


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("mode", MODES)
def test_of_two_workers_one_may_die_however_work_lands(
    mode: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    struck = Struck(tmp_path, monkeypatch, mode=MODES[mode])
    points, end = struck.run()
    undisturbed = Undisturbed(tuple(strikes_of(points.names)), tuple(points.names), end)
    for one, other in pairs(chosen(undisturbed.strikes))[::4]:
        points, _ = struck.run(one, other, names=("one", "two"), after=undisturbed)
        assert points.struck, str(one)


def chosen(strikes: tuple[Strike, ...]) -> tuple[Strike, ...]:
    """What this way of landing alone does, and a sample of the rest."""
    own = [each for each in strikes if each.name not in POINTS]
    return (*own, *[each for each in strikes if each.name in POINTS][::EVERY])
