"""`brat status`: what is open, what it waits for, and the same again from the log alone."""

from __future__ import annotations

import json
import shutil
import signal
from contextlib import closing
from pathlib import Path

from inline_snapshot import snapshot

from tests.cli.desk import Desk
from tests.cli.scene import blocked, clone, held, opened, proposed, published, shop, words


def test_an_empty_repository_says_how_to_begin(desk: Desk) -> None:
    assert words(desk.brat("status"), desk) == snapshot("""\
No convoy yet.
-> brat mayor start --task "what shall be done"\
""")
    assert not (desk.repo / ".git/brat/identity.json").exists()


def test_each_waiting_task_says_why_and_which_command_helps(desk: Desk) -> None:
    opened(desk)
    blocked(desk, 1)
    held(desk, 3)
    assert words(desk.brat("status"), desk) == snapshot("""\
say-who: 0 of 3 merged, SPAN
  Say who you are
  lands on convoy/say-who/main, then on main (rebase); plan approved by Ada
  #  task    state    engine  tries  time
  1  First   blocked  shell       -
      needs a maintainer: 3 of 3 attempts failed, the last: silent (1 task waits
      for it)
      -> brat task retry t-ID
  2  Second  queued   shell       -
      waits for task 1, which is blocked
  3  Third   held     shell       -
      needs a person who may decide on it: touches protected paths:
      .github/ci.yml
      -> brat task release t-ID --head COMMIT\
""")


def test_work_that_nobody_drives_is_said_once(desk: Desk) -> None:
    opened(desk)
    assert words(desk.brat("status"), desk) == snapshot("""\
say-who: 0 of 3 merged, SPAN
  Say who you are
  lands on convoy/say-who/main, then on main (rebase); plan approved by Ada
  #  task    state   engine  tries  time
  1  First   queued  shell       -
  2  Second  queued  shell       -
      waits for task 1, which is queued
  3  Third   queued  shell       -

No brat process runs here.
-> brat mayor resume\
""")


def test_a_landed_convoy_is_one_line(desk: Desk) -> None:
    assert desk.brat("mayor", "start", "--headless", "--task", "- [ ] Only one").code == 0
    assert words(desk.brat("status"), desk) == snapshot("""\
Closed:
  only-one: landed, 1 of 1 merged, WHEN\
""")


def test_a_plan_that_waits_for_approval_is_said_for_the_convoy(desk: Desk) -> None:
    desk.brat("mayor", "start", "--task", "- [ ] Only one")
    document = json.loads(desk.brat("status", "--json").out)
    assert document["convoys"][0]["waiting"] == snapshot(
        {
            "reason": "the plan of 1 task waits for approval",
            "who": "a maintainer",
            "command": "brat convoy approve only-one",
            "until": None,
        }
    )


def test_a_pause_is_the_reason_of_the_convoy_and_of_work_that_would_land(desk: Desk) -> None:
    opened(desk)
    published(desk, 1)
    assert desk.brat("convoy", "pause").code == 0
    (convoy,) = json.loads(desk.brat("status", "--json").out)["convoys"]
    commands = [each["waiting"]["command"] for each in (convoy, *convoy["tasks"])]
    assert commands == ["brat convoy resume say-who"] * 4


def test_json_keeps_the_rust_tools_keys(desk: Desk) -> None:
    opened(desk)
    document = json.loads(desk.brat("status", "--json").out)
    assert list(document) == snapshot(
        [
            "schema_version",
            "generated_ts",
            "repo_root",
            "convoys",
            "tasks",
            "sessions",
            "merge_queue",
            "locks",
            "interventions",
            "proposals",
            "attended",
            "log",
        ]
    )
    assert list(document["convoys"][0])[:4] == ["convoy_id", "title", "status", "task_counts"]
    assert list(document["tasks"]) == ["total", "by_status"]
    assert list(document["merge_queue"]) == ["queued", "running", "failed", "succeeded"]
    assert list(document["convoys"][0]["tasks"][0]) == snapshot(
        [
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
        ]
    )
    assert document["convoys"][0]["tasks"][1]["waiting"] == snapshot(
        {"reason": "waits for task 1, which is queued", "who": "the Witness", "command": None, "until": None}
    )


