"""How a refused file is told."""

from __future__ import annotations

import pytest

from app.config import parse_config
from app.errors import ConfigError

__all__ = ["refusal"]


def refusal(text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        parse_config(text)
    return str(caught.value)
