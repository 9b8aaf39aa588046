"""`brat mayor plan` and `brat mayor status`."""

from __future__ import annotations

import json

from inline_snapshot import snapshot

from tests.cli.desk import Desk, told

LIST = "- [ ] Add the limiter\n  paths: src/**\n- [ ] Test it\n  paths: src/a.py\n  kind: tests\n"

PLANNER = """\
#!/bin/sh
cat > /dev/null
echo '{"summary": "s", "tasks": [{"id": "a", "title": "Written by the planner", "instructions": "go"}]}'
"""


def test_a_plan_is_printed_with_table_graph_and_notes_and_recorded_nowhere(desk: Desk) -> None:
    answer = desk.brat("mayor", "plan", "--task", LIST)
    assert answer.code == 0
    assert told(answer.out) == snapshot("""\
#  task             engine  after  verified by
1  Add the limiter  shell   -      test -f README.md
2  Test it          shell   1      test -f README.md

● task-1  Add the limiter
└─ ● task-2  Test it

● longest chain (2): task-1 → task-2
2 tasks, at most 1 at the same time

Notes:
- task-2 waits for task-1: both may write the same files (src/** and src/a.py
  overlap)
- task-1, task-2: no acceptance commands, so the repository's own checks decide:
  test -f README.md
- task-2: there is no [engine.tests], so [engine.default] does it\
""")
    assert desk.git("for-each-ref", "refs/grite") == ""


def test_json_holds_the_plan_and_its_graph(desk: Desk) -> None:
    document = json.loads(desk.brat("mayor", "plan", "--json", "--task", LIST).out)
    assert list(document) == ["schema_version", "planner", "plan", "graph"]
    assert document["plan"]["tasks"][1]["depends_on"] == ["task-1"]


def test_a_request_in_prose_is_planned_by_an_engine_and_still_recorded_nowhere(desk: Desk) -> None:
    desk.agent(PLANNER)
    answer = desk.brat("mayor", "plan", "--task", "Make it better")
    assert answer.code == 0, answer.err
    assert "Written by the planner" in answer.out
    assert desk.git("for-each-ref", "refs/grite") == ""


def test_a_planner_that_never_answers_well_is_told_with_its_last_errors(desk: Desk) -> None:
    desk.agent('#!/bin/sh\ncat > /dev/null\necho \'{"summary": "s"}\'\n')
    answer = desk.brat("mayor", "plan", "--task", "Make it better")
    assert answer.code == 2
    assert told(answer.err) == snapshot(
        """\
brat: the planner's answer: the answer holds no JSON object with "tasks"; answer with the
\\ JSON object only\
"""
    )


def test_a_headless_start_shows_the_engines_plan_when_it_is_there(desk: Desk) -> None:
    desk.agent(
        '#!/bin/sh\nif [ "$BRAT_ROLE" = mayor ]; then\n'
        + PLANNER.partition("\n")[2]
        + 'else echo x > "${BRAT_BRANCH##*/}.txt"; fi\n'
    )
    answer = desk.brat("mayor", "start", "--headless", "--task", "Make it better")
    assert answer.code == 0, answer.out
    assert "Written by the planner  shell" in answer.out


def test_status_says_who_is_waited_for(desk: Desk) -> None:
    assert desk.brat("mayor", "status").code == 0
    desk.brat("mayor", "start", "--task", "- [ ] Only one")
    answer = desk.brat("mayor", "status")
    assert (answer.code, told(answer.out)) == snapshot(
        (
            3,
            """\
only-one: Only one (opened just now)
  the plan of 1 task waits for approval
  a maintainer: brat convoy approve only-one\
""",
        )
    )
    document = json.loads(desk.brat("mayor", "status", "--json").out)
    assert document["convoys"][0]["waiting"]["command"] == "brat convoy approve only-one"
