"""An operator's file in a folder of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from app.settings import Settings, load_settings

Load = Callable[[str], Settings]

HOME = Path("/home/ada")


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Settings from a text, as if it were the operator's file."""

    def from_text(text: str) -> Settings:
        (tmp_path / "brat").mkdir(exist_ok=True)
        (tmp_path / "brat/config.toml").write_text(text, "utf-8")
        return load_settings({"XDG_CONFIG_HOME": str(tmp_path)}, HOME)

    return from_text
