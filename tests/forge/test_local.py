"""One look at a plain repository, and what is moved by it."""

from __future__ import annotations

from app.forge import LocalForge
from app.ports import CandidateKey, Done, Forge, RefMove, Refused, Wanted, WorkKey
from tests.workspace.world import World

MAIN = "refs/heads/main"
TASK = "refs/heads/convoy/jwt/task-1"


def test_local_forge_is_a_forge(forge: LocalForge) -> None:
    port: Forge = forge
    assert port.push(()) == Done()


def test_refs_that_do_not_exist_are_absent(world: World, forge: LocalForge) -> None:
    seen = forge.observe(Wanted(refs=(MAIN, TASK, "refs/grite/wal", "no such ref")))
    assert seen.refs == {MAIN: world.person.head}


def test_the_names_below_a_folder_are_told_whatever_is_packed(world: World, forge: LocalForge) -> None:
    for name in ("convoy/jwt/task-1", "convoyed", "other"):
        world.person.git("branch", name)
    world.person.git("pack-refs", "--all")
    world.person.git("branch", "convoy/jwt/task-2")
    seen = forge.observe(Wanted(folders=("refs/heads/convoy/",)))
    assert seen.names == {TASK, "refs/heads/convoy/jwt/task-2"}
    assert not forge.observe(Wanted(refs=(MAIN,))).names


def test_what_others_write_is_seen_at_the_next_look_also_packed(world: World, forge: LocalForge) -> None:
    wanted = Wanted(refs=(MAIN,))
    forge.observe(wanted)
    new = world.person.commit({"a": "1"})
    world.person.git("gc", "--quiet")
    assert forge.observe(wanted).refs == {MAIN: new}


def test_contains_means_in_the_history_of_a_ref_that_exists(world: World, forge: LocalForge) -> None:
    old = world.person.head
    new = world.person.commit({"a": "1"})
    world.person.git("branch", "behind", old)
    asked = ((MAIN, old), (MAIN, new), ("refs/heads/behind", new), (TASK, old), (MAIN, "1" * 40))
    assert forge.observe(Wanted(contains=asked)).contains == {(MAIN, old), (MAIN, new)}


def test_from_bundle_to_landed_and_taken_over(world: World, forge: LocalForge) -> None:
    base = world.person.head
    head = world.agent.commit({"src/jwt.py": "1"})
    world.bundle("s1")
    work = WorkKey("s1", base, head, "convoy/jwt/task-1")
    seen = forge.observe(Wanted(refs=(MAIN, TASK), works=(work,), checkouts=("main",)))
    assert seen.works[work].problems == ()
    assert forge.push((RefMove(TASK, None, head),)) == Done()
    key = CandidateKey(base, head, base, "squash", "Add JWT", 1_700_000_000_000)
    candidate = forge.observe(Wanted(refs=(MAIN, TASK), candidates=(key,))).candidates[key]
    assert candidate.commit is not None
    assert forge.push((RefMove("refs/heads/convoy/jwt/main", None, candidate.commit),)) == Done()
    move = RefMove(MAIN, base, candidate.commit)
    assert isinstance(forge.push((move,)), Refused)
    assert forge.take_over(seen.checkouts["main"], move, None) == Done()
    assert (world.person.path / "src/jwt.py").read_text() == "1"
    assert forge.observe(Wanted(contains=((MAIN, candidate.commit),))).contains


def test_candidate_whose_commits_are_nowhere_is_left_out(world: World, forge: LocalForge) -> None:
    key = CandidateKey(world.person.head, "1" * 40, world.person.head, "merge", "x", 0)
    assert forge.observe(Wanted(refs=(MAIN,), candidates=(key,))).candidates == {}


def test_the_log_never_enters_the_mirror(world: World, forge: LocalForge) -> None:
    record = world.person.raw_commit(world.person.raw_tree())
    world.person.git("update-ref", "refs/grite/wal", record)
    forge.observe(Wanted(refs=(MAIN, "refs/grite/wal")))
    mirrored = world.person.git("-C", ".git/brat/mirror.git", "for-each-ref", "--format=%(objectname)")
    assert mirrored == world.person.head
