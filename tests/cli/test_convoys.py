"""`brat convoy list` and `show`."""

from __future__ import annotations

import json

from inline_snapshot import snapshot

from tests.cli.desk import Desk
from tests.cli.scene import blocked, opened, words


def test_no_convoy_is_said_with_the_way_to_one(desk: Desk) -> None:
    assert words(desk.brat("convoy", "list"), desk) == snapshot(
        'No convoy yet. brat mayor start --task "…" opens one.'
    )


def test_convoys_are_listed_open_ones_first(desk: Desk) -> None:
    opened(desk, "- [ ] Only one")
    assert desk.brat("convoy", "cancel").code == 0
    opened(desk)
    blocked(desk, 1)
    assert words(desk.brat("convoy", "list"), desk) == snapshot("""\
convoy    state   merged  waits  changed   title
say-who   active     0/3  3      WHEN  Say who you are
only-one  failed     0/1  -      WHEN  Only one\
""")


def test_a_convoy_is_shown_with_goal_and_notes(desk: Desk) -> None:
    opened(desk)
    assert words(desk.brat("convoy", "show", "say-who"), desk) == snapshot("""\
say-who: 0 of 3 merged, SPAN
  Say who you are
  lands on convoy/say-who/main, then on main (rebase); plan approved by Ada
  #  task    state   engine  tries  time
  1  First   queued  shell       -
  2  Second  queued  shell       -
      waits for task 1, which is queued
  3  Third   queued  shell       -

id      c-ID (issue COMMIT)
opened  WHEN by Ada, planned by checklist
base    main at COMMIT
plan    COMMIT, approved by Ada
goal
  Say who you are
  - [ ] First
  - [ ] Second
    after: 1
  - [ ] Third
note: task-1, task-2, task-3: no write globs, so any file may be written;
conflicts are resolved at landing
note: task-1, task-2, task-3: no acceptance commands, so the repository's own
checks decide: test -f README.md\
""")


def test_convoy_json_has_stable_keys(desk: Desk) -> None:
    opened(desk)
    shown = json.loads(desk.brat("convoy", "show", "--json").out)
    assert list(shown["convoy"]) == snapshot(
        [
            "convoy_id",
            "title",
            "status",
            "task_counts",
            "slug",
            "issue",
            "base",
            "base_commit",
            "target",
            "strategy",
            "approved_by",
            "opened_ts",
            "updated_ts",
            "cost_usd",
            "reason",
            "waiting",
            "request",
            "pull",
            "tasks",
            "goal",
            "by",
            "planner",
            "plan_hash",
            "summary",
            "notes",
            "assumptions",
            "open_questions",
            "taken_over",
        ]
    )
    assert json.loads(desk.brat("convoy", "list", "--json").out)["convoys"][0]["slug"] == "say-who"
    paused = json.loads(desk.brat("convoy", "pause", "--json").out)
    assert paused["changed"]
    assert list(paused) == snapshot(["schema_version", "convoy", "changed", "said", "next"])
