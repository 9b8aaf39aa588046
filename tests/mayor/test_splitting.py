"""A task of a running plan becomes several: what the planner is told, what its answer comes to."""

from __future__ import annotations

import json
from dataclasses import replace
from types import MappingProxyType

import pytest

from app import mayor
from app.board import Board, Convoy, Task, TaskStatus, approve_plan, release_task, split_task, stuck
from app.config import Config, SwarmPolicy
from app.errors import UserError
from app.ports import (
    Answered,
    Decision,
    Finding,
    HoldReleased,
    Life,
    MergeStarted,
    MergeSucceeded,
    PlannedTask,
    PlanRefused,
    RequestSource,
    Role,
    Seen,
    SessionEnded,
    SessionResult,
    SessionSeen,
    SessionStarted,
    StartSession,
    StopSession,
    TaskBlocked,
    TaskSplit,
)
from tests.book import BASE, Book, started
from tests.prompts.injections import data_of
from tests.texts.test_markdown import ACTS, HOSTILE, shown

CHAIN = (
    PlannedTask("one", "First"),
    PlannedTask("two", "Second", instructions="Do much.", depends_on=("one",)),
    PlannedTask("three", "Third", depends_on=("two",)),
)
HALVES = {
    "summary": "s",
    "tasks": [
        {"id": "one", "title": "Upper half", "commands": ["true"]},
        {"id": "b", "title": "Lower half", "depends_on": ["one"], "commands": ["true"]},
    ],
}


def convoy_of(book: Book) -> Convoy:
    return book.board().convoys[0]


def task_of(board: Board, number: int) -> Task:
    found = board.convoys[0].task(number)
    assert found is not None
    return found


def failed_once(book: Book) -> None:
    """Task 2 was tried and given up, with words in capitals."""
    issue = task_of(book.board(), 2).issue
    book.write(SessionStarted(issue, "s-1", Role.WITNESS, "work", 1, BASE, 9))
    book.write(SessionEnded(issue, "s-1", Role.WITNESS, "work", Finding.ACCEPTANCE, 1, 8, evidence="BOOM"))
    book.write(TaskBlocked(issue, "given up", "brat task retry 2"))


def asked(approval: str = "auto", **request: object) -> Book:
    """Ada wants task 2 of a chain of three to be split."""
    book = Book()
    book.open(*CHAIN, approval=approval, **request)
    convoy = convoy_of(book)
    if convoy.approved_by is None:
        book.write(*approve_plan(convoy, by="ada"))
    failed_once(book)
    book.write(*split_task(convoy_of(book), task_of(book.board(), 2), by="ada", text="Split it"))
    return book


def decide(book: Book, view: SessionSeen | None = None) -> Decision:
    sessions = [each for each in task_of(book.board(), 2).sessions if each.started.purpose == "split"]
    seen = {sessions[-1].id: view} if view is not None and sessions else {}
    return mayor.decide(book.look(Seen(sessions=MappingProxyType(seen))))


def begins(book: Book) -> SessionStarted:
    """The next session that is to split it, recorded."""
    (session,) = started(decide(book).facts)
    book.write(session)
    return session


def answers(book: Book, answer: object) -> Decision:
    """A session begins and ends with this answer; what follows is recorded."""
    session = begins(book)
    result = SessionResult(session.session, Finding.DONE, 0, 1, 2, answer=json.dumps(answer), error="")
    decision = decide(book, SessionSeen(Life.ENDED, result=result))
    book.write(*decision.facts)
    return decision


def test_two_tasks_that_are_split_at_once_share_the_slots() -> None:
    book = asked()
    book.write(*split_task(convoy_of(book), task_of(book.board(), 3), by="ada", text="Split it"))
    config = Config(swarm=SwarmPolicy(max_polecats=1))
    decision = mayor.decide(book.look(config=config))
    assert [each.issue for each in started(decision.facts)] == [task_of(book.board(), 2).issue]
    assert [each.rule for each in decision.verdicts] == ["slots"]


def test_two_answers_at_once_become_parts_with_numbers_and_names_of_their_own() -> None:
    book = asked()
    book.write(*split_task(convoy_of(book), task_of(book.board(), 3), by="ada", text="Split it"))
    begun = started(decide(book).facts)
    book.write(*begun)
    seen = {}
    for each in begun:
        result = SessionResult(each.session, Finding.DONE, 0, 1, 2, answer=json.dumps(HALVES), error="")
        seen[each.session] = SessionSeen(Life.ENDED, result=result)
    for _ in begun:
        board = book.write(*mayor.decide(book.look(Seen(sessions=MappingProxyType(seen)))).facts)
    assert board.problems == ()
    assert [(each.number, each.spec.id, each.depends_on) for each in board.convoys[0].tasks[3:]] == [
        (4, "task-4", (1,)),
        (5, "task-5", (1, 4)),
        (6, "task-6", (4, 5)),
        (7, "task-7", (4, 5, 6)),
    ]


def test_the_planner_gets_the_task_and_its_failures_and_the_form_of_the_answer() -> None:
    book = asked()
    session = begins(book)
    assert (session.role, session.purpose) == (Role.MAYOR, "split")
    (action,) = decide(book, SessionSeen(Life.ABSENT)).actions
    assert isinstance(action, StartSession)
    assert action.spec.read_only
    assert action.spec.engine is not None
    prompt = action.spec.engine.prompt
    (told,) = data_of(prompt, "task")
    assert json.loads(told)["instructions"] == "Do much."
    (failure,) = data_of(prompt, "failure")
    assert "BOOM" in failure
    assert "2 to 4 smaller tasks" in prompt


