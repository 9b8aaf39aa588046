"""Commands: who, once, in order, on what; and the gate that an edit closes."""

from __future__ import annotations

import pytest

from app.board import fact_of
from app.config import Config, MayorPolicy
from app.desk import decide, digest_of
from app.ports import (
    Access,
    Answered,
    Person,
)
from tests.desk.hubsim import ADA, EVE, ROBOT, US, World, labelled

BEN = Person(6, "ben")


def accepted(world: World) -> list[bool]:
    """How the comments were answered, in order."""
    answers = world.board.ledger.answered
    return [each.accepted for key, each in answers.items() if key.startswith("comment:")]


def test_a_plain_repository_has_no_desk() -> None:
    world = World()
    assert not decide(world.book.look(), start=world.start).facts


def test_approve_binds_to_the_plan_and_to_the_issue_as_it_reads_now() -> None:
    world = labelled()
    comment = world.say("/brat approve")
    world.settle()
    assert world.convoy.approved_by == "ada"
    assert world.convoy.approved_digest == digest_of(world.issues[7])
    assert world.reactions == [(comment, "rocket")]


def test_on_a_private_repository_the_settings_decide_about_approval() -> None:
    assert labelled(private=True).convoy.approved_by == "policy"
    assert labelled().convoy.approved_by is None


def test_t1_an_edit_of_the_issue_voids_the_approval_once_and_visibly() -> None:
    world = labelled()
    world.say("/brat approve")
    world.settle()
    world.edit("Something else")
    world.settle()
    world.edit("Something else again")
    world.settle()
    assert not world.convoy.approved_by
    assert "changed after it was approved" in world.ours("sticky:")[0].body
    said = world.book.events[-1].ts
    world.settle()
    assert world.book.events[-1].ts == said
    world.say("/brat approve")
    world.settle()
    assert world.convoy.approved_digest == digest_of(world.issues[7])
    assert not world.convoy.voided


def test_t1_an_edit_between_approval_and_the_next_look_is_not_approved() -> None:
    world = labelled()
    world.say("/brat approve")
    world.edit("Something else")
    world.settle()
    assert not world.convoy.approved_by
    assert "changed after this comment" in world.replies()[0]


def test_a_plan_that_is_newer_than_the_yes_is_not_approved() -> None:
    world = World()
    world.issue()
    world.label()
    world.access[ADA.id] = Access.UNKNOWN
    world.say("/brat approve")
    world.later(20_000)
    world.access[ADA.id] = Access.WRITE
    world.settle()
    assert not world.convoy.approved_by
    assert "newer than this comment" in world.replies()[0]


def test_p8_a_stranger_gets_one_polite_answer_per_issue_and_then_silence() -> None:
    world = labelled()
    events = len(world.book.events)
    for text in ("/brat approve", "/brat merge", "/brat nonsense", "/brat status"):
        world.say(text, by=EVE)
        world.settle()
    assert not world.convoy.approved_by
    assert len(world.replies()) == 1
    assert "may write" in world.replies()[0]
    assert not world.reactions
    assert len(world.book.events) < events + 8
    assert "nonsense" not in str(world.book.events)


@pytest.mark.parametrize("by", [EVE, ROBOT])
def test_p8_what_somebody_said_who_might_not_is_not_carried_out_once_they_may(by: Person) -> None:
    world = labelled()
    world.say("/brat status", by=by)
    world.settle()
    told = len(world.replies())
    world.say("Good.\n\n/brat cancel", by=by)
    world.settle()
    world.later(43_200_000)
    world.access[by.id] = Access.WRITE
    world.config = Config(mayor=MayorPolicy(allow_bots=(ROBOT.id,)))
    world.settle()
    assert world.status() == "active"
    assert len(world.replies()) == told
    assert not world.reactions
    world.say("/brat pause", by=by)
    world.settle()
    assert world.status() == "paused"


def test_p11_comments_of_strangers_that_command_nothing_cost_no_event() -> None:
    world = labelled()
    world.say("/brat status", by=EVE)
    world.settle()
    events = len(world.book.events)
    for text in ("thanks", "> /brat cancel", "/brat nonsense"):
        world.say(text, by=EVE)
        world.say(text, by=ROBOT)
    world.settle()
    assert len(world.book.events) == events


def test_t14_what_strangers_say_uses_up_no_limit_of_those_who_may() -> None:
    world = labelled()
    for _ in range(210):
        world.say("/brat status", by=EVE)
    world.settle()
    world.say("/brat pause")
    world.settle()
    assert world.status() == "paused"


