"""Writes the tables of docs/configuration.md: `python -m app.settings.reference docs/configuration.md`."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path

from app.config import LEGACY, file_schema, key_table
from app.config import schema as repository_schema
from app.settings.load import VARIABLES
from app.settings.models import OperatorFile

__all__ = ["tables", "with_tables"]


def tables() -> dict[str, str]:
    """Every generated table of the page, by the name in its marks."""
    return {
        "repository": key_table(repository_schema()),
        "operator": key_table(file_schema(OperatorFile)),
        "environment": _two("variable", "meaning", VARIABLES),
        "legacy": _two("key of the Rust tool", "here", {key: str(what) for key, what in LEGACY.items()}),
    }


def with_tables(page: str) -> str:
    """The page with each table between its marks made anew. Raises `ValueError` when a mark is missing."""
    for name, table in tables().items():
        begin, end = f"<!-- table: {name} -->\n", f"<!-- end: {name} -->"
        parts = re.split(re.escape(begin) + ".*?" + re.escape(end), page, flags=re.DOTALL)
        if len(parts) != 2:
            raise ValueError(f"the page has the marks of the table {name} {len(parts) - 1} times")
        page = parts[0] + begin + table + end + parts[1]
    return page


def _two(left: str, right: str, rows: Mapping[str, str]) -> str:
    lines = [f"| {left} | {right} |", "|---|---|"]
    return "\n".join([*lines, *(f"| `{name}` | {text} |" for name, text in rows.items())]) + "\n"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name)
        path.write_text(with_tables(path.read_text("utf-8")), "utf-8")
