"""A model's refusals in words: which task, which field, what was found, what is allowed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import field
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from app.errors import PlanError
from app.mayor.nearest import did_you_mean
from app.values import dataclass

__all__ = ["Source", "check"]

Path = tuple[str | int, ...]
Model = TypeVar("Model", bound=BaseModel)

NAMES = {
    str: "text",
    bool: "true or false",
    int: "a number",
    float: "a number",
    list: "a list",
    dict: "a mapping",
}


@dataclass(frozen=True, slots=True)
class Source:
    """Where data came from.

    `whole`: what all of it is called; `items`: per key (`tasks`) what a member is called and its model;
    `nested`: per key its model; `lines`: line by path, where known.
    """

    place: str | None = None
    remedy: str | None = None
    whole: str = "the plan"
    items: Mapping[str, tuple[str, type[BaseModel]]] = field(default_factory=dict)
    nested: Mapping[str, type[BaseModel]] = field(default_factory=dict)
    lines: Mapping[Path, int] = field(default_factory=dict)

    def at(self, path: Path) -> str:
        """`file:12: ` of the value at `path`, or of what is around it; empty without line numbers."""
        known = (self.lines[path[:end]] for end in range(len(path), -1, -1) if path[:end] in self.lines)
        line = next(known, None)
        return "" if line is None else f"{self.place}:{line}: " if self.place else f"line {line}: "


def check(model: type[Model], data: object, source: Source) -> Model:
    """The model made from `data`. Raises PlanError with every problem at once."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        problems = tuple(_problem(each, data, (model, source)) for each in error.errors(include_url=False))
        place = None if source.lines else source.place
        raise PlanError(*dict.fromkeys(problems), place=place, remedy=source.remedy) from None


def _problem(error: ErrorDetails, data: object, known: tuple[type[BaseModel], Source]) -> str:
    model, source = known
    path: Path = tuple(error["loc"])
    owner, rest = "", path
    top = str(path[0]) if len(path) > 1 else ""
    if top in source.items:
        item, model = source.items[top]
        owner, rest = _owner(data, path, item), path[2:]
    elif top in source.nested:
        owner, model, rest = top, source.nested[top], path[1:]
    name = str(rest[0]) + "".join(f"[{part}]" for part in rest[1:]) if rest else ""
    subject = ": ".join(part for part in (owner, name) if part)
    return (
        f"{source.at(path)}{subject or source.whole}: {_reason(error, model, str(path[-1]) if path else '')}"
    )


def _owner(data: object, path: Path, item: str) -> str:
    """`task auth` where the id is readable, `task number 2` where not."""
    with suppress(KeyError, IndexError, TypeError):
        member = data[path[0]][path[1]]  # type: ignore[index]
        if isinstance(member["id"], str) and 0 < len(member["id"]) <= 40:
            return f"{item} {member['id']}"
    return f"{item} number {path[1] + 1}" if isinstance(path[1], int) else f"{item} {path[1]}"


def _reason(error: ErrorDetails, model: type[BaseModel], key: str) -> str:
    if error["type"] == "extra_forbidden":
        names = list(model.model_fields)
        return f"is not a field{did_you_mean(key, names)} (allowed: {', '.join(names)})"
    say = _REASONS.get(error["type"])
    return say(error.get("ctx", {}), error["input"]) if say else error["msg"]


def _found(value: object) -> str:
    if value is None:
        return "nothing"
    text = repr(value)
    kind = NAMES.get(type(value), type(value).__name__)
    return f"{kind} ({text})" if isinstance(value, bool | int | float) else kind


_REASONS: dict[str, Callable[[dict[str, Any], Any], str]] = {
    "missing": lambda ctx, value: "is missing",
    "string_type": lambda ctx, value: f"must be text, not {_found(value)}",
    "list_type": lambda ctx, value: f"must be a list, not {_found(value)}",
    "model_type": lambda ctx, value: f"must be a mapping of fields, not {_found(value)}",
    "dict_type": lambda ctx, value: f"must be a mapping of names, not {_found(value)}",
    "bool_type": lambda ctx, value: f"must be true or false, not {_found(value)}",
    "string_unicode": lambda ctx, value: "is not valid text (a lone surrogate)",
    "string_too_long": lambda ctx, value: f"has {len(value)} characters; at most {ctx['max_length']} allowed",
    "string_too_short": lambda ctx, value: "is empty",
    "too_long": lambda ctx, value: f"has {len(value)} entries; at most {ctx['max_length']} allowed",
    "too_short": lambda ctx, value: f"has no entry; at least {ctx['min_length']} needed",
    "string_pattern_mismatch": lambda ctx, value: f"is {value[:60]!r}; allowed: {_shape(ctx['pattern'])}",
    "literal_error": lambda ctx, value: f"is {str(value)[:60]!r}; allowed: {ctx['expected']}",
    "value_error": lambda ctx, value: str(ctx["error"]),
}


def _shape(pattern: str) -> str:
    return (
        "a full commit id, 40 or 64 hex digits" if "a-f" in pattern else "a-z, 0-9 and -, 1 to 40 characters"
    )
