"""The person's editor gets a text and gives back what it became."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.cli.editing import edited
from app.errors import OperatorError


def editor(tmp_path: Path, script: str) -> dict[str, str]:
    file = tmp_path / "my editor"
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)
    return {"EDITOR": f"'{file}' --wait"}


def test_what_the_editor_wrote_comes_back(tmp_path: Path) -> None:
    assert edited("a\n", editor(tmp_path, 'echo b >> "$2"'), ending=".yaml") == "a\nb\n"


def test_an_untouched_text_is_no_edit(tmp_path: Path) -> None:
    assert edited("a\n", editor(tmp_path, ":"), ending=".yaml") is None


def test_an_editor_that_fails_or_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(OperatorError, match="ended with 3"):
        edited("a\n", editor(tmp_path, "exit 3"), ending=".yaml")
    with pytest.raises(OperatorError, match="does not start"):
        edited("a\n", {"VISUAL": "/nowhere/vi"}, ending=".yaml")
