"""What each engine really printed is read for what it means."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.ports import Usage
from app.runner.engines.aider import LOG
from app.runner.engines.port import EngineReport, Heard
from app.runner.engines.registry import ENGINES

SAMPLES = Path(__file__).with_name("samples")


def report(engine: str, sample: str, exit_code: int) -> EngineReport:
    log = SAMPLES / f"{sample}-analytics-log.jsonl"
    files = {LOG: log.read_text()} if log.exists() else {}
    return ENGINES[engine].report(Heard((SAMPLES / f"{sample}.stdout").read_text(), "", exit_code, files))


@pytest.mark.parametrize(
    ("engine", "sample", "answer", "usage"),
    [
        ("claude-code", "claude-ok", "All done: created hello.txt.", Usage(2000, 100, 0.0075)),
        ("claude-code", "claude-stream-ok", "All done: created hello.txt.", Usage(2000, 100, 0.0075)),
        ("claude-code", "claude-chat", "I did nothing.", Usage(1000, 50, 0.00375)),
        ("codex", "codex-ok", "All done: created hello.txt.", Usage(2000, 100)),
        ("codex", "codex-ok-apply_patch", "All done: created hello.txt.", Usage(2000, 100)),
        ("codex", "codex-chat", "I did nothing.", Usage(1000, 50)),
        ("aider", "aider-ok", "All done: created hello.txt.", Usage(1000, 50, 0.00375)),
    ],
)
def test_answer_and_usage_are_read(engine: str, sample: str, answer: str, usage: Usage) -> None:
    read = report(engine, sample, 0)
    assert (read.ok, read.error, read.usage) == (True, "", usage)
    assert read.answer.startswith(answer)


@pytest.mark.parametrize(
    ("engine", "sample", "exit_code", "error"),
    [
        ("claude-code", "claude-401", 1, "Failed to authenticate. API Error: 401"),
        ("claude-code", "claude-stream-401", 1, "Failed to authenticate. API Error: 401"),
        ("claude-code", "claude-404", 1, "There's an issue with the selected model"),
        ("claude-code", "claude-429", 1, "API Error"),
        ("claude-code", "claude-500", 1, "API Error"),
        ("claude-code", "claude-garbage", 1, "API Error"),
        ("claude-code", "claude-loop", 1, "Reached maximum number of turns (3)"),
        ("claude-code", "claude-drop", 137, "it ended with exit code 137 and without a result"),
        ("claude-code", "claude-stream-sleep", 143, "it ended with exit code 143 and without a result"),
        ("codex", "codex-401", 1, "unexpected status 401 Unauthorized"),
        ("codex", "codex-404", 1, "unexpected status 404"),
        ("codex", "codex-429", 1, "exceeded retry limit, last status: 429"),
        ("codex", "codex-500", 1, "We\u2019re currently experiencing high demand"),
        ("codex", "codex-drop", 1, "stream disconnected before completion"),
        ("codex", "codex-garbage", 1, "stream disconnected before completion"),
        ("aider", "aider-401", 0, "litellm.BadRequestError: OpenAIException - fake llm: scripted 401"),
        ("aider", "aider-404", 0, "litellm."),
        ("aider", "aider-429", 0, "litellm."),
        ("aider", "aider-500", 0, "litellm."),
        ("aider", "aider-garbage", 0, "litellm."),
    ],
)
def test_failure_is_told_in_one_line(engine: str, sample: str, exit_code: int, error: str) -> None:
    read = report(engine, sample, exit_code)
    assert not read.ok
    assert read.error.startswith(error)
    assert "\n" not in read.error


def test_claude_that_was_denied_its_edit_says_so() -> None:
    read = report("claude-code", "claude-permission-denied", 0)
    assert read.ok, "the missing diff tells, not the report"


def test_codex_that_completed_but_was_killed_has_not_succeeded() -> None:
    assert not report("codex", "codex-ok", 137).ok


@pytest.mark.parametrize("engine", ["claude-code", "codex", "aider"])
@pytest.mark.parametrize("junk", ["", "<html>", '{"type": "result"', "[1, 2]", '{"type": 3}', "{}\nnull\n"])
def test_junk_is_a_failure_and_no_exception(engine: str, junk: str) -> None:
    read = ENGINES[engine].report(Heard(junk, "", 0, {LOG: junk}))
    assert not read.ok
    assert read.error
    ENGINES[engine].human(junk)


@pytest.mark.parametrize(
    ("engine", "sample", "told"),
    [
        ("claude-code", "claude-stream-ok", ["Write: /srv/run/claude-stream-ok-f249d7/work/hello.txt"]),
        ("codex", "codex-ok", ["All done: created hello.txt."]),
    ],
)
def test_people_see_words_and_not_json(engine: str, sample: str, told: list[str]) -> None:
    lines = (SAMPLES / f"{sample}.stdout").read_text().splitlines()
    seen = [line for line in map(ENGINES[engine].human, lines) if line]
    assert set(told) <= set(seen)
    assert not [line for line in seen if line.startswith("{")]
