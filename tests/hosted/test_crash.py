"""A worker dies at any point, before the effect or after it: the next one reaches the same end, once."""

from __future__ import annotations

import pytest

from tests.hosted.conftest import Struck, Undisturbed
from tests.hosted.points import Strike

# A dead worker closes nothing in good order.
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")

POINTS = (
    "DELETE /issues/*/labels/brat%3Arunning",
    "PATCH /issues/*",
    "PATCH /issues/comments/*",
    "POST /check-runs",
    "POST /issues/*/comments",
    "POST /issues/*/labels",
    "POST /issues/comments/*/reactions",
    "POST /labels",
    "POST /pulls",
    "POST /pulls/*/requested_reviewers",
    "PUT /pulls/*/merge",
    "dispatch.make",
    "dispatch.spawn",
    "host.push",
    "host.snapshots",
    "house.clean",
    "log.identity",
    "log.objects",
    "log.pins",
    "log.publish",
    "log.ref",
    "log.ref.settled",
    "log.snapshot",
    "log.snapshot.pruned",
    "mirror.create",
    "mirror.fetch",
    "mirror.forget",
    "mirror.gc",
    "publish.inspected",
    "publish.keep",
    "push.closed",
    "push.journal",
    "push.refs",
    "replica.create",
    "replica.default",
    "replica.fetch",
    "replica.forget",
    "replica.gc",
    "replica.seen",
)
SAMPLE = (
    (
        Strike("replica.create", 1, "before"),
        Strike("host.push", 1, "after"),
        Strike("POST /issues/*/comments", 1, "after"),
        Strike("POST /pulls", 1, "after"),
    ),
    (
        Strike("log.publish", 2, "after"),
        Strike("dispatch.spawn", 1, "after"),
        Strike("PUT /pulls/*/merge", 1, "after"),
        Strike("PATCH /issues/*", 1, "after"),
    ),
)
PARTS = 24


def test_undisturbed_run_has_exactly_the_known_points(undisturbed: Undisturbed) -> None:
    assert sorted(set(undisturbed.names)) == sorted(POINTS)


@pytest.mark.parametrize("strikes", SAMPLE, ids=["start", "middle"])
def test_workers_that_die_one_after_the_other_reach_the_same_end(
    strikes: tuple[Strike, ...], struck: Struck, undisturbed: Undisturbed
) -> None:
    points, _ = struck.run(*strikes, after=undisturbed)
    assert points.struck == list(strikes)


def test_of_two_workers_one_may_die_and_all_is_done_once(struck: Struck, undisturbed: Undisturbed) -> None:
    strikes = (Strike("POST /issues/*/comments", 1, "after"), Strike("PUT /pulls/*/merge", 1, "after"))
    points, _ = struck.run(*strikes, names=("one", "two"), after=undisturbed)
    assert points.struck == list(strikes)


@pytest.mark.full
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("part", range(PARTS))
def test_every_point_may_be_a_workers_last(part: int, struck: Struck, undisturbed: Undisturbed) -> None:
    """Two of them in a run, half a run apart: the second hits a worker that began after a death."""
    for one, other in pairs(undisturbed.strikes)[part::PARTS]:
        points, _ = struck.run(one, other, after=undisturbed)
        assert one in points.struck, str(one)


@pytest.mark.full
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("part", range(PARTS))
def test_every_point_may_be_the_last_of_one_of_two(
    part: int, struck: Struck, undisturbed: Undisturbed
) -> None:
    """Every fourth of the pairs: whose turn a point falls into changes with each death."""
    for one, other in pairs(undisturbed.strikes)[::4][part::PARTS]:
        points, _ = struck.run(one, other, names=("one", "two"), after=undisturbed)
        assert points.struck, str(one)


def pairs(strikes: tuple[Strike, ...]) -> list[tuple[Strike, Strike]]:
    """The first half each with its match in the second; an odd last one with the first."""
    half = (len(strikes) + 1) // 2
    return [(strikes[at], strikes[(at + half) % len(strikes)]) for at in range(half)]
