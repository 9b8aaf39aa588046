from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.config import ENGINES, EngineChoice, EngineType, parse_config, propose_checks, starter
from app.ports import CheckSpec

LINE = st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=60)


def proposed(**files: str) -> list[str]:
    """Commands for a project of these files; `__` stands for `/` and the name's dot is written `_dot_`."""
    tree = {name.replace("__", "/").replace("_dot_", "."): text for name, text in files.items()}
    return [check.run for check in propose_checks(tree, tree.get)]


@given(st.lists(st.tuples(LINE, LINE), unique_by=lambda each: each[0], max_size=3))
def test_starter_with_any_checks_parses_strictly(checks: list[tuple[str, str]]) -> None:
    specs = tuple(CheckSpec(name, run) for name, run in checks)
    config = parse_config(starter(specs))
    assert config.refinery.checks == specs
    assert config.refinery.require_ci == bool(specs)


def test_command_with_quotes_and_line_ends_survives_the_starter() -> None:
    spec = CheckSpec("all", "printf \"\\x7f\x7f\"\n\techo 'done'\\")
    assert parse_config(starter([spec])).refinery.checks == (spec,)


@pytest.mark.parametrize("engine", ENGINES)
def test_starter_names_the_engine(engine: EngineType) -> None:
    assert parse_config(starter(engine=engine)).engine_for("code") == EngineChoice(engine)


def test_commented_examples_of_the_starter_hold_when_taken_in() -> None:
    text = starter().replace("# [[", "[[").replace("# name", "name").replace("# run", "run")
    text = (
        text.replace("# [engine", "[engine").replace('# type = "a', 'type = "a').replace("# model", "model")
    )
    config = parse_config(text)
    assert config.engine_for("tests") == EngineChoice("aider", "gpt-4o")
    assert config.refinery.checks == (CheckSpec("tests", "make test"),)


def test_pytest_is_proposed_where_the_project_speaks_of_it() -> None:
    pytest_run = ["python3 -m pytest -q"]
    assert proposed(pytest_dot_ini="") == pytest_run
    assert proposed(tests__conftest_dot_py="") == pytest_run
    assert proposed(pyproject_dot_toml="[tool.pytest.ini_options]") == pytest_run
    assert proposed(setup_dot_cfg="[tool:pytest]") == pytest_run
    assert proposed(tests__test_a_dot_py="def test_a(): ...") == pytest_run
    assert proposed(pyproject_dot_toml="[project]", app_dot_py="x = 1") == []


def test_unittest_is_proposed_where_all_tests_are_of_its_kind() -> None:
    assert proposed(tests__test_a_dot_py="import unittest") == ["python3 -m unittest discover"]
    assert proposed(tests__test_a_dot_py="import unittest", tests__test_b_dot_py="import pytest") == [
        "python3 -m pytest -q"
    ]


def test_npm_needs_a_real_test_script() -> None:
    assert proposed(package_dot_json='{"scripts": {"test": "jest"}}') == ["npm test"]
    assert proposed(package_dot_json='{"scripts": {"test": "jest"}}', yarn_dot_lock="") == ["yarn test"]
    assert (
        proposed(package_dot_json='{"scripts": {"test": "echo \\"Error: no test specified\\" && exit 1"}}')
        == []
    )
    assert proposed(package_dot_json='{"scripts": []}') == []
    assert proposed(package_dot_json="{") == []
    assert proposed(package_dot_json="[" * 100_000) == []


def test_cargo_and_go_bring_their_own() -> None:
    assert proposed(Cargo_dot_toml="", go_dot_mod="") == ["cargo test", "go test ./..."]


def test_make_is_taken_when_nothing_else_speaks() -> None:
    assert proposed(Makefile=".PHONY: test\ntest: build\n\t./run\n") == ["make test"]
    assert proposed(Makefile="test := 1\ntests:\n\ttrue\n") == []
    assert proposed(Makefile="test:\n", go_dot_mod="") == ["go test ./..."]
    assert proposed(Makefile="test:\n", GNUmakefile="all:\n") == []


def test_project_without_tests_gets_no_proposal() -> None:
    assert proposed(README_dot_md="pytest") == []
