"""T8: hostile and broken bundles are refused in words, and leave nothing behind."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from app.ports import Inspection, WorkKey
from app.workspace import Place, Publisher, Rules
from tests.workspace.world import World, fingerprint

BRANCH = "convoy/jwt/task-1"
TIP = f"refs/heads/{BRANCH}"


def look(world: World, publisher: Publisher, session: str = "s1", head: str | None = None) -> Inspection:
    return publisher.inspect(WorkKey(session, world.person.head, head or world.agent.head, BRANCH))


def problem(world: World, publisher: Publisher, *, head: str | None = None) -> str:
    found = look(world, publisher, head=head)
    assert publisher.mirror.reads("refs/brat/work/s1") is None
    return "; ".join(found.problems)


def raw_work(world: World, *entries: tuple[str, bytes, str]) -> None:
    """One commit on the base whose tree holds the base's tree and these entries."""
    agent = world.agent
    kept = [("100644", b"README.md", agent.git("rev-parse", "HEAD:README.md"))]
    kept.append(("40000", b"src", agent.git("rev-parse", "HEAD:src")))
    every = sorted([*kept, *entries], key=lambda each: each[1])
    commit = agent.raw_commit(agent.raw_tree(*every), agent.head)
    agent.git("update-ref", TIP, commit)
    world.bundle("s1")


def test_good_work_is_taken_into_the_mirror(world: World, publisher: Publisher) -> None:
    world.agent.commit({"src/auth.py": "a\nb\nc\nd\ne\nf\n", "docs/api.md": "JWT\n"})
    world.agent.commit({"README.md": None})
    world.bundle("s1")
    found = look(world, publisher)
    assert found.problems == ()
    assert found.touched == ("README.md", "docs/api.md", "src/auth.py")
    assert found.commits == 2
    assert publisher.mirror.reads("refs/brat/work/s1") == world.agent.head


def test_looking_again_answers_the_same_without_the_bundle(world: World, publisher: Publisher) -> None:
    world.agent.commit({"a": "1"})
    world.bundle("s1")
    first = look(world, publisher)
    world.bundle_path("s1").unlink()
    fresh = Publisher(Place(world.person.path / ".git", world.state, world.bundle_path))
    assert look(world, fresh) == first
    assert first.problems == ()


def test_missing_bundle_is_looked_at_again_once_it_is_there(world: World, publisher: Publisher) -> None:
    world.agent.commit({"a": "1"})
    assert look(world, publisher).problems == ("the session left no bundle",)
    world.bundle("s1")
    assert look(world, publisher).problems == ()


def damaged(world: World, how: Callable[[bytes], bytes]) -> None:
    world.agent.commit({"a": "1", "b": "x" * 5000})
    world.bundle("s1")
    file = world.bundle_path("s1")
    file.write_bytes(how(file.read_bytes()))


@pytest.mark.parametrize(
    ("how", "words"),
    [
        (lambda data: b"", "the bundle is empty"),
        (lambda data: b"PK\x03\x04" + data, "the file is not a git bundle"),
        (lambda data: data[:40], "header has no end"),
        (lambda data: data[: data.index(b"\n\n") + 6], "has no pack"),
        (lambda data: data[:-30], "git refuses the bundle's objects"),
        (lambda data: data[:-9] + b"\0\0\0" + data[-6:], "git refuses the bundle's objects"),
        (lambda data: data.replace(b"# v2", b"# v9"), "not a git bundle"),
        (lambda data: data.replace(b"\n\n", b"\nrubbish\n\n", 1), "a line that means nothing"),
        (lambda data: data.replace(b"# v2 git bundle\n", b"# v3 git bundle\n@filter=blob:none\n"), "filter"),
    ],
)
def test_t8_damaged_bundle(
    world: World, publisher: Publisher, how: Callable[[bytes], bytes], words: str
) -> None:
    damaged(world, how)
    assert words in problem(world, publisher)


