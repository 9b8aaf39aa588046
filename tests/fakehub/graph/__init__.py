"""GraphQL over the same state: GitHub's schema cut to `fields.FIELDS`, every field of it resolved.

A document that the cut schema does not know is a problem in the journal, as an unknown route is.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphql import (
    ExecutionResult,
    GraphQLAbstractType,
    GraphQLError,
    GraphQLResolveInfo,
    GraphQLSchema,
    build_schema,
    execute_sync,
    parse,
    validate,
)

from tests.fakehub.accounts import Token
from tests.fakehub.graph import issues, pulls, roots
from tests.fakehub.graph.nodes import TABLE, Node

if TYPE_CHECKING:
    from tests.fakehub.hub import Hub

__all__ = ["TABLE", "issues", "pulls", "roots", "run", "schema"]


@cache
def schema() -> GraphQLSchema:
    return build_schema((Path(__file__).parent / "schema.graphql").read_text())


def run(
    hub: Hub, token: Token, asked: dict[str, Any], *, limits: dict[str, Any], back: int = 0
) -> dict[str, Any]:
    """GitHub's answer to one document: `data`, and `errors` with their `type`."""
    try:
        document = parse(asked["query"])
        wrong = validate(schema(), document)
    except GraphQLError as syntax:
        wrong = [syntax]
    if wrong:
        hub.journal.problems += [f"GraphQL: {each.message}" for each in wrong]
        return {"errors": [_shown(each) for each in wrong]}
    anywhere = next(iter(hub.repositories.values()))
    root = Node("Query", anywhere, None, token, {"limits": limits, "back": back})
    done = execute_sync(
        schema(), document, root, variable_values=asked.get("variables"), field_resolver=_resolve,
        operation_name=asked.get("operationName"), type_resolver=_kind,
    )  # fmt: skip
    assert isinstance(done, ExecutionResult)
    for each in done.errors or ():
        if "type" not in (each.extensions or {}):
            hub.journal.problems.append(f"GraphQL: {each}")
    answer: dict[str, Any] = {"data": done.data}
    return answer | ({"errors": [_shown(each) for each in done.errors]} if done.errors else {})


def _resolve(source: Any, info: GraphQLResolveInfo[Any], /, **args: Any) -> Any:
    if isinstance(source, dict):
        return source[info.field_name]
    return TABLE[info.parent_type.name][info.field_name](source, **args)


def _kind(source: Any, _info: GraphQLResolveInfo[Any], _type: GraphQLAbstractType) -> str:
    assert isinstance(source, Node)
    return source.kind


def _shown(error: GraphQLError) -> dict[str, Any]:
    places = [{"line": each.line, "column": each.column} for each in error.locations or ()]
    made: dict[str, Any] = {"message": error.message, "locations": places}
    if error.path:
        made["path"] = error.path
    return made | dict(error.extensions or {})
