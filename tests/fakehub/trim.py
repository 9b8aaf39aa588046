"""Cuts GitHub's published OpenAPI description to the operations that the stand-in knows.

    python -m tests.fakehub.trim api.github.com.json

The input is `generated/api.github.com.json` of the npm package `@octokit/openapi` (MIT).
Prose and examples go; schemas become JSON Schema (`nullable` becomes a type).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.fakehub.operations import OPERATIONS

HERE = Path(__file__).parent
PROSE = ("description", "example", "examples", "externalDocs", "summary", "title", "tags", "deprecated")
COMPOSED = ("allOf", "anyOf", "oneOf")
Tree = dict[str, Any]


def cut(whole: Tree) -> Tree:
    """Only what the operations need, with every schema that they refer to."""
    paths: Tree = {}
    for operation in OPERATIONS:
        method, path = operation.split(" ")
        paths.setdefault(path, {})[method.lower()] = _operation(whole["paths"][path][method.lower()], whole)
    # GitHub's description wants an account to be a user and an enterprise at once in this list only.
    installation = {"$ref": "#/components/schemas/installation"}
    paths["/app/installations"]["get"]["answers"]["200"]["items"] = installation
    kept: Tree = {}
    _collect(paths, whole, kept)
    for name in set(_extended({**paths, **kept})):
        kept[name].pop("additionalProperties", None)
    return {
        "openapi": whole["openapi"],
        "info": {"version": whole["info"]["version"]},
        "paths": paths,
        "components": {"schemas": kept},
    }


def _operation(node: Tree, whole: Tree) -> Tree:
    parameters = [_resolved(each, whole) for each in node.get("parameters", [])]
    query = {each["name"]: _schema(each["schema"]) for each in parameters if each["in"] == "query"}
    made: Tree = {"id": node["operationId"], "query": query, "answers": {}}
    if "requestBody" in node:
        body = _resolved(node["requestBody"], whole)
        content = body["content"].get("application/json")
        made["body"] = {"required": body.get("required", False), "schema": _schema(content["schema"])}
    for status, answer in node["responses"].items():
        content = _resolved(answer, whole).get("content", {}).get("application/json", {})
        made["answers"][status] = _schema(content["schema"]) if "schema" in content else None
    return made


def _resolved(node: Tree, whole: Tree) -> Tree:
    while "$ref" in node:
        node = _at(node["$ref"], whole)
    return node


def _at(reference: str, whole: Tree) -> Tree:
    node = whole
    for part in reference.removeprefix("#/").split("/"):
        node = node[part]
    return node


def _schema(node: Any, *, inside: bool = False) -> Any:
    """JSON Schema of an OpenAPI 3.0 schema; objects without composition are closed to unknown keys."""
    if isinstance(node, list):
        return [_schema(each) for each in node]
    if not isinstance(node, dict):
        return node
    made = {key: _part(key, value) for key, value in node.items() if not _is_prose(key, value)}
    if made.pop("nullable", False):
        made = _nullable(made)
    free = inside or any(each in made for each in (*COMPOSED, "additionalProperties"))
    if "properties" in made and not free:
        made["additionalProperties"] = False
    return made


def _part(key: str, value: Any) -> Any:
    if key == "properties":
        return {name: _schema(each) for name, each in value.items()}
    if key == "allOf":
        return [_schema(each, inside=True) for each in value]
    return value if key in ("enum", "required", "default") else _schema(value)


def _is_prose(key: str, value: Any) -> bool:
    return (
        key.startswith("x-")
        or (key in PROSE and not isinstance(value, dict))
        or key in ("example", "examples")
    )


def _nullable(made: Tree) -> Tree:
    if "enum" in made:
        made["enum"] = [*made["enum"], None]
    if "type" in made:
        return {**made, "type": [made["type"], "null"]}
    return {"anyOf": [{"type": "null"}, made]}


def _collect(node: Any, whole: Tree, kept: Tree) -> None:
    if isinstance(node, dict):
        reference = node.get("$ref")
        if isinstance(reference, str):
            name = reference.rsplit("/", 1)[1]
            if name not in kept:
                kept[name] = _schema(whole["components"]["schemas"][name])
                _collect(kept[name], whole, kept)
        for each in node.values():
            _collect(each, whole, kept)
    elif isinstance(node, list):
        for each in node:
            _collect(each, whole, kept)


def _extended(node: Any) -> Iterator[str]:
    """Schemas that others add keys to stay open."""
    if isinstance(node, dict):
        for each in node.get("allOf", []) if isinstance(node.get("allOf"), list) else []:
            if "$ref" in each:
                yield each["$ref"].rsplit("/", 1)[1]
    for each in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from _extended(each)


def main() -> None:
    whole = json.loads(Path(sys.argv[1]).read_text())
    text = json.dumps(cut(whole), separators=(",", ":"), sort_keys=True)
    (HERE / "openapi.json").write_text(text.replace('},"', '},\n"') + "\n")


if __name__ == "__main__":
    main()
