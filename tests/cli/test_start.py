"""`brat mayor start` and `resume`: from a request to landed work, and what they say."""

from __future__ import annotations

import json
import re
import signal

from inline_snapshot import snapshot

from tests.cli.desk import Desk, told

THREE = "Say who you are\n\n- [ ] First\n- [ ] Second\n  after: 1\n- [ ] Third\n"


def test_three_tasks_are_planned_run_and_landed(desk: Desk) -> None:
    answer = desk.brat("mayor", "start", "--headless", "--task", THREE)
    assert answer.code == 0
    assert {file.name for file in desk.repo.glob("task-*.txt")} == {"task-1.txt", "task-2.txt", "task-3.txt"}
    assert desk.git("status", "--porcelain") == ""
    before, _, rest = told(answer.out).partition("\nTIME")
    assert before == snapshot("""\
Results stay in this repository (no --remote and no [log] remote).
Isolation: bwrap.

#  task    engine  after  verified by
1  First   shell   -      test -f README.md
2  Second  shell   1      test -f README.md
3  Third   shell   -      test -f README.md

● task-1  First
└─ ● task-2  Second
○ task-3  Third

● longest chain (2): task-1 → task-2
3 tasks, at most 2 at the same time

Notes:
- task-1, task-2, task-3: no write globs, so any file may be written; conflicts
  are resolved at landing
- task-1, task-2, task-3: no acceptance commands, so the repository's own checks
  decide: test -f README.md

Convoy say-who (c-ID) from main; it lands on convoy/say-who/main, then on main.\
""")
    assert rest[rest.index("\n\n") :] == snapshot("""\


say-who landed: 3 of 3 tasks merged, SPAN, 3 sessions
   1  merged  COMMIT  First
   2  merged  COMMIT  Second
   3  merged  COMMIT  Third
Checked before landing: readme
main is at COMMIT (landed on convoy/say-who/main, then taken over)\
""")


def test_progress_without_a_terminal_is_one_line_per_change_of_state(desk: Desk) -> None:
    answer = desk.brat("mayor", "start", "--headless", "--task", "- [ ] Only one")
    lines = [line for line in answer.out.splitlines() if re.match(r"\d\d:\d\d  ", line)]
    states = [line.split()[2] for line in lines]
    assert states[0] == "running"
    assert states[-1] == "merged"
    assert len(states) == len(set(states))


def test_json_is_one_document_with_stable_keys(desk: Desk) -> None:
    answer = desk.brat("mayor", "start", "--headless", "--json", "--task", "- [ ] Only one")
    document = json.loads(answer.out)
    assert answer.code == document["exit_code"] == 0
    assert list(document) == snapshot(
        ["schema_version", "end", "exit_code", "convoys", "waiting", "remote", "unsent"]
    )
    assert list(document["convoys"][0]) == snapshot(
        [
            "convoy_id",
            "slug",
            "title",
            "status",
            "reason",
            "base",
            "target",
            "target_head",
            "taken_over",
            "duration_ms",
            "cost_usd",
            "tasks",
        ]
    )
    assert list(document["convoys"][0]["tasks"][0]) == snapshot(
        ["number", "task_id", "title", "status", "attempts", "merge_commit", "checked"]
    )


def test_without_a_terminal_the_plan_is_recorded_and_nothing_runs(desk: Desk) -> None:
    answer = desk.brat("mayor", "start", "--task", "- [ ] Only one")
    assert answer.code == 0
    assert told(answer.out).splitlines()[-4:] == snapshot(
        [
            "Convoy only-one (c-ID) from main; it lands on convoy/only-one/main, then on main.",
            "Recorded; nothing runs yet. Next:",
            "  brat convoy approve only-one",
            "  brat mayor resume only-one",
        ]
    )
    assert not (desk.repo / ".git/brat/sessions").exists()


def test_what_was_recorded_runs_after_approval(desk: Desk) -> None:
    desk.brat("mayor", "start", "--task", "- [ ] Only one")
    waiting = desk.brat("mayor", "resume", "--headless")
    assert waiting.code == 3
    assert "brat convoy approve only-one" in waiting.out
    assert desk.brat("convoy", "approve", "only-one").code == 0
    assert desk.brat("mayor", "resume", "--headless").code == 0
    assert (desk.repo / "task-1.txt").exists()


def test_required_approval_ends_a_headless_start_with_3_and_the_command(desk: Desk) -> None:
    answer = desk.brat("mayor", "start", "--headless", "--require-approval", "--task", "- [ ] Only one")
    assert answer.code == 3
    assert told(answer.out[answer.out.index("\n\n", answer.out.index("Convoy")) :]) == snapshot("""\


only-one is open: 0 of 1 tasks merged, SPAN, 0 sessions
   1  queued  -             Only one

Waits for a person:
  convoy only-one: the plan of 1 task waits for approval
    a maintainer: brat convoy approve only-one
  Afterwards `brat mayor resume` carries on.\
""")


def test_a_task_that_always_fails_blocks_and_says_what_helps(desk: Desk) -> None:
    desk.agent("#!/bin/sh\necho cannot do it\nexit 1\n")
    desk.commit({".brat/config.toml": '[engine.default]\ntype = "shell"\n[swarm]\nattempts = 2\n'})
    answer = desk.brat("mayor", "start", "--headless", "--task", "- [ ] Only one")
    assert answer.code == 3
    assert told(answer.out[answer.out.index("\n\n", answer.out.index("Convoy")) :]) == snapshot("""\


only-one is open: 0 of 1 tasks merged, SPAN, 2 sessions
   1  blocked  -             Only one

Waits for a person:
  task 1: 2 of 2 attempts failed, the last: engine-error: cannot do it
    a maintainer: brat task retry t-ID
  Afterwards `brat mayor resume` carries on.\
""")