def test_t14_a_crowd_of_strangers_is_not_answered_one_by_one() -> None:
    world = labelled()
    for number in range(40):
        world.access[200 + number] = Access.NONE
        world.say("/brat cancel", by=Person(200 + number, f"eve-{number}"))
    world.settle()
    assert len(world.replies()) == 3


def test_t14_bots_and_ourselves_are_never_answered() -> None:
    world = labelled()
    world.access[ROBOT.id] = Access.WRITE
    world.say("/brat cancel", by=ROBOT)
    world.say("/brat cancel", by=US)
    world.settle()
    assert world.status() == "active"
    assert not world.replies()


def test_t14_what_one_account_may_ask_in_a_day_has_a_limit() -> None:
    world = labelled()
    for _ in range(11):
        world.say("\n\n".join(["/brat merge"] * 20))
    world.settle()
    assert sum(accepted(world)) == 199
    assert len(accepted(world)) == 220
    assert sum("limit" in each for each in world.replies()) == 1


def test_t2_an_unknown_permission_waits_and_is_executed_when_it_can_be_read() -> None:
    world = labelled(access={ADA.id: Access.WRITE})
    world.say("/brat pause", by=BEN)
    world.settle()
    assert world.status() == "active"
    assert not world.replies()
    assert "may write could not be read" in world.decided().verdicts[0].because
    world.access[BEN.id] = Access.WRITE
    world.settle()
    assert world.status() == "paused"


def test_p1_a_command_that_waits_is_not_left_behind_by_later_ones() -> None:
    world = labelled(access={ADA.id: Access.WRITE})
    world.say("/brat priority urgent", by=BEN)
    for _ in range(3):
        world.later(400_000)
        world.say("/brat status")
        world.settle()
    world.access[BEN.id] = Access.WRITE
    world.settle()
    assert world.convoy.priority == 2
    assert accepted(world) == [True, True, True, True]


@pytest.mark.parametrize("said", ["/brat plan", "/brat start", "/brat pause", "/brat status"])
def test_p6_a_command_in_a_foreign_pull_request_is_refused_at_once_and_holds_nobody_up(said: str) -> None:
    world = labelled()
    world.say(said, number=world.pull(12))
    world.settle()
    assert "pull request" in world.replies()[0]
    assert "issue" in world.replies()[0]
    world.later(700_000)
    world.say("/brat pause")
    world.settle()
    assert world.status() == "paused"
    assert len(world.board.convoys) == 1


def test_t2_a_permission_that_stays_unreadable_ends_in_words() -> None:
    world = labelled(access={ADA.id: Access.WRITE})
    world.say("/brat pause", by=BEN)
    world.later(3_600_000)
    world.settle()
    assert world.status() == "active"
    assert "say it again" in world.replies()[0]


def test_several_commands_run_in_order_and_get_one_answer() -> None:
    world = labelled()
    comment = world.say("/brat drop 2\n\n/brat drop 2\n\n/brat strategy squash")
    world.settle()
    assert [each.status.value for each in world.convoy.tasks] == ["queued", "dropped"]
    assert world.convoy.strategy == "squash"
    facts = [fact_of(event) for event in world.book.events]
    keys = [each.key for each in facts if isinstance(each, Answered) and each.key.startswith("comment:")]
    assert keys == [f"comment:{comment}:0", f"comment:{comment}:1", f"comment:{comment}"]
    assert accepted(world) == [True, False, True]
    assert len(world.replies()) == 1
    assert "that is final" in world.replies()[0]
    assert world.reactions == [(comment, "confused")]


def test_t16_quoted_coded_and_edited_commands_do_nothing() -> None:
    world = labelled()
    world.say("> /brat cancel")
    world.say("```\n/brat cancel\n```")
    world.say("please /brat cancel")
    world.settle()
    assert not accepted(world)
    world.say("/brat cancel", edited=True)
    world.settle()
    assert world.status() == "active"
    assert "was edited" in world.replies()[0]


def test_p2_a_command_is_executed_once_however_often_it_is_seen() -> None:
    world = labelled()
    world.say("/brat pause")
    world.settle()
    world.say("/brat resume")
    world.settle()
    world.later(3_000_000)
    world.settle()
    assert world.status() == "active"
    assert accepted(world) == [True, True]


def test_what_was_said_before_the_request_does_not_steer_it() -> None:
    world = World(access={ADA.id: Access.UNKNOWN})
    world.issue()
    world.say("/brat cancel")
    world.label()
    world.access[ADA.id] = Access.WRITE
    world.settle()
    assert world.status() == "active"
