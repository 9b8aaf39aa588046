"""What the documents tell people to type is understood, and what they link to is there."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from app.cli import program

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def commands(text: str) -> Iterator[list[str]]:
    """Every `brat …` after a prompt or between backticks, without comments; `--json` may stand anywhere."""
    for line in re.findall(r"(?m)^\$ (brat .*)$", text) + re.findall(r"`(brat [^`\n]*)`", text):
        words = shlex.split(re.split(r" [>|] ", line.replace("…", "x"))[0], comments=True)
        if "COMMAND" not in words:
            yield [each for each in words[1:] if each != "--json"]


def understood(words: list[str]) -> None:
    """Parse the words as the program would; no option's own action is run. Raises what the parser raises.

    A mention without its argument (`brat task retry`) is understood too.
    """
    command: Any = get_command(program)
    context: Any = None
    name, rest = "brat", list(words)
    while True:
        context = command.context_class(command, info_name=name, parent=context)
        _, rest, _ = command.make_parser(context).parse_args(args=rest)
        if not hasattr(command, "resolve_command"):
            assert not rest, f"too many words: {rest}"
            return
        if not rest:
            return
        name, command, rest = command.resolve_command(context, rest)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_in_the_documents_are_understood(page: Path) -> None:
    for words in commands(page.read_text()):
        try:
            understood(words)
        except Exception as error:
            pytest.fail(f"{page.name}: brat {shlex.join(words)}: {type(error).__name__}: {error}")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_the_documents_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text())
    gone = [each for each in links if "://" not in each and not (page.parent / each).exists()]
    assert gone == []


def test_index_lists_every_page() -> None:
    index = (ROOT / "docs" / "README.md").read_text()
    pages = {each.name for each in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert set(re.findall(r"(?m)^\| \[([\w.]+)\]", index)) >= pages


def test_readme_is_read_in_two_minutes() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= 100


def test_command_that_does_not_exist_is_found() -> None:
    with pytest.raises(Exception, match="No such"):
        understood(["mayor", "start", "--unheard-of"])
