"""The scripted agent: what it reads in a prompt, and what it makes of it."""

from __future__ import annotations

import pytest

from app.demo.agent import Asked, asked_for, edits, resolved
from app.ports import PlannedTask
from app.prompts import Carried, Work, work_prompt

TASK = PlannedTask("task-1", "Add signed tokens", instructions="With HS256.")


def prompt(*, attempt: int = 1, carried: Carried | None = None) -> str:
    work = Work("JWT", "Refactor the auth module", TASK, "convoy/jwt/task-1", attempt, carried=carried)
    return work_prompt(work)


def test_agent_finds_its_task_and_attempt_in_a_real_prompt() -> None:
    assert asked_for(prompt(attempt=2)) == Asked("Add signed tokens", 2)


def test_agent_finds_the_files_to_resolve() -> None:
    carried = Carried("a" * 40, ("CHANGELOG.md", "docs/api.md"))
    assert asked_for(prompt(carried=carried)).conflicts == ("CHANGELOG.md", "docs/api.md")


def test_agent_repairs_earlier_work_and_never_does_the_task_twice() -> None:
    assert asked_for(prompt(attempt=2, carried=Carried("a" * 40))).repair
    assert not asked_for(prompt(attempt=2)).repair


def test_other_text_is_no_prompt() -> None:
    with pytest.raises(ValueError, match="names no task"):
        asked_for("Please add tokens.")


def test_resolution_keeps_both_sides_and_no_marker() -> None:
    text = "# Log\n<<<<<<< HEAD\n* one\n=======\n* two\n>>>>>>> other\n* old\n"
    assert resolved(text) == "# Log\n* one\n* two\n* old\n"


def test_patch_is_taken_apart_by_file() -> None:
    patch = "diff --git a/x.py b/x.py\n+1\ndiff --git a/docs/y.md b/docs/y.md\n+2\n"
    assert [path for path, _ in edits(patch)] == ["x.py", "docs/y.md"]
    assert "".join(part for _, part in edits(patch)) == patch
