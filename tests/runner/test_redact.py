"""Nothing secret and no place of this machine stays in a text."""

from __future__ import annotations

import base64
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.runner import Redactor
from app.runner.redact import last_bytes, one_line, plain_text

KEY = "k3y/with+odd=characters-0123456789"


@pytest.mark.parametrize(
    "form",
    [
        KEY,
        quote(KEY, safe=""),
        *(base64.b64encode(b"x" * offset + KEY.encode()).decode() for offset in range(3)),
        base64.urlsafe_b64encode(f"user:{KEY}".encode()).decode(),
    ],
)
def test_known_secret_is_hidden_in_each_encoding(form: str) -> None:
    shown = Redactor((KEY,))(f"before {form} after")
    assert "<redacted>" in shown
    assert "odd" not in shown
    for middle in (base64.b64encode(KEY.encode()).decode()[4:24], "b2Rk"):
        assert middle not in shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("key sk-ant-api03-abcdefghij0123456789 used", "key <redacted> used"),
        ("ghp_abcdefghijklmnopqrstuvwxyz0123456789", "<redacted>"),
        ("AKIAIOSFODNN7EXAMPLE", "<redacted>"),
        ("Authorization: Bearer abcdefgh12345678", "Authorization: Bearer <redacted>"),
        ('"x-api-key": "abcdefgh12345678"', '"x-api-key": "<redacted>"'),
        ("https://me:hunter22@example.org/x", "https://<redacted>@example.org/x"),
        ("a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nb", "a\n<redacted>\nb"),
        ("-----BEGIN PRIVATE KEY-----\ncut off", "<redacted>"),
    ],
)
def test_shapes_of_keys_are_hidden(text: str, shown: str) -> None:
    assert Redactor()(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "authorization: implement it with JWT",
        "the task-runner and the risk-averse",
        "ask-me-anything-you-want-now",
    ],
)
def test_plain_words_stay(text: str) -> None:
    assert Redactor()(text) == text


def test_host_paths_get_names() -> None:
    hide = Redactor(paths=(("/home/ada/s/1", "<session>"), ("/home/ada", "~")))
    assert (
        hide("/home/ada/s/1/workspace/a.py, /home/ada/x, /home/adam")
        == "<session>/workspace/a.py, ~/x, /home/adam"
    )


@given(st.text(), st.text(min_size=4))
def test_no_known_secret_survives_and_twice_is_once(text: str, secret: str) -> None:
    hide = Redactor((secret,))
    once = hide(f"{text} {secret} {text}")
    assert secret not in once.replace("<redacted>", "")
    assert hide(once) == once or secret in "<redacted>"


def test_last_line_is_plain_and_short() -> None:
    assert one_line("first\n\x1b[31mred\x1b[0m\ttext\x07\n\n") == "red\ttext"
    assert len(one_line("x" * 500)) == 200
    assert plain_text("a\x1b]0;title\x07b\r\nc") == "ab\nc"


@given(st.text(), st.integers(min_value=1, max_value=50))
def test_tail_is_an_end_within_its_limit(text: str, limit: int) -> None:
    tail = last_bytes(text, limit)
    assert text.endswith(tail)
    assert len(tail.encode("utf-8", "surrogatepass")) <= limit
