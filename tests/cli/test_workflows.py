"""`brat workflow`: templates listed, shown and run."""

from __future__ import annotations

import json

from inline_snapshot import snapshot

from tests.cli.desk import Desk
from tests.cli.scene import board, words

GREET = """\
name: Greet
description: Say hello in a language, and test it.
inputs:
  language: {description: which one, required: true}
  tone: {default: warm}
steps:
  - {id: say, title: "Say hello in {{language}}", body: "Be {{tone}}."}
  - {id: test, title: Test it, needs: [say]}
"""


def said(desk: Desk, *args: str) -> str:
    answer = desk.brat(*args)
    return f"{words(answer, desk)}\n[{answer.code}]"


def test_no_template_is_said_with_the_way_to_one(desk: Desk) -> None:
    assert said(desk, "workflow", "list") == snapshot("""\
No template yet: write one as .brat/workflows/NAME.yaml.
[0]\
""")
    assert said(desk, "workflow", "show", "greet") == snapshot("""\
brat: .brat/workflows: there is no workflow 'greet'
  → write .brat/workflows/greet.yaml
[2]\
""")


def test_templates_are_listed_also_one_that_cannot_be_used(desk: Desk) -> None:
    desk.commit({".brat/workflows/greet.yaml": GREET, ".brat/workflows/odd.yaml": "name: Odd\n"})
    assert said(desk, "workflow", "list") == snapshot("""\
workflow  steps  inputs           what
greet         2  language*, tone  Say hello in a language, and test it.
odd           -  -                cannot be used: .brat/workflows/odd.yaml:1:...
* must be given: brat workflow run NAME --input name=value
[0]\
""")
    assert [
        each["name"] for each in json.loads(desk.brat("workflow", "list", "--json").out)["workflows"]
    ] == [
        "greet",
        "odd",
    ]


def test_a_template_is_shown_with_the_command_that_runs_it(desk: Desk) -> None:
    desk.commit({".brat/workflows/greet.yaml": GREET})
    assert said(desk, "workflow", "show", "greet") == snapshot("""\
Greet (workflow, .brat/workflows/greet.yaml)
  Say hello in a language, and test it.
inputs
  language (required): which one
  tone (optional, else 'warm')
steps
  1  say: Say hello in {{language}}
  2  test: Test it
-> brat workflow run greet --input language=…
[0]\
""")
    assert said(desk, "workflow", "show", "greeet") == snapshot("""\
brat: .brat/workflows: there is no workflow 'greeet'; did you mean greet?
  → one of: greet
[2]\
""")


def test_a_template_runs_with_its_inputs(desk: Desk) -> None:
    desk.commit({".brat/workflows/greet.yaml": GREET})
    assert said(desk, "workflow", "run", "greet", "--headless") == snapshot("""\
brat: .brat/workflows/greet.yaml: the input 'language' is required (which one)
  → give inputs as `--input name=value`
[2]\
""")
    assert desk.brat("workflow", "run", "greet", "--input", "language=Esperanto", "--headless").code == 0
    convoy = board(desk).convoys[0]
    assert convoy.tasks[0].title == "Say hello in Esperanto"
    assert convoy.status == "complete"
