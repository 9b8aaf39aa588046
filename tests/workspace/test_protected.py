"""T7: whatever CI, owners and agents obey is named, also when it is renamed away or taken back later."""

from __future__ import annotations

import pytest

from app.config import PROTECTED
from app.ports import Inspection, WorkKey
from app.workspace import Place, Publisher, Rules
from tests.workspace.world import World

FLOW = ".github/workflows/ci.yml"


def look(world: World, publisher: Publisher, base: str) -> Inspection:
    world.bundle("s1", f"{base}..convoy/jwt/task-1")
    return publisher.inspect(WorkKey("s1", base, world.agent.head, "convoy/jwt/task-1"))


@pytest.mark.parametrize(
    "path",
    [
        FLOW,
        ".GitHub/workflows/ci.yml",
        ".brat/config.toml",
        "CODEOWNERS",
        "docs/CODEOWNERS",
        "AGENTS.md",
        "src/claude.md",
        ".claude/settings.json",
        ".codex/config.toml",
        "sub/.gemini/settings.json",
        ".aider.conf.yml",
        "opencode.json",
        ".gitattributes",
    ],
)
def test_t7_protected_path_is_named(world: World, publisher: Publisher, path: str) -> None:
    base = world.person.head
    world.agent.commit({path: "x", "src/new.py": "1"})
    assert look(world, publisher, base).protected == (path,)


def test_t7_rename_into_and_out_of_protection(world: World, publisher: Publisher) -> None:
    start = world.person.head
    middle = world.agent.commit({FLOW: "on: push\n" * 20})
    out = world.agent.commit({FLOW: None, "old.yml": "on: push\n" * 20})
    assert look(world, publisher, start).protected == (FLOW,)
    publisher.fetch(())
    publisher.mirror.take(world.agent.path, middle, "refs/brat/seen/middle")
    world.bundle("s2", f"{middle}..convoy/jwt/task-1")
    found = publisher.inspect(WorkKey("s2", middle, out, "convoy/jwt/task-1"))
    assert found.protected == (FLOW,)
    assert found.touched == (FLOW, "old.yml")


def test_t7_taken_back_by_a_later_commit_is_named_but_not_touched(world: World, publisher: Publisher) -> None:
    base = world.person.head
    world.agent.commit({FLOW: "on: push", "a": "1"})
    world.agent.commit({FLOW: None})
    found = look(world, publisher, base)
    assert found.protected == (FLOW,)
    assert found.touched == ("a",)


def test_t7_brought_by_one_merge_and_taken_back_by_another_is_named(
    world: World, publisher: Publisher
) -> None:
    base = world.person.head
    for name, change in (("one", "on: push"), ("two", None)):
        world.agent.git("checkout", "--quiet", "-b", name)
        world.agent.commit({name: "1"})
        world.agent.git("checkout", "--quiet", "convoy/jwt/task-1")
        world.agent.git("merge", "--quiet", "--no-commit", "--no-ff", name)
        world.agent.commit({FLOW: change})
    found = look(world, publisher, base)
    assert found.protected == (FLOW,)
    assert found.touched == ("one", "two")


def test_ordinary_work_is_not_protected(world: World, publisher: Publisher) -> None:
    base = world.person.head
    world.agent.commit({"src/auth.py": "x", "docs/github.md": "x"})
    assert look(world, publisher, base).protected == ()


def test_what_is_protected_is_configurable(world: World) -> None:
    rules = Rules(protected=("src/**", "!src/free.py"))
    publisher = Publisher(Place(world.person.path / ".git", world.state, world.bundle_path), rules)
    publisher.fetch((world.person.head,))
    base = world.person.head
    world.agent.commit({"src/auth.py": "x", "src/free.py": "x", FLOW: "x"})
    assert look(world, publisher, base).protected == ("src/auth.py",)


def test_t7_other_globs_count_at_once_and_the_earlier_answer_is_still_known(
    world: World, publisher: Publisher
) -> None:
    base = world.person.head
    world.agent.commit({"kept/a.txt": "1", FLOW: "on: push"})
    assert look(world, publisher, base).protected == (FLOW,)
    publisher.protect(("kept/**",))
    key = WorkKey("s1", base, world.agent.head, "convoy/jwt/task-1")
    assert publisher.inspect(key).protected == ("kept/a.txt",)
    publisher.protect((*PROTECTED, "kept/**"))
    assert publisher.inspect(key).protected == (FLOW, "kept/a.txt")
