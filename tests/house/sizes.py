"""How long and how wide code may be, and how much of it may be comment."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator

from tests.house.source import Source

__all__ = ["comment_ratio", "function_sizes", "is_command", "module_length"]

MODULE_LINES = 300
FUNCTION_LINES = 40
PARAMETERS = 5
POSITIONAL = 3
RETURNS = 6

Function = ast.FunctionDef | ast.AsyncFunctionDef


def module_length(source: Source) -> Iterator[str]:
    """A module fits into one reading."""
    lines = len(source.text.splitlines())
    if lines > MODULE_LINES:
        yield source.at(1, f"{lines} lines, at most {MODULE_LINES}: split it by subject")


def function_sizes(source: Source) -> Iterator[str]:
    """A function fits on a screen, and its call on a line."""
    for node in ast.walk(source.tree):
        if isinstance(node, Function) and not is_command(node):
            for problem in _sizes(node):
                yield source.at(node.lineno, f"{node.name} has {problem}")


def is_command(node: ast.AST) -> bool:
    """A command of the command line: its parameters are options, and Typer calls it by name."""
    if not isinstance(node, Function):
        return False
    words = [ast.unparse(each) for each in node.decorator_list]
    words += [ast.unparse(each.annotation) for each in node.args.args if each.annotation]
    return any(".command" in word or ".callback" in word or word == "typer.Context" for word in words)


def comment_ratio(source: Source) -> Iterator[str]:
    """At most one comment per ten lines of code; orders to tools do not count."""
    comments = code = 0
    last = 0
    for token in tokenize.generate_tokens(io.StringIO(source.text).readline):
        if token.type == tokenize.COMMENT:
            comments += not token.string.startswith(("# type:", "#!"))
        elif token.string.strip() and token.start[0] != last:
            last = token.start[0]
            code += 1
    if comments * 10 > max(code, 10):
        yield source.at(1, f"{comments} comments on {code} lines of code: at most one per ten")


def _sizes(node: Function) -> Iterator[str]:
    lines = (node.end_lineno or node.lineno) - node.lineno + 1
    positional = [each for each in node.args.posonlyargs + node.args.args if each.arg not in ("self", "cls")]
    parameters = len(positional) + len(node.args.kwonlyargs)
    returns = sum(isinstance(each, ast.Return) for each in _own(node))
    if lines > FUNCTION_LINES:
        yield f"{lines} lines, at most {FUNCTION_LINES}"
    if parameters > PARAMETERS:
        yield f"{parameters} parameters, at most {PARAMETERS}"
    if len(positional) > POSITIONAL:
        yield f"{len(positional)} positional parameters: keyword-only after {POSITIONAL}"
    if returns > RETURNS:
        yield f"{returns} returns, at most {RETURNS}"


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """What belongs to a function itself and not to one inside it."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, Function | ast.Lambda | ast.ClassDef):
            yield from _own(child)