def test_t8_any_byte_changed_never_raises(world: World, publisher: Publisher) -> None:
    world.agent.commit({"a": "1"})
    world.bundle("s1")
    good = world.bundle_path("s1").read_bytes()
    chance = random.Random(8)
    for n in range(25):
        data = bytearray(good)
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        world.bundle_path(f"f{n}").write_bytes(
            data[: chance.choice([len(data), chance.randrange(len(data))])]
        )
        found = look(world, publisher, f"f{n}")
        kept = publisher.mirror.reads(f"refs/brat/work/f{n}")
        assert kept == (None if found.problems else world.agent.head)


def test_t8_wrong_ref(world: World, publisher: Publisher) -> None:
    world.agent.commit({"a": "1"})
    world.agent.git("branch", "main-2")
    world.bundle("s1", "origin/main..main-2")
    assert "the bundle's ref is 'refs/heads/main-2', expected" in problem(world, publisher)


def test_t8_two_refs(world: World, publisher: Publisher) -> None:
    world.agent.commit({"a": "1"})
    world.agent.git("update-ref", "refs/grite/wal", "HEAD")
    world.bundle("s1", "^origin/main", BRANCH, "refs/grite/wal")
    assert "the bundle has 2 refs" in problem(world, publisher)


def test_t8_ten_thousand_refs(world: World, publisher: Publisher) -> None:
    head = world.agent.commit({"a": "1"})
    told = sorted(f"{head} refs/heads/x{n}\n" for n in range(10_000))
    (world.agent.path / ".git/packed-refs").write_text(
        "# pack-refs with: peeled fully-peeled sorted \n" + "".join(told)
    )
    world.bundle("s1", "^main", "--branches")
    assert "header has no end within 64 KB" in problem(world, publisher)


def test_t8_other_head_than_the_session_said(world: World, publisher: Publisher) -> None:
    first = world.agent.commit({"a": "1"})
    world.agent.commit({"a": "2"})
    world.bundle("s1")
    assert "the session said" in problem(world, publisher, head=first)


def test_t8_does_not_descend_from_the_base(world: World, publisher: Publisher) -> None:
    world.agent.git("checkout", "--quiet", "--orphan", "alone")
    world.agent.commit({"a": "1"})
    world.agent.git("branch", "--quiet", "-f", BRANCH)
    world.bundle("s1", BRANCH)
    assert "does not descend from the base" in problem(world, publisher)


def test_t8_missing_objects(world: World, publisher: Publisher) -> None:
    hidden = world.agent.commit({"a": "1"})
    world.agent.commit({"b": "2"})
    world.bundle("s1", f"{hidden}..{BRANCH}")
    assert "which is not known here" in problem(world, publisher)


def test_t8_pack_without_a_blob_of_its_tree(world: World, publisher: Publisher) -> None:
    blob = world.agent.blob(b"secret of another repository")
    raw_work(world, ("100644", b"x", blob))
    pack = world.agent.git("rev-parse", "HEAD", "HEAD^{tree}").encode()
    header = f"# v2 git bundle\n-{world.person.head} \n{world.agent.head} {TIP}\n\n".encode()
    name = world.agent.git("pack-objects", "--quiet", str(world.bundles / "p"), stdin=pack + b"\n")
    world.bundle_path("s1").write_bytes(header + (world.bundles / f"p-{name}.pack").read_bytes())
    assert "git refuses the bundle's objects" in problem(world, publisher)


@pytest.mark.parametrize(
    "name",
    [
        b".git",
        b".GIT",
        ".g\u200cit".encode(),
        b"git~1",
        b".git ",
        b".git.",
        b".git::$INDEX_ALLOCATION",
        b"..",
    ],
)
def test_t8_entry_that_reaches_gits_folder(world: World, publisher: Publisher, name: bytes) -> None:
    blob = world.agent.blob(b"[core]\n\tfsmonitor = touch /tmp/owned\n")
    folder = world.agent.raw_tree(("100644", b"config", blob))
    raw_work(world, ("40000", name, folder))
    assert "git refuses the bundle's objects" in problem(world, publisher)


