"""What a run looks like: one look in, rows and lines out."""

from __future__ import annotations

import pytest

from app.board import ConvoyStatus, Merge, TaskStatus
from app.cli.progress import changes, convoy_line, landing_line, one_line, rows
from app.cli.running import Finished
from app.cli.summary import summary_lines
from app.control import End
from app.ports import FollowUpWanted, HoldPlaced, Verdict, VerdictState, WorkPublished
from tests.cli.boards import convoy, ended, look, session, task

RUNNING = TaskStatus.RUNNING
REVIEW = TaskStatus.NEEDS_REVIEW
WORK = WorkPublished("1" * 32, "s", "convoy/jwt/task-1", "h" * 40, "b" * 40, ())
OPEN = session("1" * 32)
CHECK = session("1" * 32, purpose="check")
LANDING = Merge(1, "rebase", "running", 0)


@pytest.mark.parametrize(
    ("given", "state"),
    [
        ({"status": TaskStatus.QUEUED}, "queued"),
        ({"status": RUNNING, "sessions": (OPEN,)}, "running"),
        ({"status": RUNNING, "sessions": (session("1" * 32, attempt=2),)}, "attempt 2"),
        ({"status": RUNNING, "sessions": (ended(OPEN),)}, "retrying"),
        ({"status": REVIEW, "work": WORK}, "to land"),
        ({"status": REVIEW, "work": WORK, "merges": (LANDING,)}, "landing"),
        ({"status": REVIEW, "work": WORK, "merges": (LANDING,), "sessions": (CHECK,)}, "checking"),
        ({"status": REVIEW, "follow_up": FollowUpWanted("1", "conflict", "", "h", ("a.py",))}, "sent back"),
        ({"status": REVIEW, "hold": HoldPlaced("1", None, "h", "protected")}, "held"),
        ({"status": TaskStatus.BLOCKED}, "blocked"),
        ({"status": TaskStatus.MERGED}, "merged"),
        ({"status": TaskStatus.DROPPED}, "dropped"),
    ],
)
def test_each_state_of_a_task_has_its_word(given: dict[str, object], state: str) -> None:
    chosen = convoy(task(1, **given))
    (row,) = rows(look(chosen), [chosen])
    assert row.state == state


def test_what_a_cancelled_convoy_left_is_not_shown_as_running() -> None:
    chosen = convoy(
        task(1, status=RUNNING, sessions=(ended(OPEN),)),
        task(2, status=TaskStatus.MERGED),
        status=ConvoyStatus.FAILED,
    )
    done = look(chosen)
    assert [row.state for row in rows(done, [chosen])] == ["not done", "merged"]
    said = "\n".join(summary_lines(Finished(End.FAILED, done, (chosen.issue,)), now=1, remote=None))
    assert "not done" in said
    assert "running" not in said


def test_a_running_row_shows_the_engines_last_line() -> None:
    chosen = convoy(task(1, status=RUNNING, sessions=(OPEN,)))
    (row,) = rows(look(chosen, lines={OPEN.id: "reading auth.py"}), [chosen])
    assert (row.engine, row.since_ts, row.says) == ("shell", 1_000, "reading auth.py")


def test_a_waiting_row_shows_the_verdict() -> None:
    chosen = convoy(task(1))
    verdict = Verdict("1" * 32, "slots", VerdictState.WAITING, "4 of 4 sessions run")
    (row,) = rows(look(chosen, verdicts=[verdict]), [chosen])
    assert row.says == "4 of 4 sessions run"


def test_only_a_change_of_state_makes_a_line() -> None:
    chosen = convoy(task(1, status=RUNNING, sessions=(OPEN,)), task(2))
    now = rows(look(chosen, lines={OPEN.id: "reading"}), [chosen])
    assert [line.text for line in changes({}, now)] == [" 1  running    Task 1 [shell]"]
    known = {row.key: row for row in now}
    later = rows(look(chosen, lines={OPEN.id: "writing"}), [chosen])
    assert list(changes(known, later)) == []


def test_rows_of_two_convoys_name_theirs() -> None:
    one, other = convoy(task(1)), convoy(task(1, issue="f" * 32), slug="docs", issue="d" * 32)
    assert [row.name for row in rows(look(one, other), [one, other])] == ["jwt/1", "docs/1"]


def test_a_convoy_without_a_plan_shows_its_planning() -> None:
    planning = session("c" * 32, purpose="plan")
    chosen = convoy(plan=None, sessions=(planning,))
    (row,) = rows(look(chosen, lines={planning.id: "reads"}), [chosen])
    assert (row.name, row.state, row.says) == ("-", "planning", "reads")


def test_the_convoys_line_counts_and_sums() -> None:
    done = ended(OPEN, usd=0.42)
    chosen = convoy(task(1, status=TaskStatus.MERGED, sessions=(done,)), task(2))
    assert convoy_line(chosen, now=80_000) == "jwt: 1 of 2 merged, 1m 20s, 0.42 USD"


def test_the_landing_line_names_task_and_target() -> None:
    chosen = convoy(task(1, status=REVIEW, work=WORK, merges=(LANDING,), sessions=(CHECK,)))
    assert landing_line([chosen]) == "landing: task 1 on main (its checks run)"
    assert landing_line([convoy(task(1))]) == ""


def test_foreign_text_cannot_move_the_cursor() -> None:
    assert one_line("\x1b[2Jrm\r\n\u202egood") == "[2Jrm good"


def test_the_summary_of_a_narrow_terminal_leaves_no_word_out() -> None:
    chosen = convoy(task(1, status=TaskStatus.MERGED, merges=(LANDING,)))
    finished = Finished(End.LANDED, look(chosen), (chosen.issue,))
    lines = list(summary_lines(finished, now=1, remote=None, columns=60))
    assert max(map(len, lines)) <= 60
    assert "neither acceptance commands nor [[refinery.check]] are given." in " ".join(
        " ".join(lines).split()
    )
