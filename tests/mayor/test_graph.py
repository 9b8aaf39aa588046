"""The drawing of a plan."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from inline_snapshot import snapshot

from app.mayor import mermaid, render_graph
from app.mayor.order import shortest_cycle, waits_of
from app.ports import Plan, PlannedTask
from tests.mayor.conftest import plans

JWT = Plan(
    "",
    (
        PlannedTask("task-1", "Add the JWT signing helper"),
        PlannedTask("task-2", "Replace the session middleware", depends_on=("task-1",)),
        PlannedTask("task-3", "Rotate refresh tokens", depends_on=("task-2",)),
        PlannedTask("task-4", "Unit tests", depends_on=("task-3",)),
        PlannedTask("task-5", "Integration tests", depends_on=("task-3", "task-1")),
        PlannedTask("task-6", "API documentation", depends_on=("task-3",), size="S"),
    ),
)


def columns(line: str) -> int:
    return sum(
        2 if unicodedata.east_asian_width(char) in "WF" else not unicodedata.combining(char) for char in line
    )


def test_the_jwt_plan_reads_well() -> None:
    assert render_graph(JWT) == snapshot("""\
● task-1  Add the JWT signing helper
└─ ● task-2  Replace the session middleware
   └─ ● task-3  Rotate refresh tokens
      ├─ ● task-4  Unit tests
      ├─ ○ task-5  Integration tests  (also after task-1)
      └─ ○ task-6  API documentation

● longest chain (4): task-1 → task-2 → task-3 → task-4
6 tasks, at most 3 at the same time
""")


def test_the_jwt_plan_reads_well_in_ascii() -> None:
    assert render_graph(JWT, ascii_only=True) == snapshot("""\
* task-1  Add the JWT signing helper
`- * task-2  Replace the session middleware
   `- * task-3  Rotate refresh tokens
      |- * task-4  Unit tests
      |- o task-5  Integration tests  (also after task-1)
      `- o task-6  API documentation

* longest chain (4): task-1 -> task-2 -> task-3 -> task-4
6 tasks, at most 3 at the same time
""")
    assert render_graph(JWT, ascii_only=True).isascii()


@settings(deadline=None)
@given(plans().filter(lambda plan: not shortest_cycle(waits_of(plan))))
def test_every_task_has_its_line_and_no_line_is_too_wide(plan: Plan) -> None:
    drawn = render_graph(plan).split("\n")
    assert all(columns(line) <= 80 for line in drawn)
    for task in plan.tasks:
        assert sum(f"● {task.id}  " in f"{line}  " or f"○ {task.id}  " in f"{line}  " for line in drawn) == 1


@pytest.mark.parametrize("length", [13, 60])
def test_a_long_chain_stays_in_its_columns(length: int) -> None:
    tasks = tuple(
        PlannedTask(f"t{n}", "Go on", depends_on=(f"t{n - 1}",) if n else ()) for n in range(length)
    )
    drawn = render_graph(Plan("", tasks)).splitlines()
    assert all(f"t{n}  Go on" in drawn[n] and len(drawn[n]) <= 80 for n in range(length))


def test_a_title_cannot_break_the_mermaid_text() -> None:
    tasks = (
        PlannedTask("end", 'a"]; click b <script> `x` & 日本'),
        PlannedTask("b", "B", depends_on=("end",)),
    )
    assert mermaid(Plan("", tasks)) == snapshot("""\
flowchart TD
  t1["end: a#34;#93;#59; click b #60;script#62; #96;x#96; #38; 日本"]
  t2["b: B"]
  t1 --> t2
""")
