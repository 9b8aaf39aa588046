"""GitHub's own description of its API, held against every request and every answer.

It is closed: a key that GitHub does not know is a problem too.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs

__all__ = ["answer_problem", "request_problems"]

_ROOT = "urn:openapi"


@cache
def _described() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((Path(__file__).parent / "openapi.json").read_text())
    return found


@cache
def _registry() -> jsonschema_rs.Registry:
    return jsonschema_rs.Registry([(_ROOT, _absolute({"components": _described()["components"]}))])


def _absolute(node: Any) -> Any:
    """References that hold from anywhere."""
    if isinstance(node, dict):
        made = {key: _absolute(value) for key, value in node.items()}
        if isinstance(made.get("$ref"), str):
            made["$ref"] = _ROOT + made["$ref"]
        return made
    return [_absolute(each) for each in node] if isinstance(node, list) else node


def _operation(operation: str) -> dict[str, Any]:
    method, path = operation.split(" ")
    found: dict[str, Any] = _described()["paths"][path][method.lower()]
    return found


@cache
def _validator(operation: str, part: str) -> jsonschema_rs.Draft202012Validator | None:
    """`part` is `body` or an answer's status."""
    known = _operation(operation)
    schema = known.get("body", {}).get("schema") if part == "body" else known["answers"].get(part)
    return jsonschema_rs.Draft202012Validator(_absolute(schema), registry=_registry()) if schema else None


def request_problems(operation: str, query: dict[str, str], body: dict[str, Any] | None) -> list[str]:
    """What GitHub would not understand."""
    known = _operation(operation)
    found = [f"unknown query parameter {name}" for name in query if name not in known["query"]]
    for name, value in query.items():
        allowed = known["query"].get(name, {}).get("enum")
        if allowed and value not in map(str, allowed):
            found.append(f"{name}={value} is none of {allowed}")
    if body is not None:
        validator = _validator(operation, "body")
        if validator is None and body:
            found.append("a body where none is read")
        elif validator:
            found += [_said(each) for each in validator.iter_errors(body)]
    elif known.get("body", {}).get("required"):
        found.append("no body")
    return found


def answer_problem(operation: str, status: int, body: Any) -> str:
    """Where our own answer is not what GitHub gives; empty: all is well."""
    known = _operation(operation)["answers"]
    if str(status) not in known:
        return f"status {status} is none of {sorted(known)}" if status < 400 else ""
    validator = _validator(operation, str(status))
    if validator is None or status >= 400:
        return ""
    first = next(iter(validator.iter_errors(body)), None)
    return _said(first) if first else ""


def _said(error: jsonschema_rs.ValidationError) -> str:
    place = "/".join(str(each) for each in error.instance_path)
    return f"{place or 'body'}: {error.message[:300]}"
