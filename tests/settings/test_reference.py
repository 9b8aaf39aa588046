from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.config import parse_config
from app.settings import load_settings
from app.settings.reference import with_tables

PAGE = Path(__file__).parents[2] / "docs/configuration.md"


def test_tables_in_the_docs_are_those_of_the_code() -> None:
    page = PAGE.read_text("utf-8")
    assert with_tables(page) == page, "run: python -m app.settings.reference docs/configuration.md"


def test_page_without_a_mark_is_refused() -> None:
    with pytest.raises(ValueError, match="marks of the table repository 0 times"):
        with_tables("no marks")


def test_examples_in_the_docs_are_accepted(tmp_path: Path) -> None:
    repository, operator = re.findall(r"```toml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert parse_config(repository).refinery.require_ci
    (tmp_path / "operator.toml").write_text(operator)
    assert load_settings({"BRAT_CONFIG": str(tmp_path / "operator.toml")}, tmp_path).limits.max_polecats == 8
