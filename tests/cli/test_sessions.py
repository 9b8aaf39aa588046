"""`brat session`: which there were, what they said, how one is ended."""

from __future__ import annotations

import json
import re
import signal
import subprocess

from inline_snapshot import snapshot

from app.ports import Finding, Usage
from tests.cli.desk import Desk
from tests.cli.scene import board, opened, shop, words, worked

SLOW = "#!/bin/sh\ncat > /dev/null\necho begun\necho '\x1b[31mred\x1b[0m'\nsleep 60\n"


def said(desk: Desk, *args: str) -> str:
    answer = desk.brat(*args)
    return f"{words(answer, desk)}\n[{answer.code}]"


def running(desk: Desk) -> subprocess.Popen[str]:
    """A run of one task whose agent has begun to talk."""
    desk.agent(SLOW)
    process = desk.process("mayor", "start", "--headless", "--task", "- [ ] Only one")
    assert process.stdout is not None
    for line in process.stdout:
        if "running" in line:
            break
    following = desk.process("session", "tail", "1", "--follow")
    assert following.stdout is not None
    for line in following.stdout:
        if "red" in line:
            break
    following.send_signal(signal.SIGINT)
    following.communicate()
    return process


def test_sessions_are_listed_and_shown_with_their_end(desk: Desk) -> None:
    opened(desk)
    worked(desk, 1, usage=Usage(100, 20, 0.5), head="a" * 40)
    worked(desk, 3, Finding.SILENT, evidence="silent for 10m")
    assert re.sub(r"-\d+d \d+h|\d+d \d+h", "LONG", said(desk, "session", "list")) == snapshot("""\
session          for        purpose  engine  state   time  last
s-ID  say-who/3  work 1   shell   silent  SPAN  silent for 10m
s-ID  say-who/1  work 1   shell   done  SPAN
[0]\
""")
    assert said(desk, "session", "list", "--task", "2") == snapshot("""\
No session yet.
[0]\
""")
    assert said(desk, "session", "show", "3").splitlines()[3:] == snapshot(
        [
            "ended     silent (exit code 1) after SPAN",
            "evidence  silent for 10m",
            "base      COMMIT",
            "isolation unknown",
            "output    not on this machine",
            "[0]",
        ]
    )
    shown = json.loads(desk.brat("session", "show", "1", "--json").out)["session"]
    assert (shown["finding"], shown["usd"], shown["head"], shown["log_path"]) == ("done", 0.5, "a" * 40, None)


def test_output_that_is_elsewhere_is_said(desk: Desk) -> None:
    opened(desk)
    worked(desk, 1, Finding.SILENT, evidence="silent for 10m")
    assert said(desk, "session", "tail", "1") == snapshot("""\
brat: the output of s-ID is not on this machine; the log keeps: silent for 10m
  → brat session show s-ID
[2]\
""")
    assert said(desk, "session", "stop", "1") == snapshot("""\
brat: session s-ID has ended: silent
  → brat session show s-ID
[2]\
""")
    assert said(desk, "session", "show", "s-20251121-ffff") == snapshot("""\
brat: there is no session 's-ID'; did you mean s-ID?
  → brat session list
[2]\
""")
    assert said(desk, "session", "show", "2") == snapshot("""\
brat: task say-who/2 has had no session yet
  → brat task show say-who/2
[2]\
""")


def test_the_last_lines_of_a_session_cannot_steer_the_terminal(desk: Desk) -> None:
    desk.agent(
        "#!/bin/sh\ncat > /dev/null\nseq 60\nprintf 'a\\033[2Jb\\033]0;title\\007c\\n'\necho x > x.txt\n"
    )
    assert desk.brat("mayor", "start", "--headless", "--task", "- [ ] Only one").code == 0
    session = next(each for each in board(desk).convoys[0].tasks[0].sessions if each.started.engine)
    assert desk.brat("session", "tail", session.id, "-n", "3").out == "59\n60\nabc\n"
    assert len(desk.brat("session", "tail", session.id).out.splitlines()) == 50
    assert desk.brat("session", "tail", session.id, "--follow", "-n", "1").out == "abc\n"


def test_a_running_session_is_seen_and_stopped(desk: Desk) -> None:
    with running(desk) as process:
        document = json.loads(desk.brat("status", "--json").out)
        (session,) = document["sessions"]
        assert (session["state"], session["last_line"], document["attended"]) == ("running", "red", True)
        assert words(desk.brat("status"), desk) == snapshot("""\
only-one: 0 of 1 merged, SPAN
  Only one
  lands on convoy/only-one/main, then on main (rebase); plan approved by policy
  #  task      state    engine  tries  time
  1  Only one  running  shell       1  SPAN
      s-ID (work, SPAN): red\
""")
        assert said(desk, "session", "stop", "1") == snapshot("""\
Session s-ID is asked to end.
A running brat records it.
[0]\
""")
        while board(desk).convoys[0].tasks[0].sessions[0].open:
            assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        process.communicate()
    ended = board(desk).convoys[0].tasks[0].sessions[0].ended
    assert ended is not None
    assert ended.finding is Finding.STOPPED


def test_a_cancelled_convoy_ends_its_sessions_and_the_run(desk: Desk) -> None:
    with running(desk) as process:
        assert said(desk, "convoy", "cancel") == snapshot("""\
Cancelled only-one. Nothing had landed.
Session s-ID is asked to end; the next pass records it.
[0]\
""")
        process.communicate()
        assert process.returncode == 1
    assert not any(each.open for each in board(desk).convoys[0].all_sessions)


def test_a_dropped_task_ends_its_session(desk: Desk) -> None:
    with running(desk) as process:
        assert said(desk, "task", "drop", "1") == snapshot("""\
Dropped task only-one/1.
Session s-ID is asked to end; the next pass records it.
[0]\
""")
        process.communicate()
        assert process.returncode == 1
    assert shop(desk).view()[0].convoys[0].status == "failed"
