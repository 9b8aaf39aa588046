"""What people call things is found, or refused with the candidates."""

from __future__ import annotations

from dataclasses import replace

import pytest
from inline_snapshot import snapshot

from app.board import Board, ConvoyStatus
from app.cli.naming import find_convoy, find_session, find_task
from app.errors import UserError
from tests.cli.boards import convoy, session, task

JWT = convoy(task(1), task(2), task(3, sessions=(session("3" * 32), session("3" * 32, attempt=2))))
DOCS = convoy(
    task(1, issue="d1" * 16, id="t-20250102-aaaa"), issue="d" * 32, id="c-20250102-0002", slug="docs"
)
ONE, TWO = Board(convoys=(JWT,)), Board(convoys=(JWT, DOCS))


@pytest.mark.parametrize("name", ["jwt", "c-20250101-0001", "0001", "cccc", "C" * 32, None])
def test_a_convoy_is_found_by_slug_id_or_prefix_and_alone_without_a_name(name: str | None) -> None:
    assert find_convoy(ONE, name) is JWT


@pytest.mark.parametrize(
    "name", ["3", "#3", "task-3", "jwt/3", "jwt/task-3", "convoy/jwt/task-3", "t-20250101-0003", "3333"]
)
def test_a_task_is_found_by_number_id_branch_or_prefix(name: str) -> None:
    assert find_task(TWO, name).task.number == 3


def test_a_number_in_two_open_convoys_is_ambiguous_and_lists_both() -> None:
    with pytest.raises(UserError) as refused:
        find_task(TWO, "1")
    assert str(refused.value) == snapshot("""\
'1' names 2 tasks:
  jwt/1 (t-20250101-0001, Task 1)
  docs/1 (t-20250102-aaaa, Task 1)
  → say which convoy with --convoy SLUG\
""")
    assert find_task(TWO, "1", convoy="docs").convoy is DOCS


def test_a_number_means_the_open_convoy_before_a_closed_one() -> None:
    over = replace(DOCS, status=ConvoyStatus.COMPLETE)
    assert find_task(Board(convoys=(over, JWT)), "1").convoy is JWT


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(UserError) as refused:
        find_convoy(TWO, "jvt")
    assert str(refused.value) == snapshot("""\
there is no convoy 'jvt'; did you mean jwt?
  → brat convoy list\
""")


def test_no_name_with_two_open_convoys_lists_them() -> None:
    with pytest.raises(UserError) as refused:
        find_convoy(TWO)
    assert str(refused.value) == snapshot("""\
2 convoys are open: jwt, docs
  → name one of them\
""")


def test_no_name_and_nothing_open_says_what_to_do() -> None:
    with pytest.raises(UserError) as refused:
        find_convoy(Board())
    assert str(refused.value) == snapshot("""\
no convoy is open here
  → brat mayor start --task "...", or name one of `brat convoy list`\
""")


def test_a_task_names_its_newest_session() -> None:
    assert find_session(ONE, "3").session.id == "s-20250101-w002"
    assert find_session(ONE, "s-20250101-w001").session.started.attempt == 1


def test_a_task_without_a_session_says_so() -> None:
    with pytest.raises(UserError) as refused:
        find_session(ONE, "2")
    assert str(refused.value) == snapshot("""\
task jwt/2 has had no session yet
  → brat task show jwt/2\
""")
