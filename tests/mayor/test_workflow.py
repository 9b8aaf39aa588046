"""Workflow templates: filled in, or refused with file and line."""

from __future__ import annotations

import pytest
from inline_snapshot import snapshot

from app.errors import PlanError
from app.mayor import InputDescription, describe_workflow, plan_from_workflow
from tests.mayor.conftest import folded

RELEASE = """\
name: release
version: 1
description: Cut a release
type: workflow
inputs:
  version: {description: which one, required: true}
  who: {default: me}
steps:
  - id: write_notes
    title: Notes for {{version}}
    body: |
      For {{ who }}, see {{other}} and ${{ secrets.X }}.
    labels: [docs]
  - id: tag
    title: Tag {{version}}
    needs: [write_notes]
    run: [make tag]
    kind: tests
    paths: [CHANGELOG.md]
    engine: codex
  - id: last
    title: Announce
    after: [tag]
"""

REVIEW = """\
name: review
type: convoy
legs:
  - {id: a, title: Look at A}
  - {id: b, title: Look at B}
synthesis:
  title: Bring together
"""


def refused(text: str, inputs: dict[str, str] | None = None) -> str:
    with pytest.raises(PlanError) as error:
        plan_from_workflow(text, inputs or {}, "w.yaml")
    return folded(str(error.value))


def test_a_workflow_becomes_a_plan_with_its_inputs_filled_in() -> None:
    plan = plan_from_workflow(RELEASE, {"version": "1.0"}, "release.yaml")
    assert [(task.id, task.title, task.depends_on) for task in plan.tasks] == [
        ("write-notes", "Notes for 1.0", ()),
        ("tag", "Tag 1.0", ("write-notes",)),
        ("last", "Announce", ("tag",)),
    ]
    tag = plan.tasks[1]
    assert (tag.kind, tag.commands, tag.paths, tag.engine) == (
        "tests",
        ("make tag",),
        ("CHANGELOG.md",),
        "codex",
    )
    assert plan.summary == "Cut a release"


def test_other_braces_stay_and_are_noted_and_labels_too() -> None:
    plan = plan_from_workflow(RELEASE, {"version": "1"})
    assert plan.tasks[0].instructions == "For me, see {{other}} and ${{ secrets.X }}."
    assert plan.notes == snapshot(
        ("labels are not used: docs", "{{other}} in step write_notes is no input and stays as written")
    )


def test_a_value_is_not_expanded_again_and_cannot_break_the_title() -> None:
    plan = plan_from_workflow(RELEASE, {"version": "{{who}}\nrm -rf"})
    assert plan.tasks[0].title == "Notes for {{who}} rm -rf"


def test_the_synthesis_of_a_convoy_waits_for_all_legs_or_for_those_it_names() -> None:
    assert plan_from_workflow(REVIEW, {}).tasks[2].depends_on == ("a", "b")
    assert plan_from_workflow(REVIEW + "  depends_on: [b]\n", {}).tasks[2].depends_on == ("b",)


def test_a_template_describes_itself() -> None:
    described = describe_workflow(RELEASE)
    assert (described.name, described.type) == ("release", "workflow")
    assert described.inputs == (
        InputDescription("version", "which one", required=True, default=None),
        InputDescription("who", "", required=False, default="me"),
    )
    assert described.steps[0] == ("write_notes", "Notes for {{version}}")
    assert describe_workflow(REVIEW).type == "convoy"


def test_every_refusal_of_a_template_says_where_and_why() -> None:
    circle = "name: c\nsteps:\n- {id: a, title: A, needs: [b]}\n- {id: b, title: B, after: [a]}\n"
    assert {
        "nothing": refused("name: x"),
        "both": refused(REVIEW + "steps: [{id: x, title: X}]\n"),
        "wrong type": refused(REVIEW.replace("convoy", "workflow")),
        "synthesis of steps": refused(REVIEW.replace("legs", "steps").replace("convoy", "workflow")),
        "doubled": refused(REVIEW.replace("id: b", "id: A")),
        "unknown": refused(REVIEW + "  depends_on: [zz]\n"),
        "self": refused(RELEASE.replace("needs: [write_notes]", "needs: [tag]"), {"version": "1"}),
        "circle": refused(circle),
        "missing input": refused(RELEASE),
        "unknown input": refused(RELEASE, {"version": "1", "versoin": "2"}),
        "misspelt slot": refused(RELEASE.replace("Tag {{version}}", "Tag {{verion}}"), {"version": "1"}),
        "unknown field": refused(REVIEW + "  titel: x\n"),
        "version": refused(RELEASE.replace("version: 1", "version: 2")),
        "input field": refused(RELEASE.replace("required", "requird")),
        "not a mapping": refused("- a"),
    } == snapshot(
        {
            "nothing": "w.yaml:1: has no steps and no legs: nothing would be done",
            "both": "w.yaml:3: has both steps and legs: a workflow has steps, a convoy has legs",
            "wrong type": "w.yaml:2: type is workflow, but it has legs",
            "synthesis of steps": "w.yaml:6: has a synthesis, which only a convoy with legs can have",
            "doubled": "w.yaml:5: step A: the id is used twice",
            "unknown": "w.yaml:6: step synthesis: needs 'zz', which is no step (allowed: a, b)",
            "self": "w.yaml:14: step tag: needs itself",
            "circle": "w.yaml:2: steps wait for each other in a circle: a → b → a",
            "missing input": """\
w.yaml: the input 'version' is required (which one)
  → give inputs as `--input name=value`\
""",
            "unknown input": """\
w.yaml: there is no input 'versoin'; did you mean 'version'? (allowed: version, who)
  → give inputs as `--input name=value`\
""",
            "misspelt slot": "w.yaml: step tag: {{verion}} is no input; did you mean {{version}}?",
            "unknown field": """\
w.yaml:8: synthesis: titel: is not a field; did you mean 'title'? (allowed: title, body,
    labels, kind, paths, reads, run, engine, size, timeout, depends_on)\
""",
            "version": "w.yaml:2: version: is '2'; allowed: 1",
            "input field": """\
w.yaml:6: input version: requird: is not a field; did you mean 'required'? (allowed:
    description, required, default)\
""",
            "not a mapping": "w.yaml:1: the template: must be a mapping of fields, not a list",
        }
    )
