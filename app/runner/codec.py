"""Values that cross the process border, as JSON: a spec to the runner, a result back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from app.errors import Defect
from app.ports import EngineSetup, Operator, SessionResult, SessionSpec

__all__ = ["decode", "encode"]

T = TypeVar("T", SessionSpec, SessionResult, Operator, EngineSetup)


def encode(value: SessionSpec | SessionResult | Operator | EngineSetup) -> str:
    """One line of JSON; fields that hold their default are written too."""
    return json.dumps(_plain(value), separators=(",", ":"), allow_nan=False)


def decode(kind: type[T], text: str | bytes) -> T:
    """The value that `encode` wrote. Raises `Defect` for anything else; unknown keys are ignored."""
    try:
        value = _value(kind, json.loads(text))
    except (TypeError, ValueError, KeyError) as wrong:
        raise Defect(f"not a {kind.__name__}: {wrong}") from wrong
    assert isinstance(value, kind)
    return value


def _plain(value: object) -> object:
    if is_dataclass(value):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return value


@cache
def _hints(kind: type) -> Mapping[str, Any]:
    return get_type_hints(kind)


def _value(kind: Any, data: object) -> object:
    if isinstance(kind, UnionType):
        return _one_of(get_args(kind), data)
    if get_origin(kind) is tuple:
        return _tuple(get_args(kind), data)
    if is_dataclass(kind) and isinstance(kind, type):
        return _dataclass(kind, data)
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return kind(str(data))
    if kind is float and type(data) is int:
        return float(data)
    if type(data) is not kind:
        raise TypeError(f"{kind.__name__} wanted, {type(data).__name__} found")
    return data


def _one_of(kinds: tuple[Any, ...], data: object) -> object:
    if data is None and NoneType in kinds:
        return None
    (kind,) = (each for each in kinds if each is not NoneType)
    return _value(kind, data)


def _tuple(kinds: tuple[Any, ...], data: object) -> tuple[object, ...]:
    if not isinstance(data, list):
        raise TypeError(f"a list wanted, {type(data).__name__} found")
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        return tuple(_value(kinds[0], each) for each in data)
    return tuple(_value(kind, each) for kind, each in zip(kinds, data, strict=True))


def _dataclass(kind: type, data: object) -> object:
    if not isinstance(data, dict):
        raise TypeError(f"an object wanted, {type(data).__name__} found")
    known = {name: hint for name, hint in _hints(kind).items() if name in data}
    return kind(**{name: _value(hint, data[name]) for name, hint in known.items()})