def test_t8_hidden_in_a_commit_that_a_later_one_takes_back(world: World, publisher: Publisher) -> None:
    clean = world.agent.tree("HEAD")
    raw_work(world, ("40000", b".Git", world.agent.raw_tree()))
    world.agent.git("update-ref", TIP, world.agent.raw_commit(clean, world.agent.head))
    world.bundle("s1")
    assert "git refuses the bundle's objects" in problem(world, publisher)


@pytest.mark.parametrize(
    "target", ["/etc/passwd", "../../x", "a/../../..", "../src/../..", ".git/config", "C:\\x"]
)
def test_t8_link_out_of_the_tree(world: World, publisher: Publisher, target: str) -> None:
    raw_work(world, ("120000", b"ln", world.agent.blob(target.encode())))
    assert "'ln' is a link" in problem(world, publisher)


def test_link_inside_the_tree_is_fine(world: World, publisher: Publisher) -> None:
    (world.agent.path / "src/link").symlink_to("../README.md")
    world.agent.commit({})
    world.bundle("s1")
    assert look(world, publisher).problems == ()


def test_t8_submodule(world: World, publisher: Publisher) -> None:
    raw_work(world, ("160000", b"vendor", "1" * 40))
    assert "'vendor' adds or moves a submodule" in problem(world, publisher)


@pytest.mark.parametrize(
    ("mode", "name", "words"),
    [
        ("100664", b"x", "badFilemode"),
        ("100644", b"a\nb", "control character"),
        ("100644", b"a\x1b[2J", "control character"),
        ("100644", b"\xff\xfe", "not UTF-8"),
        ("100644", b"readme.MD", "only in case"),
        ("120000", b"SRC", "only in case"),
    ],
)
def test_t8_odd_entries(world: World, publisher: Publisher, mode: str, name: bytes, words: str) -> None:
    raw_work(world, (mode, name, world.agent.blob(b"README.md")))
    assert words in problem(world, publisher)


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (Rules(blob_bytes=1000), "has 5000 bytes, 1000 are allowed"),
        (Rules(files=2), "adds 3 files, 2 are allowed"),
        (Rules(commits=1), "more than 1 commits"),
        (Rules(objects=3), "objects, 3 are allowed"),
        (Rules(bundle_bytes=100), "bytes, 100 are allowed"),
    ],
)
def test_t8_too_much_of_anything(world: World, rules: Rules, words: str) -> None:
    publisher = Publisher(Place(world.person.path / ".git", world.state, world.bundle_path), rules)
    publisher.fetch((world.person.head,))
    world.agent.commit({"a": "x" * 5000, "b": "1"})
    world.agent.commit({"c": "1"})
    world.bundle("s1")
    assert words in problem(world, publisher)


def test_t8_a_tree_that_names_itself_a_billion_times(world: World, publisher: Publisher) -> None:
    tree = world.agent.raw_tree(("100644", b"f", world.agent.blob(b"boom")))
    for _ in range(9):
        tree = world.agent.raw_tree(*(("40000", f"d{n}".encode(), tree) for n in range(10)))
    raw_work(world, ("40000", b"bomb", tree))
    assert "adds 1000000000 files, 2000 are allowed" in problem(world, publisher)


def test_nothing_but_our_folder_changes(world: World, publisher: Publisher, tmp_path: Path) -> None:
    before = fingerprint(world.person.path, leaving_out=(".git/brat",))
    raw_work(world, ("40000", b".git", world.agent.raw_tree()))
    problem(world, publisher)
    assert fingerprint(world.person.path, leaving_out=(".git/brat",)) == before
    assert not list(world.state.glob("inspect-*"))
