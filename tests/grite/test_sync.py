"""Several clones, one remote: all events of all come together."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.errors import Moved, OperatorError, RepositoryError, UserError
from app.grite import Log
from app.grite.wal import WAL
from tests.grite.conftest import World, comment, git, said


def hub(world: World) -> str:
    return str(world.repo("hub"))


def test_a_remote_without_a_log_gets_one(world: World) -> None:
    log = world.log("a")
    head = log.append([comment("one")])
    assert log.sync(hub(world)).head == head == git(world.repo("hub"), "rev-parse", WAL)


def test_a_clone_without_a_log_gets_the_remotes_commits(world: World) -> None:
    world.log("a").append([comment("one")])
    head = world.log("a").sync(hub(world)).head
    synced = world.log("b").sync(hub(world))
    assert (synced.head, synced.received) == (head, 2)
    assert world.log("b").read() == world.log("a").read()


def test_nothing_on_either_side_is_no_error(world: World) -> None:
    assert world.log("a").sync(hub(world)).head is None


def test_clones_that_wrote_while_apart_come_together(world: World) -> None:
    a, b = world.log("a"), world.log("b")
    a.append([comment("common")])
    a.sync(hub(world))
    b.sync(hub(world))
    a.append([comment("a")])
    world.now += 1000
    b.append([comment("b")])
    a.sync(hub(world))
    remote = git(world.repo("hub"), "rev-parse", WAL)
    assert b.sync(hub(world)).received == 1
    assert git(world.repo("hub"), "merge-base", remote, WAL) == remote
    a.sync(hub(world))
    assert a.read() == b.read()
    assert said(a.read().events) == ["common", "a", "b"]
    assert a.verify() == b.verify() == ()


def test_logs_with_nothing_in_common_are_united(world: World) -> None:
    a, b = world.log("a"), world.log("b")
    a.append([comment("a")])
    world.now += 1000
    b.append([comment("b")])
    a.sync(hub(world))
    b.sync(hub(world))
    assert said(b.read().events) == ["a", "b"]
    assert b.read().rewound is None


def test_a_remote_that_was_set_back_is_told_and_mended(world: World) -> None:
    a = world.log("a")
    first = a.append([comment("one")])
    second = a.append([comment("two")])
    a.sync(hub(world))
    git(world.repo("hub"), "update-ref", WAL, first)
    synced = a.sync(hub(world))
    assert (synced.rewound, synced.head) == (second, second)
    assert git(world.repo("hub"), "rev-parse", WAL) == second
    git(world.repo("hub"), "update-ref", "-d", WAL)
    assert a.sync(hub(world)).rewound == second
    assert git(world.repo("hub"), "rev-parse", WAL) == second


def test_a_fetch_by_hand_that_drops_unpushed_commits_costs_no_event(world: World) -> None:
    a = world.log("a")
    a.append([comment("pushed")])
    a.sync(hub(world))
    a.append([comment("not pushed")])
    git(world.repo("a"), "fetch", "--quiet", hub(world), "+refs/grite/*:refs/grite/*")
    assert said(a.read().events) == ["pushed"]
    world.log("a").sync(hub(world))
    assert said(a.read().events) == ["pushed", "not pushed"]
    assert git(world.repo("hub"), "rev-parse", WAL) == a.read().head


def test_a_push_against_a_moved_remote_is_refused(world: World) -> None:
    a, b = world.log("a"), world.log("b")
    a.append([comment("a")])
    b.append([comment("b")])
    a.sync(hub(world))
    with pytest.raises(Moved):
        b.push(hub(world))
    assert git(world.repo("hub"), "rev-parse", WAL) == a.read().head


def test_a_damaged_remote_does_not_reach_the_local_log(world: World) -> None:
    a = world.log("a")
    a.append([comment("one")])
    head = a.sync(hub(world)).head
    repo = world.repo("hub")
    blob = git(repo, "hash-object", "-w", "config")
    tree = git(repo, "mktree", "--missing", input=f"100644 blob {blob}\tx.bin\n")
    outer = git(repo, "mktree", input=f"040000 tree {tree}\tevents\n")
    git(repo, "update-ref", WAL, git(repo, "commit-tree", outer, "-p", str(head), "-m", "bad"))
    with pytest.raises(RepositoryError, match="damaged"):
        a.sync(hub(world))
    assert said(a.read().events) == ["one"]
    assert git(world.repo("a"), "rev-parse", WAL) == head


def test_a_refusing_remote_is_an_error_with_its_reason(world: World) -> None:
    hook = world.repo("hub") / "hooks" / "pre-receive"
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    log = world.log("a")
    log.append([comment("one")])
    with pytest.raises(OperatorError, match="pre-receive hook declined"):
        log.sync(hub(world))
    hook.unlink()
    assert log.sync(hub(world)).attempts == 1


def test_an_unreachable_remote_is_named_without_its_password(world: World) -> None:
    with pytest.raises(OperatorError) as caught:
        world.log("a").fetch("https://user:secret@127.0.0.1:1/x.git")
    assert "secret" not in str(caught.value)
    assert "127.0.0.1" in str(caught.value)


def test_an_option_is_no_remote(world: World) -> None:
    with pytest.raises(UserError):
        world.log("a").fetch("--upload-pack=touch x")


def test_snapshots_go_along_and_pruned_ones_leave(world: World) -> None:
    log = world.log("a")
    for text in ("one", "two", "three"):
        log.append([comment(text)])
        log.snapshot()
        log.sync(hub(world))
    listing = ("for-each-ref", "--format=%(refname) %(objectname)", "refs/grite/snapshots")
    assert git(world.repo("hub"), *listing) == git(world.repo("a"), *listing)
    assert len(git(world.repo("hub"), *listing).splitlines()) == 2


def test_the_users_hooks_do_not_run(world: World) -> None:
    for name in ("pre-push", "reference-transaction", "post-checkout"):
        hook = world.repo("a") / "hooks" / name
        hook.write_text(f"#!/bin/sh\ntouch {world.root}/ran\n")
        hook.chmod(0o755)
    log = world.log("a")
    log.append([comment("one")])
    log.sync(hub(world))
    assert not (world.root / "ran").exists()


def test_git_s_own_variables_do_not_lead_astray(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    log = world.log("a")
    monkeypatch.setenv("GIT_DIR", str(world.root / "elsewhere"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(world.root / "elsewhere"))
    log.append([comment("one")])
    monkeypatch.delenv("GIT_DIR")
    monkeypatch.delenv("GIT_OBJECT_DIRECTORY")
    assert git(world.repo("a"), "rev-parse", WAL) == log.read().head


moves = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from(["append", "fetch", "push", "sync", "tick"])),
    max_size=14,
)


def act(log: Log, what: str, remote: str) -> None:
    try:
        {"fetch": log.fetch, "push": log.push, "sync": log.sync}[what](remote)
    except Moved:
        assert what == "push"


@settings(max_examples=15)
@given(plan=moves)
def test_any_interleaving_of_writers_converges_with_no_event_lost(
    plan: list[tuple[str, str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    world, written = World(tmp_path_factory.mktemp("world")), list[str]()
    logs, remote = {name: world.log(name) for name in "abc"}, hub(world)
    for number, (name, what) in enumerate(plan):
        if what == "tick":
            world.now += 50
        elif what == "append":
            logs[name].append([comment(f"{number}")])
            written.append(f"{number}")
        else:
            act(logs[name], what, remote)
    for name in "abcab":
        logs[name].sync(remote)
    read = [world.log(name).read() for name in "abc"]
    assert read[0] == read[1] == read[2]
    assert sorted(said(read[0].events)) == sorted(written)
    assert all(logs[name].verify() == () for name in "abc")


Sample = Callable[[str], Path]


def test_a_clone_whose_grite_sync_fails_for_good_is_united(world: World, sample: Sample) -> None:
    """Its events are in its local ref only: read that, append what the remote lacks, push."""
    stuck = sample("signed")
    ours = world.log("a")
    world.now = 1_795_260_000_000
    ours.append([comment("ours")])
    ours.sync(hub(world))
    before = git(world.repo("hub"), "rev-parse", WAL)
    log = Log(stuck, identity=ours.identity, state_dir=world.root / "s", clock=lambda: world.now)
    assert log.sync(hub(world)).attempts == 1
    ours.sync(hub(world))
    assert len(ours.read().events) == 16 + 2
    assert git(stuck, "merge-base", before, WAL) == before
