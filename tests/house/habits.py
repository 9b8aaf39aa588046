"""What is not done here: errors swallowed, rules switched off, tests that evade, places of one machine."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.house.source import Source

__all__ = ["foreign_places", "no_evading_test", "no_swallowed_error", "no_switched_off_rule", "quick_values"]

# Put together, so that this file does not hold what it looks for.
_REGISTRIES = ("pypi" + r"\.org", "python" + r"hosted\.org", "npmjs" + r"\.(org|com)", "yarnpkg" + r"\.com")
_FOREIGN = {
    "a package registry's address": re.compile(
        "|".join(_REGISTRIES) + r"|--(extra-)?index-url\b(?!\s*,)|\"resolved" + r"\":|^\s*registry\s*="
    ),
    "a path of one machine": re.compile(r"(?<![\w.])/(work|root|farm)" + "/"),
    "unfinished work": re.compile(r"\b(TO" + r"DO|FIX" + r"ME|X" + r"XX|NotImpl" + r"ementedError)\b"),
}
_VALUE = "dataclass(frozen=True, slots=True)"
_ALONE = ("app/demo/agent.py",)
"""Run where there is no brat."""
_BROAD = ("Exception", "BaseException")
_MARKS = ("mark.skip", "mark.skipif", "mark.xfail")
_AVOIDING = ("pytest.skip", "pytest.xfail", "pytest.importorskip", "time.sleep", "asyncio.sleep")


def foreign_places(path: str, text: str) -> Iterator[str]:
    """No registry, no machine and no gap is written down."""
    for number, line in enumerate(text.splitlines(), 1):
        for what, pattern in _FOREIGN.items():
            if pattern.search(line):
                yield f"{path}:{number}: {what}: {line.strip()[:80]}"


def no_swallowed_error(source: Source) -> Iterator[str]:
    """An error is answered, passed on, or named in `contextlib.suppress`; never all of them at once."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ExceptHandler) and all(_does_nothing(each) for each in node.body):
            yield source.at(node.lineno, "an emptied except: use contextlib.suppress with the narrow class")
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("suppress"):
            yield from (source.at(node.lineno, "suppresses all") for each in node.args if _is_broad(each))


def no_switched_off_rule(source: Source) -> Iterator[str]:
    """Rules hold without exceptions."""
    for number, line in enumerate(source.text.splitlines(), 1):
        if re.search(r"#\s*(noqa|ruff:\s*noqa|mypy:|pragma:)", line):
            yield source.at(number, "switches a rule off")


def quick_values(source: Source) -> Iterator[str]:
    """Frozen values are made by `app.values`: the library takes a millisecond for each class."""
    nodes = tuple(ast.walk(source.tree))
    made = {
        ast.unparse(each) for node in nodes if isinstance(node, ast.ClassDef) for each in node.decorator_list
    }
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module == "dataclasses" and _VALUE in made:
            slow = (each for each in node.names if each.name == "dataclass")
            alone = source.path in _ALONE
            yield from (source.at(node.lineno, "take dataclass from app.values") for _ in slow if not alone)


def no_evading_test(source: Source) -> Iterator[str]:
    """No test is skipped, expected to fail, or waits by the clock."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in _AVOIDING:
            yield source.at(node.lineno, f"calls {ast.unparse(node.func)}")
        if isinstance(node, ast.Attribute) and ast.unparse(node).endswith(_MARKS):
            yield source.at(node.lineno, f"is marked {node.attr}")


def _does_nothing(node: ast.stmt) -> bool:
    return isinstance(node, ast.Pass) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def _is_broad(node: ast.expr) -> bool:
    return ast.unparse(node) in _BROAD
