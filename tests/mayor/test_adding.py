"""One task more: numbered on, held against the rules, with the edges that its globs need."""

from __future__ import annotations

from dataclasses import replace

import pytest
from inline_snapshot import snapshot

from app.board import Board
from app.errors import PlanError, UserError
from app.mayor import Addition, PlanRules, add_task, allowed_engine
from app.ports import ConvoyCancelled, PlannedTask, TaskAdded, TaskDropped
from tests.book import RULES, Book


@pytest.fixture
def board() -> Board:
    return Book().open(
        PlannedTask("code", "Code", paths=("src/**",)), PlannedTask("task-3", "Docs", paths=("docs/**",))
    )


def add(board: Board, rules: PlanRules = RULES, **spec: object) -> TaskAdded:
    asked = replace(PlannedTask("task-1", "More"), **spec)  # type: ignore[arg-type]
    return add_task(board, board.convoys[0], Addition(asked, "ada"), rules=rules, now=1_700_000_000_000)


def test_the_next_number_and_an_id_that_no_other_task_has(board: Board) -> None:
    added = add(board)
    assert (added.number, added.plan.tasks[0].id) == (3, "task-4")
    assert add(board) == added, "asked again on the same board it is the same"


def test_it_waits_for_open_tasks_that_may_write_the_same_files(board: Board) -> None:
    added = add(board, paths=("src/a.py",))
    assert added.plan.tasks[0].depends_on == ("code",)
    assert added.plan.notes[0] == snapshot(
        "task-4 waits for code: both may write the same files (src/** and src/a.py overlap)"
    )


def test_a_task_that_is_over_holds_nothing_up() -> None:
    book = Book()
    board = book.open(PlannedTask("code", "Code", paths=("src/**",)), PlannedTask("docs", "Docs"))
    board = book.write(TaskDropped(board.convoys[0].tasks[0].issue, "ada"))
    assert add(board, paths=("src/a.py",)).plan.tasks[0].depends_on == ()


def test_notes_speak_of_the_new_task_alone(board: Board) -> None:
    assert add(board).plan.notes == snapshot(
        (
            "task-4: no write globs, so any file may be written; conflicts are resolved at landing",
            "task-4: nothing will verify the work, neither acceptance commands nor checks are given",
        )
    )


def test_every_broken_rule_is_told(board: Board) -> None:
    with pytest.raises(PlanError) as refused:
        add(board, engine="nope", paths=("../x",), depends_on=("other",))
    assert refused.value.problems == snapshot(
        (
            "task task-4: depends_on: 'other' is not in the plan (allowed: code, task-3)",
            "task task-4: engine: there is no engine 'nope' (allowed: shell, codex)",
            "task task-4: paths: '../x' leaves the repository with `..`",
        )
    )


def test_an_engine_that_others_may_not_use_any_more_is_no_reason_against_it(board: Board) -> None:
    narrow = replace(RULES, allowed=("shell",))
    assert add(board, narrow, engine="shell").plan.tasks[0].engine == "shell"


def test_a_convoy_that_is_over_takes_none(board: Board) -> None:
    book = Book()
    opened = book.open(PlannedTask("code", "Code"))
    over = book.write(ConvoyCancelled(opened.convoys[0].issue, "ada"))
    with pytest.raises(UserError, match="is over: failed"):
        add(over)


def test_an_engine_is_known_allowed_or_refused_with_the_allowed_ones() -> None:
    rules = PlanRules(engines=("shell", "codex"), allowed=("shell",))
    assert allowed_engine("shell", rules) == "shell"
    for name in ("codex", "shel"):
        with pytest.raises(UserError) as refused:
            allowed_engine(name, rules)
        assert "allowed: shell" in str(refused.value)
