from __future__ import annotations

from typing import Any

import pytest

from app.config import key_rows, schema
from app.settings import schema as operator_schema


@pytest.mark.parametrize("made", [schema(), operator_schema()], ids=["repository", "operator"])
def test_every_table_and_key_has_a_description_and_forbids_others(made: dict[str, Any]) -> None:
    tables = [made, *made["$defs"].values()]
    for table in tables:
        assert table["additionalProperties"] is False
        assert table["description"]
        assert all(field["description"] for field in table["properties"].values())


@pytest.mark.parametrize("made", [schema(), operator_schema()], ids=["repository", "operator"])
def test_nothing_in_the_schema_may_be_null(made: dict[str, Any]) -> None:
    assert "null" not in str(made)
    assert "None" not in str(made)


def test_defaults_are_told_as_they_are_written_in_the_file() -> None:
    defaults = {f"{row.table}.{row.key}": row.default for row in key_rows(schema())}
    assert defaults["swarm.session_timeout"] == "`30m`"
    assert defaults["refinery.require_ci"] == "`false`"
    assert defaults["engine.<kind>.type"] == "must be there"
