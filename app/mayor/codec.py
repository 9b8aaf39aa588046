"""Plans as text: JSON and YAML in, stable JSON, YAML and hash out."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from app.errors import PlanError
from app.mayor.problems import Path, Source, check
from app.mayor.schema import PlanModel, TaskModel, plan_data
from app.ports import Plan

__all__ = [
    "plan_from_data",
    "plan_from_json",
    "plan_from_yaml",
    "plan_hash",
    "plan_problems",
    "plan_to_dict",
    "plan_to_json",
    "plan_to_yaml",
]

MAX_BYTES = 8 * 1024 * 1024


def plan_from_json(text: str, *, place: str | None = None) -> Plan:
    """The plan in a JSON text.

    Raises PlanError with every problem; `place` is the file's name for messages.
    """
    if len(text) > MAX_BYTES:
        raise PlanError(f"has {len(text)} characters; at most {MAX_BYTES} are read", place=place)
    try:
        data = json.loads(text, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise PlanError(
            f"is not JSON: {error.msg} (line {error.lineno}, column {error.colno})", place=place
        ) from None
    except (RecursionError, ValueError):
        raise PlanError(
            "is not JSON that can be read: nested too deeply, or a number too long", place=place
        ) from None
    return plan_from_data(data["plan"] if _is_whole_answer(data) else data, place=place)


def plan_from_yaml(text: str, *, place: str | None = None) -> Plan:
    """The plan in a YAML text, with line numbers in the problems. Raises PlanError."""
    from app.mayor.yaml_text import read_yaml

    data, lines = read_yaml(text, place)
    if _is_whole_answer(data):
        data, lines = data["plan"], {path[1:]: line for path, line in lines.items() if path[:1] == ("plan",)}
    return plan_from_data(data, place=place, lines=lines)


def plan_from_data(data: object, *, place: str | None = None, lines: dict[Path, int] | None = None) -> Plan:
    """The plan in data already read. Raises PlanError."""
    source = Source(place=place, items={"tasks": ("task", TaskModel)}, lines=lines or {})
    return check(PlanModel, data, source).to_plan()


def plan_problems(plan: Plan) -> tuple[str, ...]:
    """What breaks the schema's sizes and shapes in a plan that was not read from JSON or YAML."""
    try:
        plan_from_data(plan_data(plan))
    except PlanError as error:
        return error.problems
    return ()


def plan_to_dict(plan: Plan) -> dict[str, Any]:
    """The plan as plain data: `schema_version` 1, all keys present, in the order of `plan_json_schema`."""
    return plan_data(plan)


def plan_to_json(plan: Plan) -> str:
    """The plan as JSON for people and programs, ending with a newline."""
    return json.dumps(plan_data(plan), indent=2, ensure_ascii=False) + "\n"


def plan_to_yaml(plan: Plan) -> str:
    """The plan as YAML to edit and hand back with `--plan`."""
    from app.mayor.yaml_text import write_yaml

    return write_yaml(plan_data(plan))


def plan_hash(plan: Plan) -> str:
    """SHA-256, hex, of the plan's canonical JSON: sorted keys, no spaces, UTF-8. Approval binds to it."""
    canonical = json.dumps(plan_data(plan), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()


def _is_whole_answer(data: object) -> bool:
    """Whether this is what `brat mayor plan --json` printed, with the plan as one key of it."""
    return isinstance(data, dict) and "tasks" not in data and isinstance(data.get("plan"), dict)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for name, value in pairs:
        if name in result:
            raise PlanError(f"holds the key {name!r} twice in one object")
        result[name] = value
    return result
