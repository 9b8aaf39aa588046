"""`brat task split`: the Mayor is asked, and says so in words."""

from __future__ import annotations

import json

from inline_snapshot import snapshot

from app.ports import TaskSplit
from tests.cli.desk import Desk
from tests.cli.scene import blocked, board, judge, opened, words


def said(desk: Desk, *args: str) -> str:
    answer = desk.brat(*args)
    return f"{words(answer, desk)}\n[{answer.code}]"


def test_a_task_that_was_given_up_is_cut_by_the_mayor_once(desk: Desk) -> None:
    opened(desk)
    blocked(desk, 1)
    assert said(desk, "task", "split", "1") == snapshot("""\
The Mayor cuts task say-who/1 into smaller ones.
-> brat mayor resume
[0]\
""")
    assert said(desk, "task", "split", "1") == snapshot("""\
The Mayor is at it already: task say-who/1 is being split.
[0]\
""")
    task = board(desk).convoys[0].tasks[0]
    assert task.splitting
    assert said(desk, "task", "show", "1") == snapshot("""\
say-who/1  First
state   blocked
        needs a maintainer: 3 of 3 attempts failed, the last: silent (1 task
        waits for it)
        -> brat task retry t-ID
id      t-ID (issue COMMIT)
branch  convoy/say-who/task-1
paths   any
checks  test -f README.md
changed WHEN
held    the Mayor cuts it into smaller tasks, as Ada asked
[0]\
""")


def test_before_work_has_begun_a_split_is_another_plan(desk: Desk) -> None:
    opened(desk)
    assert said(desk, "task", "split", "2") == snapshot("""\
The Mayor cuts task say-who/2 into smaller ones, in another plan of the whole.
-> brat mayor resume
[0]\
""")
    assert board(desk).convoys[0].plan is None


def test_a_task_that_was_cut_names_its_parts(desk: Desk) -> None:
    opened(desk)
    blocked(desk, 1)
    assert desk.brat("task", "split", "1").code == 0
    judge(
        desk,
        lambda convoy: (
            TaskSplit(convoy.tasks[0].issue, tuple(each.issue for each in convoy.tasks[1:]), "ada"),
        ),
    )
    assert said(desk, "task", "show", "1") == snapshot("""\
say-who/1  First
state   dropped, split into 2, 3
id      t-ID (issue COMMIT)
branch  convoy/say-who/task-1
paths   any
checks  test -f README.md
changed WHEN
[0]\
""")
    assert json.loads(desk.brat("task", "show", "1", "--json").out)["task"]["parts"] == [2, 3]
    assert json.loads(desk.brat("task", "show", "2", "--json").out)["task"]["parts"] == []
