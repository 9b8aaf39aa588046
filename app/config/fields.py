"""Field types of the settings models: each checks one kind of value and says in words what it wants."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from app.config.names import ENGINES, KINDS, UNAVAILABLE_ENGINES, nearest, nearest_engine
from app.config.quantity import DURATION, SIZE, parse_duration, parse_size
from app.globs import glob_problem

__all__ = [
    "Duration",
    "EngineName",
    "Glob",
    "Kind",
    "Line",
    "ModelName",
    "RemoteName",
    "Size",
    "Table",
    "Text",
    "Usd",
    "refuse",
    "shown",
]


class Table(BaseModel):
    """A table of a settings file: unknown keys and values of another type are errors."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)


def refuse(reason: str, remedy: str = "") -> PydanticCustomError:
    """An error whose words reach the reader as they are."""
    return PydanticCustomError("brat", "{reason}", {"reason": reason, "remedy": remedy})


def shown(value: object) -> str:
    """A value of a file for a message: one short line without control characters."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(value))
    text = text if len(text) <= 60 else text[:59] + "…"
    return f'"{text}"' if isinstance(value, str) else text


def _quantity(parse: Callable[[str], int], example: str) -> Callable[[Any], int]:
    def check(value: Any) -> int:
        if not isinstance(value, str):
            raise refuse(f"wants text like {example}, got {shown(value)}")
        try:
            return parse(value)
        except ValueError as error:
            raise refuse(f"{shown(value)}: {error}") from None

    return check


def _engine(name: str) -> str:
    if name in ENGINES:
        return name
    works = ", ".join(ENGINES)
    if name in UNAVAILABLE_ENGINES:
        raise refuse(f"{name} is not available in this release", f"available are: {works}")
    meant = nearest_engine(name)
    hint = f", did you mean `{meant}`?" if meant in ENGINES else ""
    raise refuse(f"no engine is named {shown(name)}{hint}", f"allowed: {works}")


def _kind(name: str) -> str:
    if name in (*ENGINES, *UNAVAILABLE_ENGINES):
        raise refuse(
            f"{name} is an engine and not a kind of work, did you mean `[engines.{name}]`?",
            f"[engines.{name}] in the operator's file says how {name} is run (base_url, key_env, command); "
            f'a kind of work takes it by type = "{name}", as in [engine.tests]',
        )
    if re.fullmatch(r"[a-z][a-z0-9_-]{0,39}", name) is None:
        raise refuse("a kind of work is one lower-case word, like tests")
    meant = nearest(name, KINDS)
    if name not in KINDS and meant and _close(name, meant):
        raise refuse(f"a kind so close to `{meant}` is taken for a slip: did you mean `{meant}`?")
    return name


def _close(name: str, kind: str) -> bool:
    """A letter missing, doubled or swapped; a replaced one (core, code) may well be another word."""
    if sorted(name) == sorted(kind):
        return True
    return len(name) != len(kind) and abs(len(name) - len(kind)) == 1


def _remote(name: str) -> str:
    if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", name) is None:
        raise refuse(
            f"{shown(name)} is not the name of a git remote",
            "a repository must not say to which address its work is sent: "
            "`git remote add NAME URL`, then the name here",
        )
    return name


def _glob(glob: str) -> str:
    problem = glob_problem(glob)
    if problem is not None:
        raise refuse(f"{shown(glob)} {problem}")
    return glob


def _text(text: str) -> str:
    if not text.strip() or "\0" in text:
        raise refuse(f"{shown(text)} says nothing")
    return text


def _line(text: str) -> str:
    if not text.strip() or not text.isprintable():
        raise refuse(f"{shown(text)} is no name on one line")
    return text


def _model(name: str) -> str:
    """It reaches command lines and settings of engines: no option, no quote, no line break."""
    if re.fullmatch(r"[A-Za-z0-9][\w.:/@+\[\]-]{0,199}", name, re.ASCII) is None:
        raise refuse(f'{shown(name)} is no name of a model, like "gpt-4o"')
    return name


def _like(example: str, pattern: str) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "pattern": pattern, "examples": [example]})


Duration = Annotated[int, BeforeValidator(_quantity(parse_duration, '"10m"')), _like("10m", DURATION)]
Size = Annotated[int, BeforeValidator(_quantity(parse_size, '"64MB"')), _like("64MB", SIZE)]
Usd = Annotated[float, Field(gt=0, allow_inf_nan=False)]
EngineName = Annotated[
    str, AfterValidator(_engine), WithJsonSchema({"type": "string", "enum": list(ENGINES)})
]
Kind = Annotated[str, AfterValidator(_kind)]
RemoteName = Annotated[str, AfterValidator(_remote)]
Glob = Annotated[str, AfterValidator(_glob)]
Line = Annotated[str, AfterValidator(_line)]
ModelName = Annotated[str, AfterValidator(_model)]
Text = Annotated[str, AfterValidator(_text)]
