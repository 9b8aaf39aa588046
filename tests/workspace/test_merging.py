"""P5: a candidate is what git itself would make in a checkout, and the same each time."""

from __future__ import annotations

import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.ports import Candidate, CandidateKey
from app.workspace import Place, Publisher
from tests.workspace.world import Repo, World

MESSAGE = "Add JWT\n\nBrat-Task: task-1\n"
EDITS = st.lists(
    st.dictionaries(
        st.sampled_from(["a", "b", "src/c", "src/d"]),
        st.sampled_from(["x", "y", "z"]),
        min_size=1,
        max_size=2,
    ),
    min_size=1,
    max_size=3,
)


def publisher_of(world: World) -> Publisher:
    return Publisher(Place(world.person.path / ".git", world.state, world.bundle_path))


def key_of(world: World, publisher: Publisher, since: str, strategy: str) -> CandidateKey:
    head = world.agent.head
    publisher.mirror.take(world.agent.path, head, "refs/brat/work/s1")
    publisher.fetch((world.person.head,))
    return CandidateKey(world.person.head, head, since, strategy, MESSAGE, 1_700_000_000_123)


def in_a_checkout(world: World, key: CandidateKey) -> Repo | None:
    """The same by `git merge`, `git merge --squash` or `git rebase`; None when git stops at a conflict."""
    repo = Repo(world.bundles / f"checkout-{key.strategy}")
    world.agent.git("fetch", "--quiet", str(world.person.path), "main")
    world.agent.git("clone", "--quiet", ".", str(repo.path))
    repo.git("fetch", "--quiet", str(world.person.path), "main")
    repo.git("checkout", "--quiet", "--detach", key.head if key.strategy == "rebase" else key.base)
    # A commit of the work that the base holds already is not replayed.
    fork = repo.git("merge-base", key.base, key.head)
    commands = {
        "merge": ["merge", "--no-ff", "-m", MESSAGE, key.head],
        "squash": ["merge", "--squash", key.head],
        "rebase": ["rebase", "--empty=drop", "--onto", key.base, fork],
    }
    ran = subprocess.run(["git", *commands[key.strategy]], cwd=repo.path, capture_output=True, check=False)
    return repo if ran.returncode == 0 else None