def test_the_answer_replaces_that_one_task_and_everything_waits_for_its_parts() -> None:
    book = asked()
    answers(book, HALVES)
    board = book.board()
    assert [(each.number, each.title, each.depends_on) for each in board.convoys[0].tasks] == [
        (1, "First", ()),
        (2, "Second", (1,)),
        (3, "Third", (4, 5)),
        (4, "Upper half", (1,)),
        (5, "Lower half", (1, 4)),
    ]
    assert task_of(board, 2).status is TaskStatus.DROPPED
    assert task_of(board, 2).parts == (4, 5)
    assert task_of(board, 4).status is TaskStatus.QUEUED
    assert not decide(book).facts


def test_a_part_may_be_split_again() -> None:
    book = asked()
    answers(book, HALVES)
    fourth = task_of(book.board(), 4)
    book.write(TaskSplit(fourth.issue, (task_of(book.board(), 5).issue,), "ada"))
    assert task_of(book.board(), 3).depends_on == (5,)


def test_where_a_person_approves_plans_the_parts_wait_for_a_word() -> None:
    book = asked("required")
    answers(book, HALVES)
    held = [each.number for each in convoy_of(book).tasks if each.hold is not None and not each.status.final]
    assert held == [4, 5]


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ({"summary": "s", "tasks": HALVES["tasks"][:1]}, "1 tasks; 2 to 4 are wanted"),
        (
            {
                "summary": "s",
                "tasks": [{"id": "a", "title": "A", "depends_on": ["three"]}, {"id": "b", "title": "B"}],
            },
            "'three' is not in the plan",
        ),
    ],
)
def test_an_answer_that_breaks_the_rules_goes_back_with_all_of_them(answer: object, problem: str) -> None:
    book = asked()
    decision = answers(book, answer)
    (refused,) = (each for each in decision.facts if isinstance(each, PlanRefused))
    assert any(problem in each for each in refused.errors)
    begins(book)
    (action,) = decide(book, SessionSeen(Life.ABSENT)).actions
    assert isinstance(action, StartSession)
    assert action.spec.engine is not None
    assert problem in "\n".join(data_of(action.spec.engine.prompt, "problems"))


def test_after_three_bad_answers_it_goes_on_as_one_task_and_who_asked_is_told() -> None:
    source = RequestSource(7, "https://hub/7", "d", "ada", 1, "label:1", 1)
    book = asked(request=source)
    for _ in range(3):
        answers(book, {"summary": "s", "tasks": []})
    facts = decide(book).facts
    assert [type(each) for each in facts] == [HoldReleased, Answered]
    book.write(*facts)
    assert not task_of(book.board(), 2).splitting
    (told,) = (each for each in facts if isinstance(each, Answered))
    assert told.number == 7
    assert told.reply.startswith("Task 2 was not split and goes on as one task: the planner's answer")
    assert not decide(book).facts


@pytest.mark.parametrize("text", HOSTILE)
def test_t23_words_of_the_planner_act_in_no_answer(text: str) -> None:
    book = asked(request=RequestSource(7, "https://hub/7", "d", "ada", 1, "label:1", 1))
    unfit = {"id": "a", "title": "A", "depends_on": [text], "commands": ["true"]}
    for _ in range(3):
        answers(book, {"summary": "s", "tasks": [unfit, {**unfit, "id": "b"}]})
    (told,) = (each for each in decide(book).facts if isinstance(each, Answered))
    assert shown(told.reply)[0] <= {"text"}
    assert not ACTS.search(shown(told.reply)[1])


def test_an_end_of_the_hold_is_an_end_of_the_wish() -> None:
    book = asked()
    session = begins(book)
    book.write(*release_task(convoy_of(book), task_of(book.board(), 2), by="ada"))
    why = "the task is not split any more"
    assert decide(book, SessionSeen(Life.ALIVE)).actions == (StopSession(session.session, why),)


def test_a_second_wish_begins_anew() -> None:
    book = asked()
    answers(book, {"summary": "s", "tasks": []})
    book.write(*release_task(convoy_of(book), task_of(book.board(), 2), by="ada"))
    book.write(*split_task(convoy_of(book), task_of(book.board(), 2), by="ada", text="Split it"))
    begins(book)
    (action,) = decide(book, SessionSeen(Life.ABSENT)).actions
    assert isinstance(action, StartSession)
    assert action.spec.engine is not None
    assert "was refused" not in action.spec.engine.prompt


def test_a_task_that_landed_or_lands_is_not_split_and_says_so() -> None:
    book = Book()
    book.open(*CHAIN)
    first = task_of(book.board(), 1)
    book.write(MergeStarted(first.issue, 1, "rebase", BASE, BASE, BASE, BASE))
    with pytest.raises(UserError, match="landing right now"):
        split_task(convoy_of(book), task_of(book.board(), 1), by="ada", text="Split it")
    book.write(MergeSucceeded(first.issue, 1, "rebase", BASE, BASE))
    with pytest.raises(UserError, match="has landed"):
        split_task(convoy_of(book), task_of(book.board(), 1), by="ada", text="Split it")


def test_a_convoy_whose_task_is_being_split_is_not_stuck() -> None:
    book = asked()
    assert not stuck(convoy_of(book))
    assert stuck(replace(convoy_of(book), tasks=(replace(task_of(book.board(), 2), hold=None),)))
