"""The models as JSON Schema, and what else is made from it: the lists of keys and the table in the docs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from app.config.fields import Table
from app.values import dataclass

__all__ = ["Row", "file_schema", "key_rows", "key_table", "known_keys"]

_FREE = {"engine": "<kind>", "engines": "<engine>"}
"""Tables whose keys are free names, and what the docs call them."""


@dataclass(frozen=True, slots=True)
class Row:
    """One key: its table (`engine.<kind>`, empty at the top), what it takes, its default, and its meaning."""

    table: str
    key: str
    takes: str
    default: str
    meaning: str


@cache
def file_schema(model: type[Table]) -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of a settings file; TOML has no null, so nothing allows one."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **model.model_json_schema()}
    cleaned = _without_null(schema)
    assert isinstance(cleaned, dict)
    return cleaned


def known_keys(schema: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    """Keys by table, the top of the file being the empty name."""
    return dict(_tables(schema, schema, ""))


def key_rows(schema: dict[str, Any]) -> tuple[Row, ...]:
    """Every key of the file, table by table."""
    return tuple(_rows(schema, schema, ""))


def key_table(schema: dict[str, Any]) -> str:
    """The keys as a table in Markdown."""
    lines = ["| key | takes | default | meaning |", "|---|---|---|---|"]
    for row in key_rows(schema):
        table = f"[[{row.table}]]" if _is_array(schema, row.table) else f"[{row.table}]"
        name = f"`{table}` `{row.key}`" if row.table else f"`{row.key}`"
        lines.append(f"| {name} | {row.takes} | {row.default} | {row.meaning} |")
    return "\n".join(lines) + "\n"


def _rows(schema: dict[str, Any], node: dict[str, Any], table: str) -> Iterator[Row]:
    required = node.get("required", [])
    for key, field in node["properties"].items():
        inner = _table_of(schema, field)
        if inner is None:
            default = "must be there" if key in required else _default(field)
            yield Row(table, key, _takes(field), default, field["description"])
            continue
        yield from _rows(schema, inner, _named(table, key))


def _tables(
    schema: dict[str, Any], node: dict[str, Any], table: str
) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield table, tuple(node["properties"])
    for key, field in node["properties"].items():
        inner = _table_of(schema, field)
        if inner is not None:
            yield from _tables(schema, inner, _named(table, key))


def _named(table: str, key: str) -> str:
    name = f"{table}.{key}" if table else key
    return f"{name}.{_FREE[key]}" if not table and key in _FREE else name


def _table_of(schema: dict[str, Any], field: dict[str, Any]) -> dict[str, Any] | None:
    target = field if "$ref" in field else field.get("additionalProperties") or field.get("items") or {}
    if not isinstance(target, dict) or "$ref" not in target:
        return None
    found = schema["$defs"][target["$ref"].rsplit("/", 1)[-1]]
    return found if isinstance(found, dict) else None


def _is_array(schema: dict[str, Any], table: str) -> bool:
    node: dict[str, Any] = schema
    field: dict[str, Any] = {}
    for name in table.split(".") if table else ():
        if name[0] != "<":
            field = node["properties"][name]
            node = _table_of(schema, field) or {}
    return field.get("type") == "array"


def _takes(field: dict[str, Any]) -> str:
    if "enum" in field or "const" in field:
        return ", ".join(f"`{each}`" for each in field.get("enum", [field.get("const")]))
    if "anyOf" in field:
        return " or ".join(_takes(each) for each in field["anyOf"])
    if field["type"] == "array":
        return f"list of {_takes(field['items'])}"
    if "examples" in field:
        return f'text like `"{field["examples"][0]}"`'
    low, high = field.get("minimum"), field.get("maximum")
    if low is not None and high is not None:
        return f"{low} to {high}"
    words = {"string": "text", "boolean": "`true` or `false`", "integer": "whole number", "number": "USD"}
    return words[field["type"]]


def _default(field: dict[str, Any]) -> str:
    if "default" not in field:
        return "none"
    value = field["default"]
    if isinstance(value, list):
        return ", ".join(f"`{each}`" for each in value) or "none"
    return f"`{str(value).lower()}`" if isinstance(value, bool) else f"`{value}`"


def _without_null(node: Any) -> Any:
    if isinstance(node, list):
        return [_without_null(each) for each in node]
    if not isinstance(node, dict):
        return node
    kept = {
        key: _without_null(value) for key, value in node.items() if not (key == "default" and value is None)
    }
    choices = kept.get("anyOf")
    if isinstance(choices, list) and {"type": "null"} in choices:
        rest = [each for each in choices if each != {"type": "null"}]
        if len(rest) > 1:
            return {**kept, "anyOf": rest}
        kept.pop("anyOf")
        return {**rest[0], **kept}
    return kept
