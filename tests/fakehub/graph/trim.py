"""Cuts GitHub's published GraphQL schema to the fields that the stand-in resolves.

    python -m tests.fakehub.graph.trim schema.graphql

The input is `schema.graphql` of the npm package `@octokit/graphql-schema` (MIT). Arguments stay as they are.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from graphql import DefinitionNode, DocumentNode, parse, print_ast, visit
from graphql.language import ast
from graphql.language.visitor import REMOVE, Visitor

from tests.fakehub.graph.fields import FIELDS

HERE = Path(__file__).parent
_OPEN = (ast.EnumTypeDefinitionNode, ast.ScalarTypeDefinitionNode, ast.InputObjectTypeDefinitionNode)


_PROSE = re.compile(r'"""(?s:.*?)"""')


class _WithoutDirectives(Visitor):
    def enter_directive(self, *_: Any) -> Any:
        return REMOVE


def cut(text: str) -> str:
    """The types of the table with their fields, and what arguments and enums they need."""
    whole: DocumentNode = visit(parse(_PROSE.sub("", text)), _WithoutDirectives())
    known: dict[str, Any] = {e.name.value: e for e in whole.definitions if hasattr(e, "name")}
    kept = [_object(known[name], set(fields)) for name, fields in FIELDS.items()]
    names, wanted = {e.name.value for e in kept}, set(_needed(kept))
    while missing := wanted - names:
        for name in sorted(missing):
            names.add(name)
            if name in known:
                kept.append(_rest(known[name], set(FIELDS)))
                wanted |= set(_needed(kept[-1:]))
    kept.sort(key=lambda each: str(each.name.value))
    return "\n\n".join(print_ast(each) for each in kept) + "\n"


def _object(node: Any, fields: set[str]) -> Any:
    missing = fields - {each.name.value for each in node.fields}
    assert not missing, f"{node.name.value} has no {missing}"
    kept = tuple(each for each in node.fields if each.name.value in fields)
    interfaces = tuple(each for each in node.interfaces or () if each.name.value in FIELDS)
    return replace(node, fields=kept, interfaces=interfaces)


def _rest(node: Any, objects: set[str]) -> Any:
    if isinstance(node, ast.UnionTypeDefinitionNode):
        return replace(node, types=tuple(each for each in node.types or () if each.name.value in objects))
    assert isinstance(node, _OPEN), f"{node.name.value} is needed: add it to the table"
    return node


def _needed(nodes: list[DefinitionNode]) -> Iterator[str]:
    """Every type that is named."""
    for node in nodes:
        found: list[str] = []

        class Names(Visitor):
            def enter_named_type(self, named: ast.NamedTypeNode, *_: Any, into: list[str] = found) -> None:
                into.append(named.name.value)

        visit(node, Names())
        yield from found


def main() -> None:
    (HERE / "schema.graphql").write_text(cut(Path(sys.argv[1]).read_text()))


if __name__ == "__main__":
    main()
