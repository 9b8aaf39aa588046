"""`brat task`: adding one, taking a stranger's proposal, and looking at them."""

from __future__ import annotations

import json
from pathlib import Path

from inline_snapshot import snapshot

from app.grite import IssueId, fold
from app.ports import Finding, TaskCommented
from tests.cli.desk import Desk
from tests.cli.scene import blocked, board, judge, opened, proposed, shop, words, worked


def said(desk: Desk, *args: str) -> str:
    answer = desk.brat(*args)
    return f"{words(answer, desk)}\n[{answer.code}]"


def test_a_task_is_added_to_the_open_convoy_with_the_edges_that_it_needs(desk: Desk) -> None:
    opened(desk, "- [ ] First\n  paths: src/**\n- [ ] Second\n  paths: docs/**")
    args = ("--paths", "src/auth.py", "--run", "true", "--after", "2", "--instructions", "Mind the key.")
    assert said(desk, "task", "create", "Third", *args) == snapshot("""\
Task 3 of first (t-ID): Third
  note: task-3 waits for task-1: both may write the same files (src/** and src/auth.py
\\ overlap)
-> brat mayor resume
[0]\
""")
    task = board(desk).convoys[0].tasks[2]
    assert (task.number, task.depends_on, task.spec.commands) == (3, (1, 2), ("true",))
    assert task.spec.instructions == "Mind the key."
    edges = fold(shop(desk).log().read().events)[IssueId(task.issue)].dependencies
    assert len(edges) == 2, "others who read the log see the edges too"


def test_a_task_with_no_convoy_open_opens_one_and_runs(desk: Desk) -> None:
    assert said(desk, "task", "create", "Say hello") == snapshot("""\
Task 1 in the new convoy say-hello (t-ID): Say hello
  note: task-1: no acceptance commands, so the repository's own checks decide: test -f
\\ README.md
-> brat mayor resume
[0]\
""")
    assert said(desk, "task", "list") == snapshot("""\
task         title      state   engine  tries  id
say-hello/1  Say hello  queued  shell       -  t-ID
[0]\
""")
    assert desk.brat("mayor", "resume", "--headless").code == 0
    assert (desk.repo / "task-1.txt").exists()
    assert said(desk, "task", "create", "More", "--convoy", "hello") == snapshot("""\
brat: there is no convoy 'hello'; did you mean say-hello?
  → brat convoy list
[2]\
""")


def test_a_task_that_breaks_the_rules_is_refused_with_every_reason(desk: Desk) -> None:
    opened(desk)
    assert said(desk, "task", "create", "X", "--engine", "nope", "--paths", "/etc/x") == snapshot("""\
brat: 2 problems
  - task task-4: engine: there is no engine 'nope' (allowed: claude-code, codex, aider,
\\ shell)
  - task task-4: paths: '/etc/x' is absolute: write it relative to the top of the
\\ repository, like src/**
  → change the options of the command
[2]\
""")
    assert said(desk, "task", "create", "X", "--after", "9") == snapshot("""\
brat: there is no task '9'
  → brat task list
[2]\
""")
    assert len(board(desk).convoys[0].tasks) == 3


def test_a_task_waits_for_a_plan_to_be_added_to(desk: Desk) -> None:
    desk.commit({".brat/config.toml": '[engine.default]\ntype = "shell"\n[mayor]\nplanner = "engine"\n'})
    desk.agent("#!/bin/sh\ncat > /dev/null\nsleep 60\n")
    with desk.process("mayor", "start", "--headless", "--task", "Do it") as running:
        while not shop(desk).view()[0].convoys:
            assert running.poll() is None
        assert said(desk, "task", "create", "X") == snapshot("""\
brat: convoy do-it has no plan yet, so no task can be added
  → brat convoy show do-it
[2]\
""")
        running.terminate()
        running.communicate()