@settings(max_examples=12)
@given(theirs=EDITS, ours=EDITS, strategy=st.sampled_from(["merge", "squash", "rebase"]))
@example(
    theirs=[{"b": "x"}, {"src/c": "x", "b": "y"}, {"a": "x"}],
    ours=[{"b": "x"}, {"a": "x"}, {"b": "y", "a": "y"}],
    strategy="rebase",
)
def test_same_tree_as_in_a_checkout(
    theirs: list[dict[str, str]], ours: list[dict[str, str]], strategy: str
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        world = World.make(Path(folder))
        since = world.person.head
        for edit in theirs:
            world.person.commit(dict(edit))
        for edit in ours:
            world.agent.commit(dict(edit))
        publisher = publisher_of(world)
        key = key_of(world, publisher, since, strategy)
        found, checkout = publisher.build(key), in_a_checkout(world, key)
        assert found is not None
        assert (checkout is None) == bool(found.conflicts)
        if checkout is not None:
            landed = found.tree or world.person.tree("HEAD")
            assert landed == checkout.git("write-tree")
            assert found.empty == (landed == world.person.tree("HEAD"))
        assert publisher_of(world).build(key) == found


def shown(publisher: Publisher, found: Candidate | None, form: str) -> str:
    assert found is not None
    assert found.commit is not None
    return publisher.mirror.git.text("log", f"--format={form}", "-1", found.commit)


@pytest.fixture
def moved(world: World) -> str:
    """Both sides moved, without conflict. Gives where the work started."""
    since = world.person.head
    world.person.commit({"README.md": "Auth, better\n"})
    world.agent.commit({"src/jwt.py": "1\n"}, "First\n\nwith a body")
    world.agent.commit({"src/jwt.py": "2\n"}, "Second")
    return since


def test_merge_has_two_parents_and_the_keys_message(world: World, publisher: Publisher, moved: str) -> None:
    key = key_of(world, publisher, moved, "merge")
    found = publisher.build(key)
    assert shown(publisher, found, "%P") == f"{key.base} {key.head}"
    assert shown(publisher, found, "%B") == MESSAGE.strip()
    assert shown(publisher, found, "%cn %ce %ct") == "brat brat@localhost 1700000000"


def test_squash_is_one_commit_by_the_works_author(world: World, publisher: Publisher, moved: str) -> None:
    key = key_of(world, publisher, moved, "squash")
    found = publisher.build(key)
    assert shown(publisher, found, "%P") == key.base
    assert shown(publisher, found, "%an %cn") == "Ada brat"
    assert shown(publisher, found, "%B") == MESSAGE.strip()


def test_rebase_keeps_authors_dates_and_messages(world: World, publisher: Publisher, moved: str) -> None:
    key = key_of(world, publisher, moved, "rebase")
    found = publisher.build(key)
    assert found is not None
    form = "%an %ae %ad %B"
    landed = publisher.mirror.git.text("log", f"--format={form}", f"{key.base}..{found.commit}")
    assert landed == world.agent.git("log", f"--format={form}", f"{moved}..HEAD")
    assert shown(publisher, found, "%cn") == "brat"


def test_rebase_on_the_base_it_started_from_is_the_work_itself(world: World, publisher: Publisher) -> None:
    since = world.person.head
    head = world.agent.commit({"a": "1"})
    found = publisher.build(key_of(world, publisher, since, "rebase"))
    assert found == Candidate(head, world.agent.tree(head))


def test_same_key_same_commit_in_another_mirror(world: World, moved: str, tmp_path: Path) -> None:
    for strategy in ("merge", "squash", "rebase"):
        found = []
        for name in ("one", "two"):
            publisher = Publisher(Place(world.person.path / ".git", tmp_path / name, world.bundle_path))
            found.append(publisher.build(key_of(world, publisher, moved, strategy)))
        assert found[0] == found[1]


@pytest.mark.parametrize("strategy", ["merge", "squash", "rebase"])
def test_conflict_names_paths_and_gits_words(world: World, publisher: Publisher, strategy: str) -> None:
    since = world.person.head
    world.person.commit({"src/auth.py": "theirs\n", "new ü": "theirs"})
    world.agent.commit({"src/auth.py": "ours\n", "new ü": "ours"}, "Clash")
    found = publisher.build(key_of(world, publisher, since, strategy))
    assert found is not None
    assert found.commit is None
    assert not found.empty
    assert found.conflicts == ("new ü", "src/auth.py")
    assert "CONFLICT (content): Merge conflict in src/auth.py" in found.detail
    assert ("replaying" in found.detail) == (strategy == "rebase")


@pytest.mark.parametrize("strategy", ["merge", "squash", "rebase"])
def test_the_same_change_landed_before_leaves_nothing(
    world: World, publisher: Publisher, strategy: str
) -> None:
    since = world.person.head
    for repo in (world.person, world.agent):
        repo.commit({"src/auth.py": "same\n"})
    world.person.commit({"other": "1"})
    found = publisher.build(key_of(world, publisher, since, strategy))
    assert found is not None
    assert found.empty
    assert found.commit is None


def test_a_base_whose_changes_the_branch_has_already_is_merged_into_it_all_the_same(
    world: World, publisher: Publisher
) -> None:
    since = world.person.head
    world.person.commit({"src/auth.py": "same\n"}, "Landed before")
    world.agent.commit({"src/auth.py": "same\n"}, "Again")
    asked = key_of(world, publisher, since, "update")
    key = replace(asked, base=asked.head, head=asked.base)
    found = publisher.build(key)
    assert shown(publisher, found, "%P") == f"{key.base} {key.head}"
    assert found is not None
    assert found.tree == world.agent.tree("HEAD")


def test_rebase_drops_a_commit_that_becomes_empty_and_keeps_the_rest(
    world: World, publisher: Publisher
) -> None:
    since = world.person.head
    world.person.commit({"src/auth.py": "same\n"}, "Landed before")
    world.agent.commit({"src/auth.py": "same\n"}, "Again")
    world.agent.commit({"b": "1"}, "Rest")
    key = key_of(world, publisher, since, "rebase")
    found = publisher.build(key)
    assert shown(publisher, found, "%s %P") == f"Rest {key.base}"


def test_replayed_commits_meet_what_moved_under_them(world: World, publisher: Publisher, moved: str) -> None:
    found = publisher.build(key_of(world, publisher, moved, "rebase"))
    assert found is not None
    assert publisher.mirror.git.text("show", f"{found.tree}:README.md") == "Auth, better"
    assert publisher.mirror.git.text("show", f"{found.tree}:src/jwt.py") == "2"


def test_work_that_the_base_contains_leaves_nothing(world: World, publisher: Publisher) -> None:
    since = world.person.head
    world.agent.commit({"a": "1"})
    world.person.git("pull", "--quiet", "--ff-only", str(world.agent.path), "convoy/jwt/task-1")
    found = publisher.build(key_of(world, publisher, since, "rebase"))
    assert found is not None
    assert found.empty


def test_merge_commit_in_the_work_is_squashed_and_said(
    world: World, publisher: Publisher, moved: str
) -> None:
    world.agent.git("checkout", "--quiet", "-b", "side", moved)
    world.agent.commit({"side": "1"})
    world.agent.git("checkout", "--quiet", "convoy/jwt/task-1")
    world.agent.git("merge", "--quiet", "--no-ff", "-m", "join", "side")
    key = key_of(world, publisher, moved, "rebase")
    found = publisher.build(key)
    assert shown(publisher, found, "%P") == key.base
    assert found is not None
    assert "it was squashed" in found.detail


def test_unrelated_histories_are_a_conflict_of_everything(world: World, publisher: Publisher) -> None:
    since = world.person.head
    world.agent.git("checkout", "--quiet", "--orphan", "alone")
    world.agent.commit({"a": "1"})
    found = publisher.build(key_of(world, publisher, since, "merge"))
    assert found == Candidate(None, conflicts=(".",), detail="the work and the base have no common history")


def test_candidate_survives_gc_and_is_unknown_without_its_commits(
    world: World, publisher: Publisher, moved: str
) -> None:
    key = key_of(world, publisher, moved, "merge")
    found = publisher.build(key)
    publisher.mirror.git.text("reflog", "expire", "--expire=now", "--all")
    publisher.mirror.git.text("gc", "--quiet", "--prune=now")
    assert shown(publisher, found, "%P") == f"{key.base} {key.head}"
    assert publisher.build(replace(key, head="1" * 40)) is None
