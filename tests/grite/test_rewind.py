"""A ref that somebody moved: noticed, told, mended."""

from __future__ import annotations

import pytest

from app.grite import (
    Identity,
    Log,
    Rewound,
)
from tests.grite.conftest import World, comment, git, said


def set_back(world: World, target: str | None) -> None:
    flags = ["-d", "refs/grite/wal"] if target is None else ["refs/grite/wal", target]
    git(world.repo("repo"), "update-ref", *flags)


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("deleted", [False, True])
def test_a_ref_that_was_set_back_is_noticed_and_restored(
    world: World, restarted: bool, deleted: bool
) -> None:
    log = world.log()
    first = log.append([comment("one")])
    second = log.append([comment("two")])
    set_back(world, None if deleted else first)
    log = world.log() if restarted else log
    rewound = log.read().rewound
    assert isinstance(rewound, Rewound)
    assert rewound.seen == second
    assert said(rewound.lost) == (["one", "two"] if deleted else ["two"])
    assert [finding.place for finding in log.verify()] == [f"refs/grite/wal {second[:12]}"]
    log.append([comment("three")])
    assert said(log.read().events) == ["one", "two", "three"]
    assert log.read().rewound is None
    assert git(world.repo("repo"), "merge-base", second, "refs/grite/wal") == second


@pytest.mark.parametrize("restarted", [False, True])
def test_a_forked_ref_is_noticed_and_its_lost_events_come_back(world: World, restarted: bool) -> None:
    log = world.log()
    first = log.append([comment("one")])
    log.append([comment("two")])
    set_back(world, first)
    stranger = Log(
        world.repo("repo"),
        identity=Identity.create(),
        state_dir=world.root / "x",
        clock=lambda: world.now + 9,
    )
    stranger.append([comment("instead")])
    log = world.log() if restarted else log
    rewound = log.read().rewound
    assert rewound is not None
    assert said(rewound.lost) == ["two"]
    assert log.read().rewound == rewound
    log.append([comment("three")])
    assert sorted(said(log.read().events)) == ["instead", "one", "three", "two"]
    assert log.read().rewound is None
    assert log.verify() == ()


def test_a_rewind_whose_objects_are_gone_is_still_told(world: World) -> None:
    log = world.log()
    log.append([comment("one")])
    second = log.append([comment("two")])
    (world.root / "repo.state" / "log.seen").write_text("ab" * 20)
    rewound = world.log().read().rewound
    assert rewound == Rewound("ab" * 20, ())
    again = world.log()
    again.append([comment("three")])
    assert again.read().rewound is None
    assert git(world.repo("repo"), "rev-parse", "refs/grite/wal~") == second


def test_a_head_that_somebody_dropped_is_in_the_reflog(world: World) -> None:
    log = world.log()
    first = log.append([comment("one")])
    second = log.append([comment("two")])
    set_back(world, first)
    assert second in (world.repo("repo") / "logs/refs/grite/wal").read_text()
