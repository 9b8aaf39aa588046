"""A planning session's answer as a plan."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from app.errors import PlanError
from app.mayor.codec import plan_from_data
from app.mayor.prompts import EXAMPLE, OURS
from app.ports import Plan

__all__ = ["parse_answer"]

MAX_CHARS = 2 * 1024 * 1024
# Each failing start reads on to its error; this bounds a hostile answer of nothing but braces.
MAX_STARTS = 2_000


def parse_answer(text: str) -> Plan:
    """The plan in an engine's last words: the last JSON object with `tasks`.

    Prose and code fences around it are ignored, fields that the program fills in itself are dropped. Raises
    PlanError with problems that can be handed back.
    """
    if len(text) > MAX_CHARS:
        raise PlanError(f"the answer has {len(text)} characters; at most {MAX_CHARS} are read")
    broken: list[str] = []
    plans = [plan for found in _objects(text, broken) if (plan := _plan_in(found)) is not None]
    if plans:
        answered = plan_from_data({key: value for key, value in plans[-1].items() if key not in OURS})
        if answered == EXAMPLE:
            raise PlanError("the answer repeats the example; answer with a plan for the request")
        return answered
    if broken:
        raise PlanError(broken[0])
    raise PlanError('the answer holds no JSON object with "tasks"; answer with the JSON object only')


def _objects(text: str, broken: list[str]) -> Iterator[dict[str, Any]]:
    """The outermost JSON objects in a text; why a plan-like one cannot be read goes to `broken`."""
    decoder = json.JSONDecoder()
    at = text.find("{")
    for _ in range(MAX_STARTS):
        if at < 0:
            return
        try:
            found, end = decoder.raw_decode(text, at)
            yield found
        except json.JSONDecodeError as error:
            if '"tasks"' in text[at : max(error.pos, at + 200)]:
                broken.append(_where(text, error))
            end = at + 1
        except (RecursionError, ValueError):
            broken.append("the answer's JSON is nested too deeply, or holds a number too long")
            return
        at = text.find("{", end)


def _plan_in(found: dict[str, Any]) -> dict[str, Any] | None:
    """The object itself, or the one it only wraps: engines like `{"plan": {...}}`."""
    if "tasks" in found:
        return found
    wrapped = [value for value in found.values() if isinstance(value, dict) and "tasks" in value]
    return wrapped[0] if len(wrapped) == 1 else None


def _where(text: str, error: json.JSONDecodeError) -> str:
    near = text[max(0, error.pos - 40) : error.pos + 20]
    ended = " (the answer ends there)" if error.pos >= len(text.rstrip()) else ""
    return (
        f"the answer's JSON cannot be read: {error.msg} at line {error.lineno}, column"
        f" {error.colno}{ended}, near {near!r}"
    )
