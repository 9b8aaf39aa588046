"""The base that the person has checked out is moved once, whole, and never over their changes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.errors import RepositoryError
from app.ports import Done, Outcome, RefMove, Refused
from app.workspace import Place, Publisher
from tests.workspace.victim import STEPS
from tests.workspace.world import Repo, World, fingerprint

MAIN = "refs/heads/main"
LOG = "refs/grite/wal"
LANDED: dict[str, str | None] = {
    "src/auth.py": "a\nb\nJWT\nd\ne\n",
    "src/jwt/token.py": "sign\nverify\n",
    "README.md": None,
    "run.sh": "#!/bin/sh\n",
}


@dataclass(frozen=True, slots=True)
class Landing:
    """`new` has landed on another branch; `main` is checked out at `old`."""

    world: World
    publisher: Publisher
    old: str
    new: str
    record: str

    def take_over(self, publisher: Publisher | None = None) -> Outcome:
        each = publisher or self.publisher
        checkout = each.checkouts(("main",))["main"]
        return each.take_over(checkout, RefMove(MAIN, self.old, self.new), RefMove(LOG, None, self.record))

    def fresh(self) -> Publisher:
        return Publisher(Place(self.world.person.path / ".git", self.world.state, self.world.bundle_path))

    @property
    def refs(self) -> tuple[str | None, str | None]:
        return self.world.person.at(MAIN), self.world.person.at(LOG)


@pytest.fixture
def landing(world: World, publisher: Publisher) -> Landing:
    """A landed convoy, with its record."""
    person, old = world.person, world.person.head
    new = world.agent.commit(LANDED)
    person.git("fetch", "--quiet", str(world.agent.path), "HEAD:refs/heads/convoy/jwt/main")
    return Landing(world, publisher, old, new, person.raw_commit(person.raw_tree()))


def settled(person: Repo) -> dict[str, str]:
    """What must be the same after any way to the end: files, status, refs, nothing left of ours."""
    assert person.git("status", "--porcelain") == ""
    assert not (person.path / ".git/index.lock").exists()
    assert [each.name for each in (person.path / ".git/brat/takeover").iterdir()] == []
    files = fingerprint(person.path, leaving_out=(".git",))
    return {**files, "refs": person.git("for-each-ref", MAIN, LOG)}


def test_clean_tree_branch_and_log_move_together(landing: Landing) -> None:
    person = landing.world.person
    person.write(untracked="mine")
    assert landing.take_over() == Done()
    assert landing.refs == (landing.new, landing.record)
    assert person.git("status", "--porcelain") == "?? untracked"
    assert (person.path / "src/jwt/token.py").read_text() == "sign\nverify\n"
    assert not (person.path / "README.md").exists()
    for log in ("HEAD", "main"):
        assert person.git("reflog", "-1", "--format=%gs", log) == "brat: taken over by fast-forward"
    assert person.git("symbolic-ref", "HEAD") == MAIN


def refused(landing: Landing, words: str) -> Refused:
    person = landing.world.person
    before = fingerprint(person.path, leaving_out=(".git/brat",))
    outcome = landing.take_over()
    assert isinstance(outcome, Refused)
    assert words in outcome.reason
    assert fingerprint(person.path, leaving_out=(".git/brat",)) == before
    return outcome


@pytest.mark.parametrize("staged", [True, False])
def test_tracked_change_is_refused(landing: Landing, staged: bool) -> None:
    landing.world.person.write_all({"src/auth.py": "edited\n"})
    if staged:
        landing.world.person.git("add", "-A")
    outcome = refused(landing, "has changes: src/auth.py")
    assert outcome.remedy == f"commit or stash them, then: git merge --ff-only {landing.new}"


@pytest.mark.parametrize("path", ["run.sh", "src/jwt", "src/jwt/token.py"])
@pytest.mark.parametrize("ignored", [True, False])
def test_untracked_or_ignored_file_in_the_way_is_refused(landing: Landing, path: str, ignored: bool) -> None:
    if ignored:
        (landing.world.person.path / ".git/info/exclude").write_text("run.sh\njwt\n")
    landing.world.person.write_all({path: "mine"})
    refused(landing, f"would be overwritten: {path}")


def test_folder_of_untracked_files_where_a_file_shall_be_is_refused(landing: Landing) -> None:
    landing.world.person.write_all({"run.sh/mine": "x"})
    refused(landing, "would be overwritten: run.sh/mine")


def test_index_lock_of_another_git_is_refused_and_stays(landing: Landing) -> None:
    lock = landing.world.person.path / ".git/index.lock"
    lock.write_text("")
    outcome = refused(landing, "another git command holds")
    assert "if none runs, delete that file" in outcome.remedy
    assert lock.exists()


@pytest.mark.parametrize(("name", "words"), [("MERGE_HEAD", "a merge"), ("rebase-merge", "a rebase")])
def test_operation_in_progress_is_refused(landing: Landing, name: str, words: str) -> None:
    (landing.world.person.path / ".git" / name).write_text(landing.old)
    refused(landing, f"{words} is in progress")


def test_moved_branch_and_moved_log_are_refused(landing: Landing) -> None:
    person = landing.world.person
    person.git("update-ref", LOG, person.raw_commit(person.raw_tree(), landing.record))
    outcome = landing.take_over()
    assert isinstance(outcome, Refused)
    assert "cannot lock ref 'refs/grite/wal'" in outcome.reason
    assert person.at(MAIN) == landing.old
    settled(person)


def test_linked_working_tree_is_moved_and_the_main_one_is_not(landing: Landing, tmp_path: Path) -> None:
    person = landing.world.person
    person.git("checkout", "--quiet", "-b", "mine")
    linked = Repo(tmp_path / "linked")
    person.git("worktree", "add", "--quiet", str(linked.path), "main")
    before = fingerprint(person.path, leaving_out=(".git",))
    assert landing.take_over() == Done()
    assert linked.git("status", "--porcelain") == ""
    assert (linked.path / "run.sh").exists()
    assert fingerprint(person.path, leaving_out=(".git",)) == before
    assert linked.git("reflog", "-1", "--format=%gs", "HEAD") == "brat: taken over by fast-forward"


def test_hooks_of_the_person_do_not_run(landing: Landing, tmp_path: Path) -> None:
    hooks = landing.world.person.path / ".git/hooks"
    for name in ("post-index-change", "reference-transaction", "post-checkout", "post-merge"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {tmp_path}/hook-ran\n")
        (hooks / name).chmod(0o755)
    assert landing.take_over() == Done()
    assert not (tmp_path / "hook-ran").exists()


def test_line_ends_are_the_persons(landing: Landing) -> None:
    person = landing.world.person
    person.git("config", "core.autocrlf", "true")
    assert landing.take_over() == Done()
    assert (person.path / "run.sh").read_bytes() == b"#!/bin/sh\r\n"
    assert person.git("status", "--porcelain") == ""


def test_branch_that_is_checked_out_nowhere_is_pushed_with_the_log(landing: Landing) -> None:
    person = landing.world.person
    person.git("checkout", "--quiet", "-b", "mine")
    landing.publisher.fetch((landing.new,))
    moves = RefMove(MAIN, landing.old, landing.new), RefMove(LOG, None, landing.record)
    assert landing.publisher.take_over(None, *moves) == Done()
    assert landing.refs == (landing.new, landing.record)


def killed(landing: Landing, moment: str) -> None:
    told = [str(landing.world.person.path), moment, landing.new, landing.record]
    here = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": str(here)}
    ran = subprocess.run(
        [sys.executable, "-m", "tests.workspace.victim", *told], cwd=here, env=environment, check=False
    )
    assert ran.returncode == -signal.SIGKILL


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("name", STEPS)
def test_p1_killed_anywhere_then_recovered_ends_the_same(landing: Landing, name: str, when: str) -> None:
    person = landing.world.person
    killed(landing, f"{when} {name}")
    publisher = landing.fresh()
    publisher.recover()
    if person.at(MAIN) == landing.old:
        settled(person)
        assert landing.take_over(publisher) == Done()
    end = settled(person)
    assert landing.refs == (landing.new, landing.record)
    other = person.path.parent / "undisturbed"
    person.git("clone", "--quiet", ".", str(other))
    expected = fingerprint(other, leaving_out=(".git",))
    assert {name: each for name, each in end.items() if name != "refs"} == expected


def half_written(landing: Landing) -> None:
    """git died while it wrote the tree: files cut off, files not yet there, a file gone."""
    killed(landing, "before takeover.tree")
    landing.world.person.write_all({"src/auth.py": "a\nb\nJ", "src/jwt/token.py": "", "README.md": None})


def test_half_written_tree_is_brought_back(landing: Landing) -> None:
    half_written(landing)
    publisher = landing.fresh()
    publisher.recover()
    settled(landing.world.person)
    assert landing.refs == (landing.old, None)
    assert landing.take_over(publisher) == Done()


@pytest.mark.parametrize("path", ["src/auth.py", "src/jwt/token.py", "run.sh"])
def test_edit_between_kill_and_recovery_is_never_lost(landing: Landing, path: str) -> None:
    half_written(landing)
    person = landing.world.person
    person.write_all({path: "my own words\n"})
    before = fingerprint(person.path)
    with pytest.raises(RepositoryError) as told:
        landing.fresh().recover()
    assert fingerprint(person.path) == before
    assert f"these files were edited since: {path}" in told.value.reason
    assert told.value.remedy == f"mv {path} {path}.mine, for each of them, then run again"
    (person.path / path).rename(person.path / f"{path}.mine")
    publisher = landing.fresh()
    publisher.recover()
    assert (person.path / f"{path}.mine").read_text() == "my own words\n"
    assert landing.take_over(publisher) == Done()


def test_edit_of_an_unrelated_file_survives_recovery(landing: Landing) -> None:
    person = landing.world.person
    person.write_all({"notes.txt": "old"})
    half_written(landing)
    person.write_all({"notes.txt": "my notes"})
    landing.fresh().recover()
    assert (person.path / "notes.txt").read_text() == "my notes"
    assert person.git("status", "--porcelain") == "?? notes.txt"


@pytest.mark.parametrize("ref", [MAIN, LOG])
def test_refs_that_moved_in_part_are_finished(landing: Landing, ref: str) -> None:
    killed(landing, "before takeover.refs")
    person = landing.world.person
    (person.path / ".git" / ref).parent.mkdir(parents=True, exist_ok=True)
    (person.path / ".git" / ref).write_text((landing.new if ref == MAIN else landing.record) + "\n")
    for left in (MAIN, LOG):
        (person.path / ".git" / f"{left}.lock").parent.mkdir(parents=True, exist_ok=True)
    (person.path / f".git/{MAIN}.lock").write_text(landing.new)
    landing.fresh().recover()
    assert landing.refs == (landing.new, landing.record)
    settled(person)


def test_person_who_removed_our_lock_and_committed_keeps_everything(landing: Landing) -> None:
    killed(landing, "before takeover.tree")
    person = landing.world.person
    (person.path / ".git/index.lock").unlink()
    mine = person.commit({"src/auth.py": "my own\n"})
    with pytest.raises(RepositoryError, match="main has moved on during an unfinished take-over"):
        landing.fresh().recover()
    assert person.head == mine
    settled(person)
    landing.fresh().recover()


def test_change_as_young_as_the_index_is_seen(landing: Landing) -> None:
    person = landing.world.person
    for key, value in (("core.checkStat", "minimal"), ("core.trustctime", "false")):
        person.git("config", key, value)
    file, index = person.path / "src/auth.py", person.path / ".git/index"
    second = int(file.stat().st_mtime)
    os.utime(file, (second, second))
    person.git("update-index", "--really-refresh")
    person.write_all({"src/auth.py": "A\nB\nC\nD\nE\n"})
    for each in (file, index):
        os.utime(each, (second, second))
    refused(landing, "has changes: src/auth.py")
