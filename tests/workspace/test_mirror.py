"""The mirror holds what was asked for and nothing private, and never loses what is kept."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from app.errors import OperatorError, RepositoryError
from app.workspace import Mirror
from app.workspace.git import Answer, Git, Overflow
from tests.workspace.world import World, in_the_folder_that_git_counts


def test_only_what_the_fetched_refs_reach(world: World) -> None:
    person = world.person
    person.git("branch", "private", person.raw_commit(person.raw_tree()))
    person.write_all({"src/auth.py": "password"})
    person.git("stash")
    thrown_away = person.blob(b"thrown away secret")
    mirror = Mirror(world.state, person.path / ".git")
    mirror.fetch([person.head])
    assert mirror.has(person.head)
    for secret in (person.at("refs/heads/private"), person.at("refs/stash"), thrown_away):
        assert not mirror.git.holds("cat-file", "-e", str(secret))
    assert mirror.git.text("for-each-ref", "--format=%(refname)") == f"refs/brat/seen/{person.head}"
    assert not (mirror.repository / "objects/info/alternates").exists()


def test_fetching_what_is_here_starts_no_git(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    mirror = Mirror(world.state, world.person.path / ".git")
    mirror.fetch([world.person.head])
    head = world.person.head
    monkeypatch.setenv("PATH", "")
    mirror.fetch([head])
    assert mirror.has(head)


def test_deleted_mirror_is_made_again(world: World) -> None:
    Mirror(world.state, world.person.path / ".git").fetch([world.person.head])
    subprocess.run(["rm", "-rf", str(world.state)], check=True)
    again = Mirror(world.state, world.person.path / ".git")
    assert not again.has(world.person.head)
    again.fetch([world.person.head])
    assert again.has(world.person.head)


def test_half_made_mirror_is_made_again(world: World) -> None:
    (world.state / "mirror.new/objects").mkdir(parents=True)
    mirror = Mirror(world.state, world.person.path / ".git")
    mirror.fetch([world.person.head])
    assert mirror.has(world.person.head)


def test_gc_waits_for_no_session_and_a_fetch_neither(world: World) -> None:
    mirror = Mirror(world.state, world.person.path / ".git")
    old = world.person.head
    mirror.fetch([old])
    with mirror.using():
        assert mirror.gc(over=(), keep=()) is False
        new = world.person.commit({"a": "1"})
        mirror.fetch([new])
    assert refs(mirror) == {f"seen/{old}", f"seen/{new}"}
    assert mirror.gc(over=(), keep=[new]) is True
    assert refs(mirror) == {f"seen/{new}"}


def test_gc_forgets_built_merges_and_work_that_is_over_and_keeps_the_rest(world: World) -> None:
    mirror = Mirror(world.state, world.person.path / ".git")
    head = world.person.head
    mirror.fetch([head])
    names = ("candidates/one", "work/s-1", "work/s-2", "remotes/origin/heads/main")
    for name in names:
        mirror.keep(f"refs/brat/{name}", head)
    assert mirror.gc(over=["s-1"], keep=[]) is True
    assert refs(mirror) == {"work/s-2", "remotes/origin/heads/main"}


def test_after_a_gc_every_process_asks_anew_what_is_there(world: World) -> None:
    one, other = (Mirror(world.state, world.person.path / ".git") for _ in range(2))
    one.fetch([world.person.head])
    other.fetch([world.person.head])
    assert one.gc(over=(), keep=()) is True
    assert refs(other) == set()
    other.fetch([world.person.head])
    assert refs(other) == {f"seen/{world.person.head}"}


def test_a_gc_that_takes_too_long_is_the_operators_matter(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    mirror, feed = Mirror(world.state, world.person.path / ".git"), Git.feed
    mirror.fetch([world.person.head])

    def late(git: Git, source: int, *args: str, **more: Any) -> Answer:
        if "gc" in args:
            raise Overflow("git gc took longer than that")
        return feed(git, source, *args, **more)

    monkeypatch.setattr(Git, "feed", late)
    with pytest.raises(OperatorError, match="took longer"):
        mirror.gc(over=(), keep=())


def test_gc_packs_once_much_is_loose(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.workspace.packing.PACKING", ("gc.auto=1", "gc.autoDetach=false"))
    mirror = Mirror(world.state, world.person.path / ".git")
    mirror.fetch([world.person.head])
    for word in in_the_folder_that_git_counts(2):
        mirror.git.text("hash-object", "-w", "--stdin", stdin=word)
    mirror.gc(over=(), keep=[world.person.head])
    assert list((mirror.repository / "objects/pack").glob("*.pack"))


def refs(mirror: Mirror) -> set[str]:
    """Names of the mirror's refs below `refs/brat/`."""
    return set(mirror.git.text("for-each-ref", "--format=%(refname:lstrip=2)").split())


def test_commit_that_is_nowhere_is_said(world: World) -> None:
    with pytest.raises(RepositoryError, match="a branch points at a commit that is not there"):
        Mirror(world.state, world.person.path / ".git").fetch(["1" * 40])


def test_a_fetch_that_takes_too_long_is_the_operators_matter_and_the_first_has_an_hour(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    mirror, limits, feed = Mirror(world.state, world.person.path / ".git"), list[float](), Git.feed

    def late(git: Git, source: int, *args: str, **more: Any) -> Answer:
        if "fetch" in args:
            limits.append(git.timeout)
            raise Overflow("git fetch took longer than that")
        return feed(git, source, *args, **more)

    with monkeypatch.context() as patch:
        patch.setattr(Git, "feed", late)
        with pytest.raises(OperatorError, match="took longer"):
            mirror.fetch([world.person.head])
    left = mirror.repository / "objects" / "pack" / "tmp_pack_aB3dE6"
    left.touch()
    mirror.fetch([world.person.head])
    assert not left.exists()
    monkeypatch.setattr(Git, "feed", late)
    with pytest.raises(OperatorError):
        mirror.fetch([world.person.commit({"a": "1"})])
    assert limits == [3600.0, 120.0]


def test_settings_of_the_person_have_no_say(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "gitconfig"
    settings.write_text("[core]\n\thooksPath = /nowhere\n[fetch]\n\tfsckObjects = maybe\n[transfer]\n\tx\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    mirror = Mirror(world.state, world.person.path / ".git")
    mirror.fetch([world.agent.git("rev-parse", "HEAD")])
    assert mirror.git.text("config", "--get", "core.hooksPath") == "/dev/null"
