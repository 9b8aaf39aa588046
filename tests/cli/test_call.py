"""How lines reach a terminal, a pipe or a file."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from app.cli.call import Call


def said(text: str, capsys: pytest.CaptureFixture[str]) -> str:
    Call().line(text)
    return capsys.readouterr().out


def by_rich(text: str) -> str:
    file = io.StringIO()
    Console(file=file, highlight=False, emoji=False, soft_wrap=True).print(text, markup=False)
    return file.getvalue()


@pytest.mark.parametrize(
    "text",
    ["", "words", "[bold]no markup[/]", ":smile:", "a\tb", "\a\rbell", "two\nlines", "x" * 500, "日本"],
)
def test_line_in_a_pipe_is_what_rich_would_print(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(text, capsys) == by_rich(text)


@pytest.mark.parametrize("name", ["FORCE_COLOR", "TTY_COMPATIBLE"])
def test_colours_can_be_asked_for_in_a_pipe(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "1")
    monkeypatch.setenv("TERM", "xterm")
    Call().line("done", style="green")
    assert "\x1b[32mdone" in capsys.readouterr().out
