"""Each form of a rate limit, and what is none."""

from __future__ import annotations

import pytest

from app.forge.github.limits import limited_until

NOW = 1_800_000_000_000
LIMITS: list[tuple[str, int, dict[str, str], str, int]] = [
    ("seconds", 429, {"retry-after": "7"}, "", NOW + 7000),
    ("a date", 403, {"retry-after": "Fri, 15 Jan 2027 08:01:00 GMT"}, "", NOW + 60_000),
    ("reset", 403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1800000123"}, "", NOW + 123_000),
    ("reset that is over", 403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1"}, "", NOW + 1000),
    ("after before reset", 403, {"retry-after": "9", "x-ratelimit-reset": "1800000123"}, "", NOW + 9000),
    ("words alone", 403, {}, "You have exceeded a secondary rate limit.", NOW + 60_000),
    ("nothing said", 429, {}, "", NOW + 60_000),
    ("graphql", 200, {}, "API rate limit exceeded (RATE_LIMITED)", NOW + 60_000),
    ("too quick", 422, {}, "Validation Failed: was submitted too quickly", NOW + 60_000),
    ("taken for abuse", 422, {"x-ratelimit-remaining": "9"}, "Validation Failed: base abuse", NOW + 60_000),
    ("too quick by graphql", 200, {}, "was submitted too quickly", NOW + 60_000),
    ("reset is not zero", 429, {"x-ratelimit-remaining": "3", "x-ratelimit-reset": "5"}, "", NOW + 60_000),
]


@pytest.mark.parametrize(
    ("status", "headers", "words", "until"), [e[1:] for e in LIMITS], ids=[e[0] for e in LIMITS]
)
def test_every_form_of_a_limit_says_when_to_come_back(
    status: int, headers: dict[str, str], words: str, until: int
) -> None:
    assert limited_until(status, headers, words, now=NOW) == until


@pytest.mark.parametrize(
    ("status", "headers", "words"),
    [
        (403, {"x-ratelimit-remaining": "4999"}, "Resource not accessible by integration"),
        (404, {}, "Not Found"),
        (200, {"x-ratelimit-remaining": "0"}, ""),
        (422, {}, "Validation Failed"),
        (422, {}, "Validation Failed: A pull request already exists for ada:convoy/abuse/task-1."),
        (422, {}, "Validation Failed: No commits between main and abuse"),
    ],
)
def test_other_answers_are_no_limits(status: int, headers: dict[str, str], words: str) -> None:
    assert limited_until(status, headers, words, now=NOW) is None


def test_without_a_time_the_pause_grows_to_a_quarter_of_an_hour() -> None:
    pauses = [limited_until(429, {}, "", now=0, strikes=each) for each in range(7)]
    assert pauses == [60_000, 120_000, 240_000, 480_000, 900_000, 900_000, 900_000]
