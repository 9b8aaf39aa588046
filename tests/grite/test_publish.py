"""A log that is given to a shared place before it moves here."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.errors import Later, Moved
from app.grite import Log, PreparedCommit
from app.grite.wal import WAL
from tests.grite.conftest import World, comment, git, said


class Shared:
    """A repository that takes each commit by compare-and-swap, or refuses, or ends the process after it."""

    def __init__(self, repo: Path, source: Path) -> None:
        self.repo, self.source = repo, source
        self.refuses: Exception | None = None
        self.dies = False
        self.seen = ""

    def publish(self, prepared: PreparedCommit) -> None:
        if self.refuses is not None:
            raise self.refuses
        if prepared.new != self.seen:
            lease = f"--force-with-lease={WAL}:{self.seen}"
            git(self.source, "push", "--quiet", lease, str(self.repo), f"{prepared.new}:{WAL}")
            self.seen = prepared.new
        if self.dies:
            raise KeyboardInterrupt

    @property
    def head(self) -> str:
        return git(self.repo, "for-each-ref", "--format=%(objectname)", WAL)

    def fetch(self, into: Path) -> str:
        git(into, "fetch", "--quiet", str(self.repo), f"+{WAL}:refs/brat/upstream/wal")
        self.seen = self.head
        return self.head


def shared(world: World, log: Log, name: str = "a") -> Shared:
    made = Shared(world.repo("hub"), world.repo(name))
    log.publish_through(made.publish)
    return made


def test_what_is_appended_is_in_the_shared_place_first(world: World) -> None:
    log = world.log("a")
    hub = shared(world, log)
    for text in ("one", "two"):
        assert log.append([comment(text)]) == hub.head == log.read().head


@pytest.mark.parametrize("reason", [Moved("faster"), Later("limited", retry_at=1)])
def test_what_is_refused_there_does_not_happen_here(world: World, reason: Exception) -> None:
    log = world.log("a")
    hub = shared(world, log)
    before = log.append([comment("one")])
    hub.refuses = reason
    with pytest.raises(type(reason)):
        log.append([comment("two")], expected=before)
    assert log.read().head == before == hub.head


def test_killed_between_there_and_here_the_next_look_goes_on_from_there(world: World) -> None:
    log = world.log("a")
    hub = shared(world, log)
    log.append([comment("one")])
    hub.dies = True
    with pytest.raises(KeyboardInterrupt):
        log.append([comment("two")], expected=log.read().head)
    again = world.log("a")
    other = shared(world, again)
    assert said(again.read().events) == ["one"]
    again.unite(other.fetch(world.repo("a")))
    assert again.read().head == other.head
    assert said(again.read().events) == ["one", "two"]


def test_what_others_wrote_there_is_taken_in_without_a_commit_of_ours(world: World) -> None:
    mine, theirs = world.log("a"), world.log("b")
    first = shared(world, mine)
    mine.append([comment("a")])
    second = shared(world, theirs, "b")
    theirs.unite(second.fetch(world.repo("b")))
    head = theirs.append([comment("b")])
    mine.unite(first.fetch(world.repo("a")))
    assert mine.read().head == head == first.head


def test_what_is_only_here_is_put_on_top_of_what_is_only_there(world: World) -> None:
    mine, theirs = world.log("a"), world.log("b")
    mine.append([comment("a")])
    world.now += 1000
    second = shared(world, theirs, "b")
    theirs.append([comment("b")])
    first = shared(world, mine)
    mine.unite(first.fetch(world.repo("a")))
    assert said(mine.read().events) == ["a", "b"]
    assert mine.read().head == second.head
    assert git(world.repo("hub"), "rev-list", "--count", WAL) == "2"


def test_uniting_twice_is_uniting_once(world: World) -> None:
    log = world.log("a")
    hub = shared(world, log)
    head = log.append([comment("one")])
    for _ in range(2):
        log.unite(hub.fetch(world.repo("a")))
    assert log.read().head == head
