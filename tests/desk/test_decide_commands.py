"""What each command does, and what it says where it cannot be done."""

from __future__ import annotations

import pytest

from app.ports import (
    Access,
    Finding,
    HoldPlaced,
    PullOpened,
    Role,
    SessionEnded,
    SessionStarted,
    TaskBlocked,
    TaskRequeued,
)
from tests.book import BASE
from tests.desk.hubsim import ADA, World, labelled

HEAD = "b" * 40


def worked(world: World, number: int = 1) -> str:
    """Task `number` had a session that failed; its issue."""
    task = world.convoy.tasks[number - 1].issue
    started = SessionStarted(
        task, f"s-{number}", Role.WITNESS, "work", 1, BASE, world.now + 9, engine="codex"
    )
    world.book.write(started)
    ended = SessionEnded(
        task, f"s-{number}", Role.WITNESS, "work", Finding.ACCEPTANCE, 1, world.now, evidence="2 failed"
    )
    world.book.write(ended)
    return task


def test_a_command_in_a_tasks_pull_request_means_that_task() -> None:
    world = labelled()
    task = worked(world)
    world.book.write(TaskBlocked(task, "3 attempts failed", "brat task retry 1"))
    world.book.write(PullOpened(task, 12, "https://hub/12", HEAD))
    world.say("/brat retry codex", number=12)
    world.settle()
    first = world.convoy.tasks[0]
    assert (first.status.value, first.engine) == ("queued", "codex")


def test_approve_of_some_tasks_drops_the_rest_and_says_so() -> None:
    world = labelled()
    world.say("/brat approve 2")
    world.settle()
    assert [each.status.value for each in world.convoy.tasks] == ["dropped", "queued"]
    assert "1 is dropped" in world.replies()[0]
    assert world.convoy.approved_by == "ada"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("/brat retry", "no task of jwt is blocked"),
        ("/brat drop 9", "there is no task 9"),
        ("/brat release 1", "task 1 of jwt is not held"),
        ("/brat unhold", "is held by a person"),
        ("/brat aprove", "/brat approve"),
        ("/brat pause", "paused"),
    ],
)
def test_what_is_not_possible_is_answered_with_the_reason(said: str, told: str) -> None:
    world = labelled()
    world.say("/brat pause")
    world.settle()
    world.say(said)
    world.settle()
    assert told in world.replies()[-1]


def test_a_release_counts_for_the_commit_that_the_person_could_see() -> None:
    world = labelled()
    task = worked(world)
    world.book.write(HoldPlaced(task, "s-1", HEAD, "workflow files"))
    comment = world.say("/brat release 1")
    world.settle()
    assert world.convoy.tasks[0].released == {HEAD}
    assert "rocket" in [content for number, content in world.reactions if number == comment]


def test_a_release_of_something_newer_than_the_comment_is_refused() -> None:
    world = labelled()
    world.access[ADA.id] = Access.UNKNOWN
    world.say("/brat release 1")
    world.later(60_000)
    task = worked(world)
    world.book.write(HoldPlaced(task, "s-1", HEAD, "workflow files"))
    world.access[ADA.id] = Access.WRITE
    world.settle()
    assert not world.convoy.tasks[0].released
    assert "newer than your comment" in world.replies()[0]


def test_replan_answer_and_split_go_to_the_planner_until_work_has_begun() -> None:
    world = labelled()
    world.say("/brat replan use RS256")
    world.settle()
    assert world.convoy.plan is None
    assert world.convoy.wishes == ("use RS256",)


def test_once_work_has_begun_the_plan_stands_one_task_is_split_and_answers_reach_all() -> None:
    world = labelled()
    task = worked(world)
    world.book.write(TaskRequeued(task, "acceptance"))
    world.say("/brat split 1")
    world.say("/brat answer RS256")
    world.settle()
    assert "cuts it into smaller tasks" in world.replies()[0]
    assert world.convoy.tasks[0].splitting
    world.say("/brat split 1")
    world.settle()
    assert "nothing to do, the Mayor is at it" in world.replies()[-1]
    assert [each.remarks for each in world.convoy.tasks] == [("RS256",), ("RS256",)]


def test_logs_shows_what_the_newest_session_left() -> None:
    world = labelled()
    worked(world)
    world.say("/brat logs")
    world.settle()
    assert "2 failed" in world.replies()[0]


def test_merge_is_a_look_and_nothing_else() -> None:
    world = labelled()
    before = world.convoy.tasks
    comment = world.say("/brat merge")
    world.settle()
    assert world.convoy.tasks == before
    assert world.reactions == [(comment, "rocket")]
