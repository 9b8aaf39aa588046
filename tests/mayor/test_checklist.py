"""Checklists: what counts as a task, what as a key, what as instructions."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from app.errors import PlanError
from app.mayor import plan_from_checklist
from app.ports import PlannedTask

FULL = """\
Make the service ready for JWT.

- [ ] Add the signing helper
  kind: default
  paths: src/auth/**, `src/keys.py`
  reads: README.md
  run: `pytest -q tests/auth`
  run: make lint
  size: l
  timeout: 20m
  Note: keys come from the environment.

  - nested point
    - deeper
- [x] Choose a library
- [ ] Write tests, and run them
  KIND: tests
  engine: codex
  after: 1, 2
- [ ] Document it
  after: write tests, and run them, task-1

Thanks!
"""


def problems(text: str) -> list[str]:
    with pytest.raises(PlanError) as error:
        plan_from_checklist(text)
    return list(error.value.problems)


def tasks(text: str) -> list[tuple[str, str]]:
    return [(task.title, task.instructions) for task in plan_from_checklist(text).tasks]


def test_a_list_of_ticked_boxes_says_that_nothing_is_left_and_what_to_write() -> None:
    with pytest.raises(PlanError, match="nothing is left to do: every box is ticked") as error:
        plan_from_checklist("Ship it\n\n- [x] One\n- [X] Two\n")
    assert "`- [ ] title`" in (error.value.remedy or "")


def test_an_engine_from_outside_does_the_tasks_that_name_none() -> None:
    plan = plan_from_checklist("- [ ] One\n- [ ] Two\n  engine: aider\n", engine="codex")
    assert [task.engine for task in plan.tasks] == ["codex", "aider"]


def test_a_full_checklist_is_a_plan() -> None:
    plan = plan_from_checklist(FULL)
    assert plan.summary == "Make the service ready for JWT.\n\nThanks!"
    assert plan.notes == ("task-2 is ticked already and left out: Choose a library",)
    assert plan.tasks == (
        PlannedTask(
            "task-1",
            "Add the signing helper",
            instructions="Note: keys come from the environment.\n\n- nested point\n  - deeper",
            commands=("pytest -q tests/auth", "make lint"),
            paths=("src/auth/**", "src/keys.py"),
            reads=("README.md",),
            size="L",
            timeout_ms=1_200_000,
        ),
        PlannedTask(
            "task-3", "Write tests, and run them", kind="tests", engine="codex", depends_on=("task-1",)
        ),
        PlannedTask("task-4", "Document it", depends_on=("task-3", "task-1")),
    )


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_do_not_matter(end: str) -> None:
    assert plan_from_checklist(FULL.replace("\n", end)) == plan_from_checklist(FULL)


@pytest.mark.parametrize("marker", ["-", "*", "+", "1.", "12)"])
def test_every_markdown_list_marker_makes_a_task(marker: str) -> None:
    assert tasks(f"{marker} [ ] Do it") == [("Do it", "")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- [ ] A\n\tkind: docs\n\tgo on", [("A", "go on")]),
        (
            "- [ ] A\n  - [ ] step\n  - [x] done step\n- [ ] B",
            [("A", "- [ ] step\n- [x] done step"), ("B", "")],
        ),
        ("  - [ ] A\n- [ ] B", [("A", ""), ("B", "")]),
        ("- [ ] A\n\n\n  one\n\n  two\n\n- [ ] B", [("A", "one\n\ntwo"), ("B", "")]),
        ("- [ ] A\n  ```yaml\n  run: x\n  - [ ] y\n  ```", [("A", "```yaml\nrun: x\n- [ ] y\n```")]),
        (
            "- [ ] A\n  text\n\n      run: an indented code block",
            [("A", "text\n\n    run: an indented code block")],
        ),
        ("- [ ] A\n  - run: in a bullet", [("A", "- run: in a bullet")]),
        ("- [ ] A\n  see https://x.org: there", [("A", "see https://x.org: there")]),
        ("- [ ] A\n  Later: more", [("A", "Later: more")]),
        ("- [ ] A\n  <!-- hidden: yes -->\n  seen", [("A", "seen")]),
        ("```\n- [ ] example\n```\n- [ ] A", [("A", "")]),
        ("<!--\n- [ ] from the template\n-->\n- [ ] A", [("A", "")]),
        ("> - [ ] quoted\n- [ ] A", [("A", "")]),
        ("- [1] a reference\n- [link](url)\n- [ ] A", [("A", "")]),
        ("    - [ ] in a code block\n- [ ] A", [("A", "")]),
        ("1. plain\n   - [ ] A\n   - [ ] B", [("A", ""), ("B", "")]),
    ],
)
def test_what_is_a_task_and_what_is_instructions(text: str, expected: list[tuple[str, str]]) -> None:
    assert tasks(text) == expected


def test_each_mistake_is_named_with_its_line() -> None:
    text = """\
- [ ] A
kind: tests
- [] B
  pths: x
  after: 9
- [-] C
  size: XL
  kind: a
  kind: b
  timeout: 3
  paths:
- [ ]
- [ ] A
- [ ] D
  after: A
"""
    assert problems(text) == snapshot(
        [
            "line 2: `kind:` must be indented below its task",
            "line 3: the box [] is neither open `[ ]` nor done `[x]`",
            "line 4: `pths:` is not a key; did you mean `paths:`?",
            "line 6: the box [-] is neither open `[ ]` nor done `[x]`",
            "line 7: `size: XL`: allowed are S, M and L",
            "line 9: `kind:` stands twice below one task",
            "line 10: `timeout: 3`: write it like 30s, 20m or 2h",
            "line 11: `paths:` has no value",
            "line 12: task 4 has no title: write it after the box",
            "line 5: `after: 9` names no task: allowed are 1 to 6, or a title",
            "line 15: `after: A` fits 2 tasks: name it by number",
        ]
    )


@pytest.mark.parametrize("text", ["", "no list", "- [x] all done", "```\n- [ ] code\n```", "- [ ]"])
def test_a_text_without_an_open_task_is_no_plan(text: str) -> None:
    with pytest.raises(PlanError) as error:
        plan_from_checklist(text, place="list.md")
    assert str(error.value).startswith("list.md: ")


def test_one_task_without_prose_is_its_own_summary() -> None:
    assert plan_from_checklist("- [ ] Fix it").summary == "Fix it"
    assert plan_from_checklist("- [ ] Fix it\n- [ ] And that").summary == "2 tasks from a checklist"


words = st.sampled_from(
    ["- [ ] a", "  - [x] b", "kind: c", "  run: d", "```", "\t", "<!--", "-->", "after: 1", "", "1. [ ] e"]
)


@given(st.lists(words, max_size=12).map("\n".join) | st.text(max_size=60))
def test_any_text_is_a_plan_or_a_plan_error(text: str) -> None:
    with suppress(PlanError):
        plan = plan_from_checklist(text)
        assert all(task.title and task.title in text.expandtabs(4) for task in plan.tasks)
