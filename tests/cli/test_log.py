"""`brat log`: the story that git tells of refs/grite/wal, in words; and whose decisions count."""

from __future__ import annotations

import json
import signal
from pathlib import Path

from inline_snapshot import snapshot

from app.cli.pinning import fingerprint
from app.grite import announced_keys
from tests.cli.desk import Desk
from tests.cli.scene import board, clone, opened, proposed, shop, words


def said(desk: Desk, *args: str) -> str:
    answer = desk.brat(*args)
    return f"{words(answer, desk)}\n[{answer.code}]"


def test_an_empty_log_says_so(desk: Desk) -> None:
    assert said(desk, "log") == snapshot("""\
The log is empty: nothing has happened here yet.
[0]\
""")


def test_a_run_is_told_from_request_to_landing(desk: Desk) -> None:
    assert desk.brat("mayor", "start", "--headless", "--task", "- [ ] Only one").code == 0
    assert words(desk.brat("log"), desk) == snapshot("""\
DAY
AT  SHORT  only-one    opened by Ada: Only one
AT  SHORT  only-one    plan COMMIT recorded: 1 task
AT  SHORT  only-one/1  task: Only one
AT  SHORT  only-one    plan COMMIT approved by policy
AT  SHORT  only-one/1  work session s-ID started: attempt 1 by shell
AT  SHORT  only-one/1  work session s-ID ended: done
AT  SHORT  only-one/1  work published on convoy/only-one/task-1 at COMMIT
AT  SHORT  only-one/1  landing 1 began: rebase as COMMIT
AT  SHORT  only-one/1  check session s-ID started: attempt 1
AT  SHORT  only-one/1  check session s-ID ended: done
AT  SHORT  only-one/1  landed as COMMIT (rebase, checked: readme)
AT  SHORT  only-one    main moved from COMMIT to COMMIT
AT  SHORT  only-one    complete at COMMIT\
""")


def test_the_log_tells_the_story_of_the_git_ref(desk: Desk) -> None:
    assert desk.brat("mayor", "start", "--headless", "--task", "- [ ] Only one").code == 0
    raw = json.loads(desk.brat("log", "--raw", "--json").out)
    assert raw["head"] == desk.git("rev-parse", "refs/grite/wal")
    commits = desk.git("log", "--format=%H", "refs/grite/wal").splitlines()
    actors = {json.loads(desk.git("show", f"{each}:meta.json"))["actor_id"] for each in commits}
    assert {each["actor"] for each in raw["events"]} == actors
    assert all(each["counted"] for each in raw["events"])
    told = json.loads(desk.brat("log", "--json").out)["events"]
    comments = [each["event"] for each in raw["events"] if each["kind"] == "CommentAdded"]
    assert [each["event"] for each in told] == comments


def test_one_tasks_story_and_every_raw_event(desk: Desk) -> None:
    opened(desk)
    assert desk.brat("task", "hold", "2", "--reason", "later").code == 0
    assert said(desk, "log", "--task", "2") == snapshot("""\
DAY
AT  SHORT  say-who/2  task: Second
AT  SHORT  say-who/2  held: held by Ada: later
[0]\
""")
    last = desk.brat("log", "--raw", "--task", "2").out.splitlines()[-1]
    fact = '"fact":"HoldPlaced","session":null,"head":null,"reason":"held by Ada: later","by":"Ada"'
    assert last.endswith(f"CommentAdded body=[brat] {{{fact}}} [/brat]")
    assert said(desk, "log", "--task", "9") == snapshot("""\
brat: there is no task '9'
  → brat task list
[2]\
""")


def test_what_does_not_count_is_marked(desk: Desk, tmp_path: Path) -> None:
    opened(desk, "- [ ] Only one")
    proposed(desk, tmp_path, "Fix the light")
    assert said(desk, "log").splitlines()[-3:] == snapshot(
        [
            "AT  SHORT? SHORT    proposed: Fix the light",
            "? does not count here: not signed, or by a key that is not pinned",
            "[0]",
        ]
    )


def test_follow_goes_on_until_ctrl_c(desk: Desk) -> None:
    opened(desk)
    with desk.process("--json", "log", "--follow") as following:
        assert following.stdout is not None
        for line in following.stdout:
            if json.loads(line)["what"] == "PlanApproved":
                break
        assert desk.brat("convoy", "pause").code == 0
        assert json.loads(following.stdout.readline())["text"] == "paused by Ada"
        following.send_signal(signal.SIGINT)
        assert following.wait() == 0


def test_a_key_is_pinned_by_its_fingerprint_and_its_decisions_count(desk: Desk, tmp_path: Path) -> None:
    opened(desk)
    other = clone(desk, tmp_path / "clone")
    (actor,) = announced_keys(shop(desk).log().read().events)
    mark = fingerprint(announced_keys(shop(desk).log().read().events)[actor])
    refused = other.brat("log", "--pin", actor[:8])
    assert refused.code == 2
    assert mark in refused.err
    assert other.brat("log", "--pin", actor[:8], "--fingerprint", "0000 " + mark[5:]).code == 2
    assert not (other.repo / ".git/brat/pins.json").exists()
    assert other.brat("log", "--pin", actor[:8], "--fingerprint", mark).code == 0
    assert shop(other).view()[1]
    assert other.brat("convoy", "pause").code == 0
    assert board(other).convoys[0].status == "paused"


def test_only_an_actor_that_announced_a_key_can_be_pinned(desk: Desk) -> None:
    assert said(desk, "log", "--pin", "abcd1234") == snapshot("""\
brat: no actor 'SHORT' announced a key in this log
  → one of: none yet
[2]\
""")
