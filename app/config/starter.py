"""The file that `brat init` writes, and the checks it proposes from the project's own files."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from app.config.names import DEFAULT_ENGINE, EngineType
from app.ports import CheckSpec

__all__ = ["propose_checks", "starter"]

_PLACEHOLDER = "no test specified"
"""What `npm init` writes as the test script of a package without tests."""

_TESTS_READ = 20
"""Test files looked into to tell pytest from unittest."""

Read = Callable[[str], str | None]


def starter(checks: Iterable[CheckSpec] = (), *, engine: EngineType = DEFAULT_ENGINE) -> str:
    """A first `.brat/config.toml`, with comments; it parses strictly."""
    found = tuple(checks)
    parts = [_HEAD.format(engine=engine, require_ci="true" if found else "false")]
    parts += [
        f"\n[[refinery.check]]\nname = {_quoted(each.name)}\nrun = {_quoted(each.run)}\n" for each in found
    ]
    return "".join(parts) + ("" if found else _NO_CHECK)


def propose_checks(paths: Iterable[str], read: Read) -> tuple[CheckSpec, ...]:
    """Checks that the project's own files speak of; `paths` are relative to its top.

    A tool's own command is preferred to `make test`: such a target often installs things, and checks have
    no network.
    """
    known = frozenset(paths)
    found = (*_python(known, read), *_npm(known, read), *_cargo_and_go(known))
    return found or tuple(_make(known, read))


def _python(paths: frozenset[str], read: Read) -> Iterator[CheckSpec]:
    tests = sorted(path for path in paths if re.search(r"(^|/)(test_[^/]*|[^/]*_test)\.py$", path))
    if _speaks_of_pytest(paths, read):
        yield CheckSpec("pytest", "python3 -m pytest -q")
    elif tests:
        texts = [read(path) or "" for path in islice(tests, _TESTS_READ)]
        plain = all("unittest" in text and "pytest" not in text for text in texts)
        yield (
            CheckSpec("unittest", "python3 -m unittest discover")
            if plain
            else CheckSpec("pytest", "python3 -m pytest -q")
        )


def _speaks_of_pytest(paths: frozenset[str], read: Read) -> bool:
    if paths & {"pytest.ini", ".pytest.ini", "conftest.py", "tests/conftest.py"}:
        return True
    marks = {"pyproject.toml": r"pytest", "tox.ini": r"^\[pytest\]|pytest", "setup.cfg": r"^\[tool:pytest\]"}
    return any(
        re.search(mark, read(name) or "", re.MULTILINE) is not None
        for name, mark in marks.items()
        if name in paths
    )


def _npm(paths: frozenset[str], read: Read) -> Iterator[CheckSpec]:
    if "package.json" not in paths:
        return
    try:
        script = json.loads(read("package.json") or "{}")["scripts"]["test"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return
    if isinstance(script, str) and script.strip() and _PLACEHOLDER not in script:
        runner = next((tool for lock, tool in _LOCKS if lock in paths), "npm")
        yield CheckSpec(f"{runner} test", f"{runner} test")


def _cargo_and_go(paths: frozenset[str]) -> Iterator[CheckSpec]:
    if "Cargo.toml" in paths:
        yield CheckSpec("cargo test", "cargo test")
    if "go.mod" in paths:
        yield CheckSpec("go test", "go test ./...")


def _make(paths: frozenset[str], read: Read) -> Iterator[CheckSpec]:
    """The file that make itself takes, by its order. https://www.gnu.org/software/make/manual/html_node/Makefile-Names.html"""
    name = next((each for each in ("GNUmakefile", "makefile", "Makefile") if each in paths), None)
    if name and re.search(r"^test\s*::?(?!=)", read(name) or "", re.MULTILINE):
        yield CheckSpec("make test", "make test")


def _quoted(text: str) -> str:
    """A TOML basic string; JSON's escapes are TOML's, but TOML also wants DEL escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


_LOCKS = (("pnpm-lock.yaml", "pnpm"), ("yarn.lock", "yarn"))

_HEAD = """\
# What shall happen in this repository. Read from the base branch.
# Endpoints, keys and limits are the operator's: ~/.config/brat/config.toml
# All keys: docs/configuration.md of brat, or `brat config schema`.

# Which engine does which kind of work: claude-code, codex, aider or shell.
[engine.default]
type = "{engine}"
# [engine.tests]
# type = "aider"
# model = "gpt-4o"

[mayor]
approval = "auto" # auto | required: nothing runs before a person approves the plan

[swarm]
max_polecats = 4 # sessions at the same time
session_timeout = "30m"
idle_timeout = "10m"
attempts = 3 # sessions per task before a person is asked

[refinery]
strategy = "rebase" # rebase | squash | merge
require_ci = {require_ci} # say so when nothing is checked before it lands
"""

_NO_CHECK = """
# Nothing is checked before it lands until a command is named here:
# [[refinery.check]]
# name = "tests"
# run = "make test"
"""
