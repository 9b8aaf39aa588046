"""The short names of convoys."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.mayor import slug


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        (
            "Refactor the auth module to use JWT tokens, update all tests, and update API documentation",
            "auth-jwt",
        ),
        ("Fix login bug on Safari #123", "fix-login-bug-safari"),
        ("Don't crash when config.toml is missing", "dont-crash-config-toml"),
        ("Überprüfung hinzufügen", "uberprufung-hinzufugen"),
        ("Please, add retry to the http client", "retry-http-client"),
        ("Add a file", "add-a-file"),
        ("添加", "convoy"),
        ("", "convoy"),
        ("x" * 80, "x" * 32),
        ("../../etc/passwd.lock", "etc-passwd-lock"),
    ],
)
def test_a_title_gives_a_telling_slug(title: str, expected: str) -> None:
    assert slug(title) == expected


@given(st.text(max_size=80), st.integers(0, 12))
def test_a_slug_is_always_safe_and_never_taken(title: str, times: int) -> None:
    taken: set[str] = set()
    for _ in range(times + 1):
        name = slug(title, taken)
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)
        assert len(name) <= 32
        assert name not in taken
        taken.add(name)


def test_a_taken_slug_is_numbered() -> None:
    assert slug("JWT auth", {"jwt-auth"}) == "jwt-auth-2"
    assert slug("JWT auth", {"jwt-auth", "jwt-auth-2"}) == "jwt-auth-3"
