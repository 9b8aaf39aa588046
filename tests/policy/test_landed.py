"""P5 in its three cases."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.policy import LandedCase, landed_as_tested

A, B, C = "a" * 40, "b" * 40, "c" * 40
TREES = st.sampled_from([A, B, C])


def test_p5_the_tested_tree_is_fine() -> None:
    assert landed_as_tested(A, A, None).case is LandedCase.SAME


def test_p5_the_tested_head_on_a_moved_base_has_its_own_checks_awaited() -> None:
    landing = landed_as_tested(B, A, B)
    assert landing.case is LandedCase.BASE_MOVED
    assert "the checks of what landed are awaited" in landing.words


def test_p5_anything_else_stops_the_queue() -> None:
    """https://github.com/zed-industries/zed/issues/54721: a squash group reverted code in silence."""
    landing = landed_as_tested(C, A, B)
    assert landing.case is LandedCase.OTHER
    assert "nothing more lands before a person has looked" in landing.words
    assert landed_as_tested(C, A, None).case is LandedCase.OTHER


@given(TREES, TREES, st.none() | TREES)
def test_p5_a_tree_that_nobody_expected_is_never_fine(landed: str, tested: str, merged: str | None) -> None:
    expected = landed in (tested, merged)
    assert (landed_as_tested(landed, tested, merged).case is not LandedCase.OTHER) is expected