def test_the_same_status_comes_from_the_log_alone(desk: Desk) -> None:
    assert desk.brat("mayor", "start", "--headless", "--task", "- [ ] One\n- [ ] Two").code == 0
    opened(desk, "- [ ] Three\n- [ ] Four")
    before = json.loads(desk.brat("status", "--json").out)
    state = desk.repo / ".git/brat"
    for each in state.iterdir():
        if each.name not in ("identity.json", "pins.json"):
            shutil.rmtree(each) if each.is_dir() else each.unlink()
    after = json.loads(desk.brat("status", "--json").out)
    assert {**after, "generated_ts": 0} == {**before, "generated_ts": 0}
    assert not (state / "mirror.git").exists(), "a look needs no mirror"


def test_a_clone_without_the_pin_shows_the_state_and_names_the_signer(desk: Desk, tmp_path: Path) -> None:
    opened(desk)
    other = clone(desk, tmp_path / "clone")
    assert words(other.brat("status"), desk).splitlines()[-6:] == snapshot(
        [
            "",
            "Decisions here are signed by SHORT: not pinned, so they are shown and nothing",
            "acts on them.",
            "-> brat log --pin SHORT",
            "No brat process runs here.",
            "-> brat mayor resume",
        ]
    )
    assert not (other.repo / ".git/brat/identity.json").exists()
    assert not (other.repo / ".git/brat/pins.json").exists()


def test_nobody_is_called_for_where_only_a_person_helps(desk: Desk) -> None:
    """`brat mayor resume` does nothing for a convoy that is paused or waits for approval."""
    assert desk.brat("mayor", "start", "--task", "- [ ] one").code == 0
    assert "No brat process" not in desk.brat("status").out
    assert desk.brat("convoy", "approve").code == 0
    assert "No brat process" in desk.brat("status").out
    assert desk.brat("convoy", "pause").code == 0
    assert "No brat process" not in desk.brat("status").out


def test_a_strangers_task_is_shown_as_a_proposal(desk: Desk, tmp_path: Path) -> None:
    proposed(desk, tmp_path, "Fix the \x1b[31mred\x1b[0m light")
    assert words(desk.brat("status"), desk) == snapshot("""\
Proposed by others (`brat task approve ID` makes a task of it):
  id        title                       when
  SHORT  Fix the  [31mred [0m light  WHEN\
""")


def test_blocked_and_held_work_become_interventions(desk: Desk) -> None:
    desk.commit(
        {".brat/config.toml": '[engine.default]\ntype = "shell"\n[interventions]\nblocked_task = "1ms"\n'}
    )
    opened(desk)
    blocked(desk, 1)
    held(desk, 3)
    found = json.loads(desk.brat("status", "--json").out)["interventions"]
    assert [(each["kind"], each["subject"], each["reason"]) for each in found] == snapshot(
        [
            ("blocked-task", "say-who/1", "3 of 3 attempts failed, the last: silent (1 task waits for it)"),
            ("held-task", "say-who/3", "touches protected paths: .github/ci.yml"),
        ]
    )


def test_watch_shows_the_change_and_ends_by_ctrl_c(desk: Desk) -> None:
    opened(desk)
    with desk.process("--json", "status", "--watch") as watching:
        assert watching.stdout is not None
        assert json.loads(watching.stdout.readline())["convoys"][0]["status"] == "active"
        assert desk.brat("convoy", "pause").code == 0
        assert json.loads(watching.stdout.readline())["convoys"][0]["status"] == "paused"
        watching.send_signal(signal.SIGINT)
        assert watching.wait() == 0


def test_a_process_that_drives_the_repository_is_seen(desk: Desk) -> None:
    opened(desk)
    workshop = shop(desk)
    with closing(workshop):
        workshop.reconciler(operator=workshop.operator(("shell",)))
        assert json.loads(desk.brat("status", "--json").out)["attended"]
    assert not json.loads(desk.brat("status", "--json").out)["attended"]
