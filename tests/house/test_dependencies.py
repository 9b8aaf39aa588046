"""What is asked for is used, what is used is asked for, and the lock has it all."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import packages_distributions

from tests.house.source import ROOT, sources

NOT_IMPORTED = {"hishel", "httptools"}
"""githubkit does not import with hishel 2, so that is kept out; uvicorn takes httptools by its name."""

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def canonical(requirement: str) -> str:
    """A distribution's name as the packaging standard compares it."""
    return re.sub(r"[-_.]+", "-", re.split(r"[\s<>=!~;\[]", requirement)[0]).lower()


def names(requirements: Iterable[str]) -> set[str]:
    return {canonical(each) for each in requirements}


def imported(folder: str) -> Iterator[str]:
    for source in sources(folder):
        for node in ast.walk(source.tree):
            if isinstance(node, ast.Import):
                yield from (each.name.split(".")[0] for each in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                yield node.module.split(".")[0]


def distributions(folder: str) -> set[str]:
    known = packages_distributions()
    foreign = set(imported(folder)) - set(sys.stdlib_module_names) - {"app", "tests", "benchmarks"}
    return {canonical(known[name][0]) for name in foreign}


def test_program_uses_exactly_the_packages_it_asks_for() -> None:
    used, asked = distributions("app"), names(PROJECT["dependencies"]) - NOT_IMPORTED
    assert (sorted(used - asked), sorted(asked - used)) == ([], [])


def test_tests_use_only_packages_that_are_asked_for() -> None:
    asked = names(PROJECT["dependencies"]) | names(PROJECT["optional-dependencies"]["dev"])
    assert distributions("tests") - asked == set()


def test_lock_has_every_package_with_hashes_and_no_address() -> None:
    lock = (ROOT / "requirements.lock").read_text()
    asked = names(PROJECT["dependencies"]) | names(PROJECT["optional-dependencies"]["dev"])
    entries = re.findall(r"(?m)^([\w.-]+)==\S+.*\\\n((?:    --hash=sha256:[0-9a-f]{64}.*\n?)+)", lock)
    assert asked <= names(name for name, _ in entries)
    assert len(entries) == len(re.findall(r"(?m)^[\w.-]+==", lock))
    assert "://" not in lock
