"""What a module shows, and by which name others take it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.house.sizes import is_command
from tests.house.source import ROOT, Source

__all__ = ["complete_all", "rooms_by_name"]


def complete_all(source: Source) -> Iterator[str]:
    """`__all__` names every public function and class; of a room, exactly what it takes in and defines."""
    if source.path.endswith("__main__.py"):
        return
    shown, public = _shown(source.tree), set(_public(source, constants=source.is_room))
    for name in sorted(public - shown):
        yield source.at(1, f"{name} is public but not in __all__")
    for name in sorted(shown - set(_public(source, constants=True))):
        yield source.at(1, f"{name} is in __all__ but not {'taken in' if source.is_room else 'defined'} here")
    if source.is_room and not ast.get_docstring(source.tree):
        yield source.at(1, "a room opens with its design and one worked example")


def rooms_by_name(source: Source, *, packages: frozenset[str] | None = None) -> Iterator[str]:
    """`app.room.module` is imported inside the room only, and in the tests that mirror it.

    A package in a room that shows names of its own is taken by its name too, where it is needed.
    """
    rooms = _rooms() if packages is None else packages
    parts = Path(source.path).parts
    home = parts[1].removesuffix(".py") if len(parts) > 1 else ""
    for line, name in _imported(source.tree):
        taken = name.split(".")
        if name in _inner_rooms():
            continue
        if len(taken) > 2 and taken[0] == "app" and taken[1] in rooms and taken[1] != home:
            yield source.at(line, f"import from app.{taken[1]}, not from {name}")


def _rooms() -> frozenset[str]:
    return frozenset(each.parent.name for each in ROOT.glob("app/*/__init__.py"))


@cache
def _inner_rooms() -> frozenset[str]:
    faces = (each for each in ROOT.glob("app/*/*/__init__.py") if "__all__" in each.read_text())
    return frozenset(".".join(each.parent.relative_to(ROOT).parts) for each in faces)


def _shown(tree: ast.Module) -> set[str]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return set(ast.literal_eval(node.value))
    return set()


def _public(source: Source, *, constants: bool) -> Iterator[str]:
    for node in _top(source.tree):
        for name in _defined(node, constants=constants):
            if not name.startswith("_"):
                yield name
        if source.is_room and isinstance(node, ast.ImportFrom) and (node.module or "").startswith("app."):
            yield from (each.asname or each.name for each in node.names)


def _top(tree: ast.Module) -> Iterator[ast.stmt]:
    """The module's own statements, also those that type checkers and programs see differently."""
    for node in tree.body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            yield from node.orelse
        else:
            yield node


def _defined(node: ast.stmt, *, constants: bool) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        if constants or not is_command(node):
            yield node.name
    elif not constants:
        return
    elif isinstance(node, ast.Assign):
        yield from (each.id for each in node.targets if isinstance(each, ast.Name))
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        yield node.target.id


def _imported(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, each.name) for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.lineno, node.module
            if node.module == "app":
                yield from ((node.lineno, f"app.{each.name}") for each in node.names)
