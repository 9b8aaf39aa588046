"""What each command does, and what it says where it cannot be done."""

from __future__ import annotations

import pytest

from app.desk import decide
from app.ports import (
    Access,
    Answered,
    ConvoyFailed,
    Finding,
    HoldPlaced,
    MergeFailed,
    MergeStarted,
    MergeSucceeded,
    PullOpened,
    ReplanAsked,
    Role,
    SessionEnded,
    SessionStarted,
    TaskBlocked,
    TaskRequeued,
    WorkPublished,
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


def test_a_task_that_is_landing_is_not_dropped_before_a_hold_has_taken_it_back() -> None:
    world = labelled()
    task = world.convoy.tasks[0].issue
    world.book.write(PullOpened(task, 12, "https://hub/12", HEAD))
    world.book.write(MergeStarted(task, 1, "rebase", BASE, HEAD, HEAD, ""))
    world.say("/brat drop 1")
    world.settle()
    assert "is landing right now" in world.replies()[-1]
    assert "`/brat hold 1`" in world.replies()[-1]
    world.book.write(MergeFailed(task, 1, "rebase", "withdrawn"))
    world.say("/brat drop 1")
    world.settle()
    assert world.convoy.tasks[0].status.value == "dropped"


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


def test_in_a_pull_request_of_a_convoy_that_is_over_the_way_out_is_one_that_exists_there() -> None:
    world = labelled()
    world.book.write(PullOpened(worked(world), world.pull(12), "https://hub/12", HEAD))
    world.say("/brat cancel")
    world.settle()
    world.say("/brat retry", number=12)
    world.settle()
    assert "is over: cancelled by ada. Say /brat plan in the issue." in world.replies()[-1]


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


def published(world: World) -> str:
    """Task 1 has work on its branch; its issue."""
    task = worked(world)
    world.book.write(WorkPublished(task, "s-1", "convoy/jwt/task-1", HEAD, BASE, ("big.txt",)))
    return task


def test_published_work_is_released_where_a_rule_asks_for_it_and_no_hold_is_placed() -> None:
    world = labelled()
    published(world)
    comment = world.say("/brat release 1")
    world.settle()
    assert world.convoy.tasks[0].released == {HEAD}
    assert (comment, "rocket") in world.reactions
    world.say("/brat release 1")
    world.settle()
    assert "nothing to do, that commit is released" in world.replies()[-1]


def test_work_that_landed_where_it_was_to_land_is_not_released_any_more() -> None:
    world = labelled()
    task = published(world)
    world.book.write(MergeStarted(task, 1, "rebase", BASE, HEAD, HEAD, ""))
    world.book.write(MergeSucceeded(task, 1, "rebase", HEAD, ""))
    world.say("/brat release 1")
    world.settle()
    assert "task 1 of jwt is merged; that is final" in world.replies()[-1]


def test_a_release_of_work_that_was_published_after_the_comment_is_refused() -> None:
    world = labelled()
    world.access[ADA.id] = Access.UNKNOWN
    world.say("/brat release 1")
    world.later(60_000)
    published(world)
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


def test_a_command_is_judged_by_what_other_roles_decide_in_the_same_round() -> None:
    world = labelled()
    world.say("/brat replan use RS256")
    failed = ConvoyFailed(world.convoy.issue, "2 planning sessions failed")
    facts = decide(world.look(), start=world.start, before=(failed,)).facts
    assert not any(isinstance(each, ReplanAsked | Answered) for each in facts)
    world.book.write(failed)
    world.settle()
    assert "is over: 2 planning sessions failed" in world.replies()[0]


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


def test_a_convoy_that_is_over_says_so_to_every_command_and_how_to_begin_again() -> None:
    world = labelled()
    world.say("/brat cancel")
    world.settle()
    for command in ("merge", "hold 2", "retry", "unhold", "split 1", "engine 1 codex", "answer yes"):
        world.say(f"/brat {command}")
        world.settle()
        assert "jwt is over: cancelled by ada. → `/brat plan`" in world.replies()[-1]


def test_a_retry_names_its_tasks_and_an_engine_can_change_before_the_next_session_alone() -> None:
    world = labelled()
    task = worked(world)
    world.say("/brat engine 1 codex")
    world.settle()
    assert "task 1 is running: its engine can change while it waits or is blocked" in world.replies()[-1]
    world.book.write(TaskBlocked(task, "given up", "brat task retry 1"))
    world.say("/brat retry")
    world.settle()
    assert "`/brat retry` by ada: task 1: a fresh set of attempts." in world.replies()[-1]
    world.say("/brat retry 2 codex")
    world.settle()
    assert "the next session uses this engine" in world.replies()[-1]


def test_several_commands_of_one_comment_run_in_order_and_are_answered_once_each() -> None:
    world = labelled()
    comment = world.say(
        "/brat hold 1\n/brat approve\n/brat nonsense\n/brat drop 2\n/brat unhold 1\n/brat drop 2"
    )
    world.settle()
    (reply,) = world.replies()
    first, second, third = reply.split("\n\n")
    assert "there is no command nonsense" in first
    assert "`/brat drop 2` by ada: dropped" in second
    assert "task 2 of jwt is dropped; that is final" in third
    assert [each for each in world.reactions if each[0] == comment] == [(comment, "confused")]
    keys = [key for key in world.board.ledger.answered if key.startswith(f"comment:{comment}")]
    assert len(keys) == 6
    assert world.convoy.tasks[0].hold is None
