"""Whole runs with the real codex and claude, driven by the scripted model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.control import End
from tests.llm import Bash, Conversation, ScriptedModel, Step, Text
from tests.runs.conftest import Make
from tests.runs.world import World

KEY = "key-of-the-test"
CHECKLIST = """Greet the world
- [ ] Write the greeting
  engine: codex
  Write one friendly word to hello.txt.
  run: cat hello.txt && grep -q hello hello.txt
- [ ] Document the greeting
  engine: claude-code
  Explain hello.txt in docs.md.
- [ ] Thank the readers
  engine: codex
  Write thanks.txt.
"""


def engine(name: str, model: str, base: str, *, program: Path) -> str:
    """The operator's table for one engine."""
    lines = (f"[engines.{name}]", f'model = "{model}"', f'base_url = "{base}"', 'key_env = "TEST_KEY"')
    return "\n".join((*lines, f'command = ["{program}"]', ""))


def task_of(prompt: str) -> str:
    """The part of a prompt that is about the one task."""
    return prompt.partition("# What it belongs to")[0]


def agents(conversation: Conversation) -> Step:
    """Fails its acceptance once, claims without work once, and does its work then."""
    again = "This is attempt 2" in conversation.prompt
    task = task_of(conversation.prompt)
    if "Write the greeting" in task:
        step: Step = Bash(f"echo {'hello' if again else 'goodbye'} > hello.txt")
    elif "Thank the readers" in task:
        step = Bash("echo thanks > thanks.txt") if again else Text("I wrote thanks.txt, all done.")
    else:
        step = Bash("echo 'It greets.' > docs.md")
    return Text("All done.") if conversation.results else step


@pytest.fixture
def world(make_world: Make) -> World:
    return make_world(environ={"TEST_KEY": KEY}, engines=("codex", "claude-code"))


def test_convoy_on_both_real_engines_lands(
    world: World, scripted_model: ScriptedModel, claude_binary: Path, codex_binary: Path
) -> None:
    codex, claude = (scripted_model.base_url(agents, key=name) for name in ("codex", "claude"))
    world.operator(
        engine("codex", "gpt-5.5", codex, program=codex_binary)
        + engine("claude-code", "claude-sonnet-4-5", claude, program=claude_binary)
    )
    world.start(CHECKLIST)
    assert world.run() is End.LANDED, world.told()
    world.expect_landed("Write the greeting", "Document the greeting", "Thank the readers")
    assert world.git("show", "main:hello.txt") == "hello"
    told = {each.prompt for each in scripted_model.of("codex")}
    assert any("Write one friendly word to hello.txt." in each for each in told)
    assert any("Explain hello.txt in docs.md." in each.prompt for each in scripted_model.of("claude"))
    (second,) = [each for each in told if "This is attempt 2" in each and "Write the" in task_of(each)]
    assert "goodbye" in second.partition("What failed before")[2]
    found = [each.ended and each.ended.finding.value for each in world.works(1)]
    assert found == ["acceptance-failed", "done"]
    assert [each.ended and each.ended.finding.value for each in world.works(3)] == ["no-change", "done"]
    assert len(world.works(2)) == 1


FIRST = {"id": "one", "title": "First", "instructions": "Write task-1.txt.", "depends_on": ["nothing"]}
SECOND = {"id": "two", "title": "Second", "instructions": "Write task-2.txt.", "depends_on": ["one"]}
PLAN = {"summary": "Greet", "tasks": [FIRST, SECOND]}


def planner(conversation: Conversation) -> Step:
    """Reads two files, answers a plan with an error, and mends it when it is told."""
    if not conversation.results:
        return Bash("cat README.md && cat .brat/config.toml")
    mended = {"summary": "Greet", "tasks": [{**FIRST, "depends_on": []}, SECOND]}
    told = "Your last answer was refused" in conversation.prompt
    return Text(json.dumps(mended if told else PLAN))


def test_real_codex_plans_is_corrected_once_and_the_plan_lands(
    world: World, scripted_model: ScriptedModel, codex_binary: Path
) -> None:
    base = scripted_model.base_url(planner, key="plan")
    world.operator(engine("codex", "gpt-5.5", base, program=codex_binary))
    world.engines = ("codex",)
    world.start("Greet the world in two steps.", planner="engine", engine="codex")
    assert world.run() is End.LANDED, world.told()
    world.expect_landed("First", "Second")
    asked = scripted_model.of("plan")
    read = "".join(result for each in asked for result in each.results)
    assert "A project." in read
    assert "[engine.default]" in read
    assert len(world.convoy.refusals) == 1
    assert "nothing" in world.convoy.refusals[0].errors[0]
    assert [each.started.attempt for each in world.convoy.sessions] == [1, 2]
    assert world.task(2).depends_on == (1,)


def edits(conversation: Conversation) -> Step:
    """What aider reads as an edit."""
    return Text("docs.md\n```\n<<<<<<< SEARCH\n=======\nIt greets.\n>>>>>>> REPLACE\n```\n")


@pytest.mark.full
def test_task_on_the_real_aider_lands(
    world: World, scripted_model: ScriptedModel, aider_binary: Path
) -> None:
    base = scripted_model.base_url(edits, key="aider")
    world.operator(engine("aider", "openai/m", base, program=aider_binary))
    world.engines = ("aider",)
    world.start(
        "- [ ] Document the greeting\n  engine: aider\n  Explain hello.txt in docs.md.\n  run: true\n"
    )
    assert world.run() is End.LANDED, world.told()
    world.expect_landed("Document the greeting")
    assert any("Explain hello.txt in docs.md." in each.prompt for each in scripted_model.of("aider"))
