"""Changes of workflow files are read as a patch that applies, and it is seen when the base has them."""

from __future__ import annotations

import pytest

from app.ports import DiffKey, Patch, PatchKey
from app.workspace import Publisher
from app.workspace.git import Answer, Git
from tests.workspace.world import World

CI = ".github/workflows/ci.yml"


def read(world: World, publisher: Publisher, files: dict[str, str | None]) -> tuple[PatchKey, Patch | None]:
    """Of one commit on top of the base."""
    since = world.person.head
    head = world.agent.commit(files)
    world.agent.git("push", "--quiet", "origin", "HEAD")
    publisher.fetch((head,))
    key = PatchKey(since, head, since)
    return key, publisher.patch(key)


def test_the_patch_holds_workflow_files_alone_and_applies(world: World, publisher: Publisher) -> None:
    key, patch = read(world, publisher, {CI: "on: push\n", "src/auth.py": "new\n", ".github/x.yml": "x\n"})
    assert patch is not None
    assert (patch.paths, patch.there) == ((CI,), False)
    assert "src/auth.py" not in patch.text
    world.person.git("apply", "--index", stdin=patch.text.encode())
    base = world.person.commit({"README.md": "And more\n"})
    publisher.fetch((base,))
    after = publisher.patch(PatchKey(key.since, key.head, base))
    assert after is not None
    assert after.there


def test_a_file_that_is_other_in_the_base_is_not_there(world: World, publisher: Publisher) -> None:
    key, _ = read(world, publisher, {CI: "on: push\n"})
    base = world.person.commit({CI: "on: pull_request\n"})
    publisher.fetch((base,))
    patch = publisher.patch(PatchKey(key.since, key.head, base))
    assert patch is not None
    assert not patch.there


def test_work_without_workflow_files_has_nothing_to_hand_over(world: World, publisher: Publisher) -> None:
    _, patch = read(world, publisher, {"src/auth.py": "new\n"})
    assert patch == Patch((), "", there=True)


def test_a_patch_too_long_for_a_page_names_its_files_only(world: World, publisher: Publisher) -> None:
    _, patch = read(world, publisher, {CI: "# long\n" * 20_000})
    assert patch == Patch((CI,), "", there=False)


def test_commits_that_are_not_here_tell_nothing(world: World, publisher: Publisher) -> None:
    assert publisher.patch(PatchKey(world.person.head, "f" * 40, world.person.head)) is None


def test_all_of_held_work_is_shown_or_nothing(world: World, publisher: Publisher) -> None:
    since = world.person.head
    head = world.agent.commit({"src/auth.py": "new\n", CI: "on: push\n"})
    assert publisher.diff(DiffKey(since, head)) is None
    world.agent.git("push", "--quiet", "origin", "HEAD")
    publisher.fetch((head,))
    shown = publisher.diff(DiffKey(since, head)) or ""
    assert "+new\n" in shown
    assert "+on: push\n" in shown
    long = world.agent.commit({"src/auth.py": "x\n" * 40_000})
    world.agent.git("push", "--quiet", "origin", "HEAD")
    publisher.fetch((long,))
    assert publisher.diff(DiffKey(since, long)) == ""


def test_half_of_held_work_is_never_shown(
    world: World, publisher: Publisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = DiffKey(world.person.head, world.agent.commit({"a.txt": "seen\n", "z.txt": "torn\n"}))
    world.agent.git("push", "--quiet", "origin", "HEAD")
    publisher.fetch((key.head,))
    torn = Answer(128, b"diff --git a/a.txt b/a.txt\n+seen\n", "fatal: unable to read")
    with monkeypatch.context() as patch:
        patch.setattr(Git, "run", lambda *_, **__: torn)
        assert publisher.diff(key) is None
    assert "+torn" in (publisher.diff(key) or "")
