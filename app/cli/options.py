"""Options of a command as the fields of a dataclass, so that what is given together travels together."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import fields
from typing import Any, TypeVar, get_type_hints

import typer

__all__ = ["taking"]

T = TypeVar("T")

Command = Callable[[typer.Context, T], None]


def taking(kind: type[T]) -> Callable[[Command[T]], Callable[..., None]]:
    """A Typer command whose options are the fields of the dataclass `kind`, annotated as Typer wants them."""

    def wrap(command: Command[T]) -> Callable[..., None]:
        @functools.wraps(command)
        def called(context: typer.Context, **given: Any) -> None:
            command(context, kind(**given))

        hints = get_type_hints(kind, include_extras=True)
        keyword, first = inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
        parameters = [inspect.Parameter("context", first, annotation=typer.Context)]
        for each in fields(kind):  # type: ignore[arg-type]
            default = each.default_factory() if callable(each.default_factory) else each.default
            parameters.append(
                inspect.Parameter(each.name, keyword, default=default, annotation=hints[each.name])
            )
        del called.__wrapped__
        called.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        called.__annotations__ = {each.name: each.annotation for each in parameters}
        return called

    return wrap
