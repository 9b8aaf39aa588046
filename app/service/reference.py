"""Writes what is generated from tables: `python -m app.service.reference` in the repository's folder."""

from __future__ import annotations

import re
from pathlib import Path

from app.service.manifest import manifest_text
from app.settings import environment_table

__all__ = ["with_table", "written"]


def with_table(page: str) -> str:
    """docs/operation.md with its table made anew. Raises ValueError when its marks are missing."""
    begin, end = "<!-- table: environment -->\n", "<!-- end: environment -->"
    parts = re.split(re.escape(begin) + ".*?" + re.escape(end), page, flags=re.DOTALL)
    if len(parts) != 2:
        raise ValueError(f"the page has the marks of the table {len(parts) - 1} times")
    return parts[0] + begin + environment_table() + end + parts[1]


def written(root: Path) -> dict[Path, str]:
    """Each generated file below `root` with what it should hold."""
    page = root / "docs/operation.md"
    return {
        page: with_table(page.read_text("utf-8")),
        root / "manifests/github-app.json": manifest_text(),
    }


if __name__ == "__main__":
    for path, text in written(Path()).items():
        path.write_text(text, "utf-8")
