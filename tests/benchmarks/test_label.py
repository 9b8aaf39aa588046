"""What the stand-in's record says of a stretch of time."""

from __future__ import annotations

from benchmarks.label import Span, covered_s


def test_requests_at_the_same_time_count_once_and_only_inside_the_stretch() -> None:
    spans = [Span(1.0, 3.0, "a"), Span(2.0, 4.0, "b"), Span(2.5, 2.75, "c"), Span(9.0, 20.0, "d")]
    assert covered_s(spans, 0.0, 10.0) == 4.0
    assert covered_s(spans, 3.5, 9.5) == 1.0
    assert covered_s([], 0.0, 10.0) == 0.0
