"""What is written down, and what is not."""

from __future__ import annotations

import io
import json
import logging
import os
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from app.service import context, log_to
from app.service.logs import JsonLines

KEY = "-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----"
SECRETS = [
    "ghs_" + "a1B2" * 9,
    "github_pat_" + "a1B2" * 9,
    "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiIxIn0.c2lnbmF0dXJl",
    KEY,
    "kept secret",
    "redis://:hunter2@host",
    "unix:///x?password=hunter2",
    "Authorization: Bearer abcdefgh12345678",
]


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    before = root.handlers[:], root.level
    stream = io.StringIO()
    log_to(stream, secrets=("kept secret",))
    yield stream
    root.handlers[:], root.level = before[0], before[1]


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_line_says_what_it_is_about(written: io.StringIO) -> None:
    with context(delivery="d-1", repository=42):
        logging.getLogger("x").info("said %d", 1, extra={"convoy": "auth-jwt", "other": "not told"})
    [told] = lines(written)
    del told["time"]
    assert told == {
        "level": "info",
        "logger": "x",
        "message": "said 1",
        "delivery": "d-1",
        "repository": 42,
        "convoy": "auth-jwt",
    }


def test_name_that_is_no_text_is_still_a_line() -> None:
    name = os.fsdecode(b"caf\xe9")
    told = JsonLines().format(logging.makeLogRecord({"msg": name}))
    assert json.loads(told)["message"] == name


def test_context_ends_with_its_block_and_is_not_that_of_other_threads(written: io.StringIO) -> None:
    with context(repository=42):
        other = threading.Thread(target=lambda: logging.info("elsewhere"))
        other.start()
        other.join()
    logging.info("after")
    assert ["repository" in each for each in lines(written)] == [False, False]


@pytest.mark.parametrize("secret", SECRETS)
def test_no_secret_is_written_wherever_it_stands(written: io.StringIO, secret: str) -> None:
    logging.info("text %s", secret)
    logging.info(secret.replace("%", "%%"), extra={"because": secret})
    try:
        raise RuntimeError(secret)
    except RuntimeError:
        logging.exception("failed")
    text = written.getvalue()
    for part in ("a1B2a1B2", "c2lnbmF0dXJl", "MIIabc", "kept secret", "hunter2", "abcdefgh12345678"):
        assert part not in text
    assert len(lines(written)) == 3


def test_line_break_in_a_message_makes_no_second_record(written: io.StringIO) -> None:
    logging.info('one\n{"level": "forged"}')
    assert len(lines(written)) == 1
