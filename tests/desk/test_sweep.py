"""Branches of a convoy that is complete: what goes, what stays, and what is not known yet."""

from __future__ import annotations

from dataclasses import replace

from app.desk import refs_wanted, tell
from app.ports import (
    ConvoyCompleted,
    Decision,
    DropRefs,
    EditComment,
    HubSeen,
    MergeStarted,
    MergeSucceeded,
    RefusedMove,
    WorkPublished,
)
from tests.book import BASE
from tests.desk.hubsim import World, labelled

HEAD = "b" * 40


def landed() -> World:
    """Both tasks were published and merged, and the issue is closed."""
    world = labelled()
    for task in world.convoy.tasks:
        branch = f"convoy/jwt/task-{task.number}"
        world.book.write(WorkPublished(task.issue, f"s-{task.number}", branch, HEAD, BASE, ()))
        world.book.write(MergeStarted(task.issue, 1, "rebase", BASE, HEAD, HEAD, HEAD))
        world.book.write(MergeSucceeded(task.issue, 1, "rebase", HEAD, BASE))
    world.book.write(ConvoyCompleted(world.convoy.issue, HEAD))
    while world.board.ledger.ref(f"closed-by-us:{world.convoy.id}") is None:
        world.step()
    return world


def told(world: World, refused: RefusedMove | None = None, **hub: object) -> Decision:
    """What is done where both branches are there."""
    look = world.look()
    seen = HubSeen if look.seen.hub is None else look.seen.hub
    assert isinstance(seen, HubSeen)
    refs = dict.fromkeys(refs_wanted(world.board, now=world.now), HEAD)
    key = f"sweep:{world.convoy.id}"
    changed = replace(
        look.seen,
        hub=replace(seen, **hub),  # type: ignore[arg-type]
        refs=refs,
        refused={key: refused} if refused else {},
    )
    return tell(replace(look, seen=changed), ())


def test_both_go_as_one_where_open_pull_requests_are_known() -> None:
    world = landed()
    (drop,) = (each for each in told(world, pulls_listed=True).actions if isinstance(each, DropRefs))
    assert drop.refs == (
        ("refs/heads/convoy/jwt/task-1", HEAD),
        ("refs/heads/convoy/jwt/task-2", HEAD),
    )


def test_nothing_goes_and_nothing_is_over_while_pull_requests_could_not_be_listed() -> None:
    assert told(landed()) == Decision()


def test_what_the_host_refuses_twice_stays_and_is_said() -> None:
    decision = told(landed(), RefusedMove("a ruleset forbids it", times=2), pulls_listed=True)
    (edit,) = decision.actions
    assert isinstance(edit, EditComment)
    assert "it could not be deleted: a ruleset forbids it" in edit.body
