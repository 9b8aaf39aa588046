"""What stands in the issue: one sticky comment, its edits, labels, replies, the end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.desk import STATES
from app.ports import (
    CloseIssue,
    Comment,
    ConvoyCompleted,
    ConvoyFailed,
    EditComment,
    EffectIntended,
    EffectSeen,
    MergeStarted,
    MergeSucceeded,
    PostComment,
)
from tests.book import BASE
from tests.desk.hubsim import EVE, LAG_MS, US, Process, World, labelled

HEAD = "b" * 40


def landed(world: World) -> None:
    """Every task is merged and the convoy complete."""
    for task in world.convoy.tasks:
        world.book.write(MergeStarted(task.issue, 1, "rebase", BASE, HEAD, HEAD, HEAD))
        world.book.write(MergeSucceeded(task.issue, 1, "rebase", HEAD, BASE))
    world.book.write(ConvoyCompleted(world.convoy.issue, HEAD))


def keyed(world: World) -> list[str]:
    """The keys of what would be done now."""
    return [getattr(each, "key", "") for each in world.decided().actions]


def is_open(world: World) -> bool:
    return world.issues[7].open


def states(world: World) -> set[str]:
    return {each for each in world.issues[7].labels if each in STATES}


def test_p2_one_sticky_comment_whose_number_is_in_the_log() -> None:
    world = labelled()
    (sticky,) = world.ours()
    assert sticky.key == f"sticky:{world.convoy.id}"
    assert world.board.ledger.ref(sticky.key) == sticky.id
    assert "<!--" not in sticky.body


def test_the_intent_is_in_the_log_before_the_comment_is_made() -> None:
    world = World()
    world.issue()
    world.label()
    while not world.comments:
        intended = [each for each in world.board.ledger.effects if each.startswith("sticky:")]
        decision = world.decided()
        if any(isinstance(each, PostComment) for each in decision.actions):
            assert intended
        world.carry_out(decision, world.board)
    assert world.ours("sticky:")


def test_p11_nothing_is_written_or_done_while_nothing_changes() -> None:
    world = labelled()
    events = len(world.book.events)
    for _ in range(5):
        world.later(3_600_000)
        decision = world.decided()
        assert not decision.facts
        assert not decision.actions
    assert len(world.book.events) == events


def test_a_change_of_state_is_one_edit() -> None:
    world = labelled()
    before = world.edits
    world.say("/brat approve")
    world.settle()
    assert world.edits == before + 1


def test_a_comment_that_was_not_read_is_neither_edited_nor_made_again() -> None:
    world = labelled()
    world.say("/brat pause")
    sticky = world.ours("sticky:")[0]
    del world.comments[sticky.id]
    world.settle()
    assert not world.ours("sticky:")
    assert world.edits == 0


def test_a_text_with_other_line_ends_and_its_marker_is_the_same_text() -> None:
    world = labelled()
    sticky = world.ours()[0]
    body = f"{sticky.body}\n\n<!-- brat:{sticky.key} -->\n".replace("\n", "\r\n")
    world.comments[sticky.id] = replace(sticky, body=body)
    assert not world.step()


def test_p2_a_cut_after_the_effect_is_looked_up_by_its_key() -> None:
    world = World()
    world.issue()
    world.label()
    while not any(isinstance(each, PostComment) for each in world.decided().actions):
        world.step()
    (post,) = (each for each in world.decided().actions if isinstance(each, PostComment))
    world.act(post, world.main, known=False)
    world.settle()
    world.later(200_000)
    world.settle()
    assert len(world.ours("sticky:")) == 1
    assert world.board.ledger.ref(post.key) == world.ours("sticky:")[0].id


def test_p1_another_process_takes_an_intent_over_after_its_deadline_and_not_before() -> None:
    world = World()
    world.issue()
    world.label()
    while not any(isinstance(each, PostComment) for each in world.decided().actions):
        world.step()
    other = Process("p-2")
    assert not any(isinstance(each, PostComment) for each in world.decided(other).actions)
    assert not world.decided(other).facts
    world.later(121_000)
    taken = [each for each in world.decided(other).facts if isinstance(each, EffectIntended)]
    assert [each.owner for each in taken] == ["p-2"]
    world.settle(other)
    assert len(world.ours("sticky:")) == 1


def test_t19_a_strangers_copy_of_our_key_is_no_comment_of_ours() -> None:
    world = World()
    world.issue()
    world.label()
    while not world.board.convoys:
        world.step()
    key = f"sticky:{world.convoy.id}"
    world.comments[1] = Comment(1, 7, EVE, "All done.", world.now, key=key)
    world.later(LAG_MS)
    world.settle()
    assert world.board.ledger.ref(key) != 1
    assert [each.author for each in world.comments.values() if each.key == key] == [EVE, US]


def test_of_two_comments_with_one_key_the_older_is_kept_up() -> None:
    world = World()
    world.issue()
    world.label()
    while not world.board.convoys:
        world.step()
    key = f"sticky:{world.convoy.id}"
    for number in (500, 501):
        world.comments[number] = Comment(number, 7, US, "old", world.now, key=key)
    world.later(LAG_MS)
    world.settle()
    assert world.board.ledger.ref(key) == 500
    assert world.comments[500].body != "old"
    assert world.comments[501].body == "old"


def test_the_state_is_a_label_and_only_one() -> None:
    world = labelled()
    assert states(world) == {"brat:waiting"}
    world.say("/brat approve")
    world.settle()
    assert states(world) == {"brat:running"}
    assert "brat" in world.issues[7].labels


def test_the_end_is_a_summary_then_a_closed_issue_then_silence() -> None:
    world = labelled()
    landed(world)
    world.settle()
    assert len(world.ours("closing:")) == 1
    assert not world.issues[7].open
    assert world.issues[7].closed_by == US
    assert states(world) == {"brat:done"}
    assert world.status() == "complete"
    world.issues[7] = replace(world.issues[7], open=True, closed_by=None)
    assert not world.step()
    assert world.issues[7].open


def test_an_issue_that_a_person_opens_at_once_after_we_closed_it_stays_open() -> None:
    world = labelled()
    landed(world)
    while is_open(world):
        world.step()
    world.issues[7] = replace(world.issues[7], open=True, closed_by=None)
    world.settle()
    assert is_open(world)
    assert world.board.ledger.ref(f"told:{world.convoy.id}")


def test_a_close_whose_process_died_is_made_good_by_another_one() -> None:
    world = labelled()
    landed(world)
    while not any(isinstance(each, CloseIssue) for each in world.decided().actions):
        world.step()
    other = Process("p-2")
    assert not any(isinstance(each, CloseIssue) for each in world.decided(other).actions)
    world.later(121_000)
    world.settle(other)
    assert not is_open(world)


@pytest.mark.parametrize("prefix", ["closing:", "closed-by-us:"])
def test_an_end_whose_outcome_is_open_is_not_over(prefix: str) -> None:
    world = labelled()
    landed(world)
    while not (found := [each for each in keyed(world) if each.startswith(prefix)]):
        world.step()
    world.main.tried.update(found)
    world.settle()
    assert world.board.ledger.ref(f"told:{world.convoy.id}") is None
    world.later(121_000)
    world.settle(Process("p-2"))
    assert len(world.ours("closing:")) == 1
    assert not is_open(world)


@pytest.mark.parametrize("key", ["left:2", "close:2"])
def test_an_end_waits_for_pull_requests_that_are_being_closed(key: str) -> None:
    world = labelled()
    landed(world)
    task = world.convoy.tasks[0].issue
    world.book.write(EffectIntended(task, key, "p-2", world.book.now + 60_000))
    world.settle()
    assert world.board.ledger.ref(f"told:{world.convoy.id}") is None
    world.book.write(EffectSeen(task, key, 1))
    world.settle()
    assert world.board.ledger.ref(f"told:{world.convoy.id}") == 1


def test_a_convoy_that_failed_says_so_and_leaves_the_issue_open() -> None:
    world = labelled()
    world.book.write(ConvoyFailed(world.convoy.issue, "the planner's answer was refused 3 times"))
    world.settle()
    assert "refused 3 times" in world.ours("sticky:")[0].body
    assert world.issues[7].open
    assert not world.ours("closing:")
    assert states(world) == {"brat:done"}


def test_status_and_help_are_said_as_things_are_and_stay_out_of_the_log() -> None:
    world = labelled()
    world.say("/brat status\n\n/brat help")
    world.settle()
    (reply,) = world.replies()
    assert "Waiting for approval" in reply
    assert "/brat retry [n] [engine]" in reply
    assert all(each.reply == "" for each in world.board.ledger.answered.values())


def test_a_cancelled_issue_can_be_asked_for_again_and_both_stories_stand() -> None:
    world = labelled()
    world.say("/brat cancel")
    world.settle()
    world.unlabel()
    world.label()
    world.settle()
    assert len(world.ours("sticky:")) == 2
    assert states(world) == {"brat:waiting"}
    assert not any(isinstance(each, EditComment) for each in world.decided().actions)
