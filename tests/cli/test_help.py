"""Help is read in whole sentences, however narrow the terminal is."""

from __future__ import annotations

import pytest

from app.cli.commands import GROUPS
from tests.cli.desk import Desk


def listed(said: str) -> list[str]:
    """The lines that tell what each command does."""
    return said.partition("Commands:\n")[2].splitlines()


@pytest.mark.parametrize("group", [(), *((name,) for name in GROUPS)])
def test_no_line_of_help_is_cut_off(desk: Desk, group: tuple[str, ...]) -> None:
    said = desk.brat(*group, "--help").out
    told = listed(said)
    assert told
    assert not [line for line in told if "..." in line or len(line) > 80]
    assert said.rstrip().endswith(".")
