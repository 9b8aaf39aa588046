"""Fixtures of the webhooks' tests."""

from __future__ import annotations

import pytest

from tests.webhooks.desk import Desk


@pytest.fixture
def desk() -> Desk:
    """An endpoint with one secret."""
    return Desk()
