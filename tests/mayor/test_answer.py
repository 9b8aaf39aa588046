"""What an engine answers, read as a plan."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inline_snapshot import snapshot

from app.errors import PlanError
from app.mayor import RepositoryFacts, parse_answer, plan_to_dict, planning_prompt
from app.ports import Plan
from tests.mayor.conftest import folded, plans

PLAN = '{"summary": "s", "tasks": [{"id": "a", "title": "Do {it}"}]}'


def refused(answer: str) -> str:
    with pytest.raises(PlanError) as error:
        parse_answer(answer)
    return folded(str(error.value))


@pytest.mark.parametrize(
    "answer",
    [
        PLAN,
        f"Here is the plan:\n```json\n{PLAN}\n```\nShall I go on?",
        f"I looked at {{x}} and {{}}.\n{PLAN}",
        f'{{"plan": {PLAN}}}',
        f"First: {PLAN.replace('Do', 'Try')}\nBetter: {PLAN}",
        PLAN.replace('"summary"', '"notes": ["trust me"], "base_commit": "HEAD", "summary"'),
    ],
)
def test_the_plan_is_found_whatever_stands_around_it(answer: str) -> None:
    plan = parse_answer(answer)
    assert (plan.tasks[0].title, plan.notes, plan.base_commit) == ("Do {it}", (), None)


@settings(deadline=None)
@given(plans())
def test_every_plan_can_be_answered(plan: Plan) -> None:
    assert parse_answer("Well.\n```\n" + json.dumps(plan_to_dict(plan), indent=1) + "\n```") == plan


def test_each_bad_answer_is_told_what_is_wrong() -> None:
    assert {
        "prose": refused("I cannot do that."),
        "empty": refused(""),
        "other object": refused('{"a": 1}'),
        "cut off": refused('Plan: {"summary": "s", "tasks": [{"id": "a", "title": "Do'),
        "comma": refused('{"summary": "s", "tasks": [{"id": "a", "title": "A",}]}'),
        "fields": refused(
            '{"summary": "s", "tasks": [{"id": "a", "title": "A", "files": [], "path": ["x"]}]}'
        ),
        "no tasks": refused('{"summary": "s", "tasks": []}'),
        "wrong type": refused('{"summary": "s", "tasks": [{"id": 1, "title": null, "depends_on": "b"}]}'),
    } == snapshot(
        {
            "prose": 'the answer holds no JSON object with "tasks"; answer with the JSON object only',
            "empty": 'the answer holds no JSON object with "tasks"; answer with the JSON object only',
            "other object": 'the answer holds no JSON object with "tasks"; answer with the JSON object only',
            "cut off": """\
the answer's JSON cannot be read: Unterminated string starting at at line 1, column 55,
    near 'y": "s", "tasks": [{"id": "a", "title": "Do'\
""",
            "comma": """\
the answer's JSON cannot be read: Expecting property name enclosed in double quotes at
    line 1, column 53, near '"s", "tasks": [{"id": "a", "title": "A",}]}'\
""",
            "fields": """\
2 problems
  - task a: files: is not a field (allowed: id, title, kind, instructions, criteria,
    commands, paths, reads, depends_on, engine, size, timeout)
  - task a: path: is not a field; did you mean 'paths'? (allowed: id, title, kind,
    instructions, criteria, commands, paths, reads, depends_on, engine, size, timeout)\
""",
            "no tasks": "tasks: has no entry; at least 1 needed",
            "wrong type": """\
3 problems
  - task number 1: id: must be text, not a number (1)
  - task number 1: title: must be text, not nothing
  - task number 1: depends_on: must be a list, not text\
""",
        }
    )


def test_the_example_of_the_prompt_is_no_answer() -> None:
    assert "repeats the" in refused(planning_prompt("do it", RepositoryFacts("main")))


@given(st.text("{}[]\"',:tasks \n", max_size=60))
def test_any_answer_is_a_plan_or_a_plan_error(answer: str) -> None:
    with pytest.raises(PlanError):
        parse_answer(answer)


def test_a_hostile_answer_is_refused_in_bounded_work() -> None:
    assert refused("{" * 1_000_000)
    assert refused('{"a":' * 100_000)
    assert refused("x" * 3_000_000)
