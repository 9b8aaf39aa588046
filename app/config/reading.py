"""Reading a settings file strictly: TOML text in, checked model out, or one error with every problem."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from app.config.fields import Table
from app.config.places import KeyPath, Spot, spots
from app.config.problems import Answer, Problem, config_error, dotted, unknown_key, wrong_value
from app.config.schema import file_schema, key_rows, known_keys
from app.errors import ConfigError
from app.values import dataclass

__all__ = ["Document", "read"]

_LARGEST = 64 * 1024
"""Characters; a settings file is a few KB, and this bounds what a hostile one can cost."""

_MOST = 200
"""Problems looked at; each costs a search for the nearest name."""

Model = TypeVar("Model", bound=Table)


@dataclass(frozen=True, slots=True)
class Document(Generic[Model]):
    """One kind of settings file: its model, and what it has to say about keys that the model does not know.

    `advice` answers for a key by path and value, before anything else; `checks` finds what spans several
    keys; `expands` tells of an unknown table that its keys are answered for one by one; `remedy` is for the
    whole file.
    """

    model: type[Model]
    advice: Callable[[KeyPath, object], Answer | None]
    checks: Callable[[Model], Iterable[Problem]] = lambda _: ()
    expands: Callable[[KeyPath], bool] = lambda _: False
    remedy: Callable[[tuple[Problem, ...]], str] = lambda _: ""


def read(text: str, document: Document[Model], *, place: str) -> Model:
    """The checked file. `place` names it in messages. Raises `ConfigError` with all problems."""
    text = text.removeprefix("\ufeff")
    data = _toml(text, place)
    try:
        model = document.model.model_validate(data)
    except ValidationError as error:
        problems = _problems(error, data, document)
    else:
        problems = tuple(document.checks(model))
        if not problems:
            return model
    raise config_error(problems, place=place, found=spots(text), remedy=document.remedy(problems))


def _toml(text: str, place: str) -> dict[str, Any]:
    if len(text) > _LARGEST:
        raise ConfigError(
            f"is larger than {_LARGEST // 1024} KB", place=place, remedy="keep settings only in it"
        )
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ConfigError(
            "is nested too deeply", place=place, remedy="no setting needs more than two levels"
        ) from None
    except ValueError as error:
        raise _not_toml(str(error), text, place) from None


def _not_toml(error: str, text: str, place: str) -> ConfigError:
    found = spots(text) if "declare" in error or "overwrite" in error or "mutate" in error else ()
    first: dict[KeyPath, Spot] = {}
    for spot in found:
        earlier = first.setdefault(spot.path, spot)
        if earlier is not spot:
            name = f"[{dotted(spot.path)}]" if spot.header else f"`{dotted(spot.path)}`"
            where = f"{place}:{spot.line}:{spot.column}"
            return ConfigError(
                f"{name} is there twice, first on line {earlier.line}",
                place=where,
                remedy="keep one of the two",
            )
    at = re.search(r" \(at line (\d+), column (\d+)\)$", error)
    where = f"{place}:{at[1]}:{at[2]}" if at else place
    reason = re.sub(r" \(at [^)]*\)$", "", error)
    remedy = 'text is written in quotes, as in strategy = "squash"; see https://toml.io/en/v1.0.0'
    return ConfigError(f"is not TOML: {reason[:1].lower()}{reason[1:]}", place=where, remedy=remedy)


def _problems(error: ValidationError, data: dict[str, Any], document: Document[Model]) -> tuple[Problem, ...]:
    schema = file_schema(document.model)
    tables, takes = known_keys(schema), {(row.table, row.key): row.takes for row in key_rows(schema)}
    found: dict[KeyPath, Problem] = {}
    for each in error.errors(include_url=False)[:_MOST]:
        path = tuple(part for part in each["loc"] if part != "[key]")
        value = each["input"]
        alone = _alone(path, value, document) if each["type"] == "extra_forbidden" else [(path, value)]
        for spot, inner in alone:
            answer = None if "[key]" in each["loc"] else document.advice(spot, inner)
            table = _table(spot, tables)
            if answer is None and each["type"] == "extra_forbidden":
                answer = unknown_key(str(spot[-1]), here=tables.get(table, ()), tables=tables)
            if answer is None and each["type"] == "missing":
                answer = Answer("is missing", f"it takes {takes[table, str(spot[-1])].replace('`', '')}")
            answer = answer or wrong_value(each["type"], inner, dict(each.get("ctx", {})))
            found.setdefault(spot, Problem(spot, answer))
    return tuple(
        problem for path, problem in found.items() if not any(path[:n] in found for n in range(1, len(path)))
    )


def _alone(path: KeyPath, value: object, document: Document[Model]) -> list[tuple[KeyPath, object]]:
    if isinstance(value, dict) and value and document.expands(path):
        return [((*path, key), inner) for key, inner in islice(value.items(), _MOST)]
    return [(path, value)]


def _table(path: KeyPath, tables: Mapping[str, tuple[str, ...]]) -> str:
    """The table that `path` stands in, as the schema calls it: a free name fits `<…>`."""
    parts = [part for part in path[:-1] if isinstance(part, str)]
    for table in tables:
        names = table.split(".") if table else []
        fits = all(n == p or n[0] == "<" for n, p in zip(names, parts, strict=False))
        if len(names) == len(parts) and fits:
            return table
    return ""
