"""Plans as text: what goes in comes out, and what is wrong is named."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from inline_snapshot import snapshot

from app.errors import PlanError
from app.mayor import (
    plan_from_json,
    plan_from_yaml,
    plan_hash,
    plan_json_schema,
    plan_to_dict,
    plan_to_json,
    plan_to_yaml,
)
from app.ports import Plan, PlannedTask
from tests.mayor.conftest import folded, plans

ONE = Plan("Sum", (PlannedTask("a", "Do it", timeout_ms=90_000),))


@settings(deadline=None)
@given(plans())
def test_a_plan_survives_json_and_yaml(plan: Plan) -> None:
    assert plan_from_json(plan_to_json(plan)) == plan
    assert plan_from_yaml(plan_to_yaml(plan)) == plan


@given(plans(), plans())
def test_two_plans_have_one_hash_exactly_when_they_are_equal(one: Plan, other: Plan) -> None:
    assert (plan_hash(one) == plan_hash(other)) == (one == other)


def test_the_hash_is_part_of_the_format() -> None:
    assert plan_hash(ONE) == snapshot("b14d4af7d4f3def1016a639edc763022283aa90bc1399899d41867dc856a8556")
    assert plan_hash(ONE) != plan_hash(replace(ONE, notes=("seen",)))


def test_the_data_has_every_key_in_the_order_of_the_schema() -> None:
    schema, data = plan_json_schema(), plan_to_dict(ONE)
    assert list(data) == list(schema["properties"])
    assert list(data["tasks"][0]) == list(schema["$defs"]["TaskModel"]["properties"])
    assert data["tasks"][0]["timeout"] == "90s"


def test_every_field_says_what_it_means() -> None:
    schema = plan_json_schema()
    fields = {**schema["properties"], **schema["$defs"]["TaskModel"]["properties"]}
    assert [name for name, field in fields.items() if len(field["description"]) < 10] == []


BROKEN = """\
sumary: hi
tasks:
  - id: A B
    title: "two\\nlines"
    pats: 1
    size: XL
    timeout: 20d
    engine: 3
    instructions: [x]
    paths: a
  - title: "x"
    id: long
    commands: [""]
  - 3
base_commit: abc
"""


def test_all_problems_come_at_once_with_line_task_and_field() -> None:
    with pytest.raises(PlanError) as error:
        plan_from_yaml(BROKEN, place="plan.yaml")
    assert folded(str(error.value)) == snapshot("""\
13 problems
  - plan.yaml:1: summary: is missing
  - plan.yaml:15: base_commit: is 'abc'; allowed: a full commit id, 40 or 64 hex digits
  - plan.yaml:3: task A B: id: is 'A B'; allowed: a-z, 0-9 and -, 1 to 40 characters
  - plan.yaml:4: task A B: title: must be one line without space at its ends
  - plan.yaml:9: task A B: instructions: must be text, not a list
  - plan.yaml:10: task A B: paths: must be a list, not text
  - plan.yaml:8: task A B: engine: must be text, not a number (3)
  - plan.yaml:6: task A B: size: is 'XL'; allowed: 'S', 'M' or 'L'
  - plan.yaml:7: task A B: timeout: is '20d'; allowed: a duration from 1s to 24h, like
    30s, 20m or 2h
  - plan.yaml:5: task A B: pats: is not a field; did you mean 'paths'? (allowed: id,
    title, kind, instructions, criteria, commands, paths, reads, depends_on, engine, size,
    timeout)
  - plan.yaml:13: task long: commands[0]: is empty
  - plan.yaml:14: task number 3: must be a mapping of fields, not a number (3)
  - plan.yaml:1: sumary: is not a field; did you mean 'summary'? (allowed: schema_version,
    summary, assumptions, open_questions, base_commit, tasks, notes)\
""")


def test_sizes_are_bounded() -> None:
    task = PlannedTask("a", "x" * 121, instructions="é" * 8193, commands=("x",) * 21, timeout_ms=999)
    with pytest.raises(PlanError) as error:
        plan_from_json(plan_to_json(Plan("s" * 4001, (task,), notes=("a\nb",))))
    assert list(error.value.problems) == snapshot(
        [
            "summary: has 4001 characters; at most 4000 allowed",
            "task a: title: has 121 characters; at most 120 allowed",
            "task a: instructions: has 16386 bytes; at most 16384 allowed",
            "task a: commands: has 21 entries; at most 20 allowed",
            "task a: timeout: is '999ms'; allowed: a duration from 1s to 24h, like 30s, 20m or 2h",
            "notes[0]: must be one line without space at its ends",
        ]
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        '{"a": 1, "a": 2}',
        "[" * 100_000,
        '{"a": ' + "1" * 5000 + "}",
        '{"summary": "\\ud800", "tasks": []}',
    ],
)
def test_json_that_is_no_plan_is_refused(text: str) -> None:
    with pytest.raises(PlanError):
        plan_from_json(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "- a", "a: [", "a: 1\na: 2", "a: &x 1\nb: *x", "? [a]\n: b", "a: !!python/object:os.system {}",
        "--- a\n--- b", "[" * 20_000, "summary: \x00", "x" * 600_000, "<<: {a: 1}", "2020-01-01: 2020-01-01",
    ],
)  # fmt: skip
def test_yaml_that_is_no_plan_is_refused(text: str) -> None:
    with pytest.raises(PlanError):
        plan_from_yaml(text)


def test_the_whole_answer_of_plan_json_is_taken_too() -> None:
    plan = Plan("Use JWT", (PlannedTask("a", "Add tokens"),))
    answer = json.dumps(
        {"schema_version": 1, "planner": "checklist", "plan": plan_to_dict(plan), "graph": ""}
    )
    assert plan_from_json(answer) == plan_from_yaml(answer) == plan


def test_a_doubled_key_in_json_is_named() -> None:
    with pytest.raises(PlanError, match="'a' twice"):
        plan_from_json(json.dumps({"a": 1})[:-1] + ', "a": 2}')