def test_a_proposal_becomes_a_task_in_its_own_issue(desk: Desk, tmp_path: Path) -> None:
    opened(desk)
    issue = proposed(desk, tmp_path, "Fix the light", "It is red.")
    assert said(desk, "task", "approve", "ffffffff") == snapshot("""\
brat: there is no proposal 'ffffffff'
  → proposals: SHORT
[2]\
""")
    assert said(desk, "task", "approve", issue[:8], "--run", "true") == snapshot("""\
Task 4 of say-who (t-ID): Fix the light
  note: task-4: no write globs, so any file may be written; conflicts are resolved at
\\ landing
-> brat mayor resume
[0]\
""")
    task = board(desk).convoys[0].tasks[3]
    assert (task.issue, task.title, task.spec.instructions) == (issue, "Fix the light", "It is red.")
    assert task.status == "queued", "what the stranger labelled it decides nothing"
    assert board(desk).proposals == ()
    seen = fold(shop(desk).log().read().events)[IssueId(issue)]
    assert {"type:task", "status:queued", f"task:{task.id}"} <= set(seen.labels)


def test_a_first_proposal_opens_a_convoy_and_lands(desk: Desk, tmp_path: Path) -> None:
    issue = proposed(desk, tmp_path, "Fix the light")
    assert said(desk, "task", "approve", issue[:6]) == snapshot("""\
Task 1 in the new convoy fix-light (t-ID): Fix the light
  note: task-1: no acceptance commands, so the repository's own checks decide: test -f
\\ README.md
-> brat mayor resume
[0]\
""")
    assert desk.brat("mayor", "resume", "--headless").code == 0
    task = board(desk).convoys[0].tasks[0]
    assert (task.issue, task.status) == (issue, "merged")


def test_a_task_is_shown_with_its_sessions_and_what_it_waits_for(desk: Desk) -> None:
    opened(desk, "- [ ] First\n  run: pytest -q\n  Write it with care.\n- [ ] Second\n  after: 1")
    worked(desk, 1, Finding.ACCEPTANCE, evidence="$ pytest -q  (exit 1)\n1 failed")
    blocked(desk, 1)
    judge(desk, lambda convoy: (TaskCommented(convoy.tasks[0].issue, "Ada", "Look at login.py"),))
    assert said(desk, "task", "show", "1") == snapshot("""\
first/1  First
state   blocked
        needs a maintainer: 3 of 3 attempts failed, the last: silent (1 task
        waits for it)
        -> brat task retry t-ID
id      t-ID (issue COMMIT)
branch  convoy/first/task-1
paths   any
checks  pytest -q
changed WHEN

sessions
  s-ID  work 1 by shell: acceptance-failed, SPAN
      $ pytest -q  (exit 1)
      1 failed

remarks
  Look at login.py

instructions
  Write it with care.
[0]\
""")
    assert said(desk, "task", "show", "2").splitlines()[:3] == snapshot(
        ["first/2  Second", "state   queued", "        waits for task 1, which is blocked"]
    )


def test_task_json_has_stable_keys(desk: Desk) -> None:
    opened(desk)
    worked(desk, 1)
    shown = json.loads(desk.brat("task", "show", "1", "--json").out)["task"]
    listed = json.loads(desk.brat("task", "list", "--json").out)["tasks"]
    assert list(shown) == snapshot(
        [
            "convoy",
            "task_id",
            "number",
            "title",
            "status",
            "engine",
            "branch",
            "depends_on",
            "attempts",
            "merge_commit",
            "waiting",
            "issue",
            "kind",
            "head",
            "held_head",
            "updated_ts",
            "pull",
            "plan_id",
            "parts",
            "instructions",
            "criteria",
            "commands",
            "paths",
            "remarks",
            "touched",
            "sessions",
            "merges",
        ]
    )
    assert list(shown["sessions"][0]) == snapshot(
        [
            "session_id",
            "task_id",
            "role",
            "session_type",
            "engine",
            "state",
            "last_heartbeat_ts",
            "convoy_id",
            "task_number",
            "purpose",
            "attempt",
            "isolation",
            "started_ts",
            "deadline_ts",
            "life",
            "phase",
            "last_line",
            "ended_ts",
            "finding",
            "exit_code",
            "evidence",
            "head",
            "log_ref",
            "input_tokens",
            "output_tokens",
            "usd",
        ]
    )
    assert [each["number"] for each in listed] == [1, 2, 3]
    answer = json.loads(desk.brat("task", "hold", "2", "--json").out)
    assert (answer["changed"], answer["next"]) == (True, ["brat task release say-who/2"])
    assert list(answer) == snapshot(["schema_version", "task", "changed", "said", "next"])