def test_a_dirty_tree_is_not_touched_at_the_takeover_and_the_command_is_said(desk: Desk) -> None:
    (desk.repo / "README.md").write_text("mine\n")
    answer = desk.brat("mayor", "start", "--headless", "--task", "- [ ] Only one")
    assert answer.code == 3
    assert (desk.repo / "README.md").read_text() == "mine\n"
    waits = answer.out[answer.out.index("Waits for a person:") :]
    assert told(waits) == snapshot("""\
Waits for a person:
  convoy only-one: main is checked out and not clean: changed: README.md
    whoever works in the checkout: commit or stash, then `brat mayor resume` (or git merge
\\ --ff-only convoy/only-one/main)
  Afterwards `brat mayor resume` carries on.\
""")
    desk.git("checkout", "--", "README.md")
    assert desk.brat("mayor", "resume", "--headless").code == 0
    assert (desk.repo / "task-1.txt").exists()


def test_a_base_that_is_not_checked_out_is_moved_directly(desk: Desk) -> None:
    desk.git("checkout", "--quiet", "-b", "elsewhere")
    answer = desk.brat("mayor", "start", "--headless", "--base", "main", "--task", "- [ ] Only one")
    assert answer.code == 0
    assert "Landed on main" in answer.out
    assert desk.git("show", "main:task-1.txt") == "convoy/only-one/task-1"
    assert not (desk.repo / "task-1.txt").exists()


def test_an_edited_plan_runs_as_it_is(desk: Desk) -> None:
    plan = desk.brat("mayor", "plan", "--yaml", "--task", "- [ ] Only one").out
    file = desk.home / "plan.yaml"
    file.write_text(plan.replace("Only one", "Another title"))
    answer = desk.brat("mayor", "start", "--headless", "--plan", str(file), "--slug", "edited")
    assert answer.code == 0
    assert desk.git("log", "-1", "--format=%s", "convoy/edited/main")


def test_a_workflow_is_filled_in_and_run(desk: Desk) -> None:
    steps = "name: hi\nversion: 1\ntype: workflow\ninputs: {who: {required: true}}\n"
    steps += 'steps: [{id: one, title: "Greet {{who}}", body: go}]\n'
    desk.commit({".brat/workflows/hi.yaml": steps})
    answer = desk.brat("mayor", "start", "--headless", "--workflow", "hi", "--input", "who=Ada")
    assert answer.code == 0
    assert "Greet Ada" in answer.out


def test_ctrl_c_ends_sessions_cleanly_and_resume_carries_on(desk: Desk) -> None:
    gate = desk.repo.parent / "gate"
    gate.mkdir()
    slow = f"#!/bin/sh\necho begun\n[ -e {gate}/open ] || sleep 600\n" + AGENT_BODY
    desk.agent(slow, f'[sandbox]\nread_only = ["{desk.home}/agent.sh", "{gate}"]\n')
    with desk.process("mayor", "start", "--headless", "--task", "- [ ] Only one") as run:
        assert run.stdout is not None
        for line in run.stdout:
            if "begun" in line or "running" in line:
                break
        run.send_signal(signal.SIGINT)
        rest = run.stdout.read()
        assert run.wait() == 130
    assert "Stopped; `brat mayor resume` carries on." in rest
    (gate / "open").touch()
    assert desk.brat("mayor", "resume", "--headless").code == 0
    assert (desk.repo / "task-1.txt").exists()


AGENT_BODY = 'echo "${BRAT_BRANCH##*/}" > "${BRAT_BRANCH##*/}.txt"\n'


def test_resume_says_so_when_nothing_is_open(desk: Desk) -> None:
    answer = desk.brat("mayor", "resume")
    assert (answer.code, answer.out) == (0, "No convoy is open here.\n")


def test_a_landing_reaches_the_remote_with_its_log(desk: Desk) -> None:
    remote = desk.home / "remote.git"
    desk.git("init", "--quiet", "--bare", str(remote))
    desk.git("remote", "add", "origin", str(remote))
    answer = desk.brat("mayor", "start", "--headless", "--remote", "origin", "--task", "- [ ] Only one")
    assert answer.code == 0
    assert answer.out.endswith("Pushed to origin: base, branches and log.\n")
    there = desk.git("ls-remote", "origin").split()
    for ref in ("refs/heads/main", "refs/grite/wal"):
        assert desk.git("rev-parse", ref) in there


def test_an_unreachable_remote_loses_nothing_and_ends_with_3(desk: Desk) -> None:
    desk.git("remote", "add", "origin", str(desk.home / "gone.git"))
    answer = desk.brat("mayor", "start", "--headless", "--remote", "origin", "--task", "- [ ] Only one")
    assert answer.code == 3
    assert (desk.repo / "task-1.txt").exists()
    assert "Nothing is lost; it is all here." in answer.out
    desk.git("init", "--quiet", "--bare", str(desk.home / "gone.git"))
    assert desk.brat("mayor", "resume", "--remote", "origin").code == 0
    assert desk.git("rev-parse", "main") in desk.git("ls-remote", "origin", "refs/heads/main")
