"""One table of commands: the page, the help and the twins follow from it."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.texts import (
    COMMANDS,
    Place,
    as_comment,
    commands_page,
    help_text,
)
from tests.texts.samples import convoy, task

PAGE = Path(__file__).parents[2] / "docs" / "commands.md"


def test_page_of_commands_is_the_table() -> None:
    assert PAGE.read_text() == commands_page()


def test_help_lists_what_fits_the_place() -> None:
    issue, pull = help_text(Place.ISSUE), help_text(Place.PULL)
    assert all(f"`{row.form}`" in issue for row in COMMANDS)
    assert [row.name for row in COMMANDS if f"`{row.form}`" not in pull] == [
        "plan",
        "approve",
        "replan",
        "start",
        "cancel",
        "answer",
    ]


@pytest.mark.parametrize(
    ("command", "comment"),
    [
        ("brat convoy approve use-jwt", "/brat approve"),
        ("brat convoy resume use-jwt", "/brat resume"),
        ("brat task retry t-20261121-0003", "/brat retry 3"),
        ("brat task retry use-jwt/3 --engine codex", "/brat retry 3 codex"),
        ("brat task release t-20261121-0003", "/brat unhold 3"),
        ("brat task release 3 --head bbbbbbbbbbbb", "/brat release 3"),
        ("brat task show use-jwt/3", "/brat status"),
        ("brat task retry t-of-another-convoy", "brat task retry t-of-another-convoy"),
        ("brat mayor resume", "brat mayor resume"),
        ("/brat drop 2", "/brat drop 2"),
        ("git branch -f main abc", "git branch -f main abc"),
        ("", ""),
    ],
)
def test_what_unblocks_is_said_as_a_comment(command: str, comment: str) -> None:
    assert as_comment(command, convoy(task(3))) == comment
