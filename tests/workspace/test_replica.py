"""A replica beside a host that speaks git over http and asks who is there."""

from __future__ import annotations

import base64
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from app.errors import Later, Moved, OperatorError
from app.ports import Done, Outcome, RefMove, Refused, Unknown
from app.workspace import Replica
from app.workspace.git import Answer, Git
from app.workspace.refusals import STALE, refusal
from tests.fakehub import Hub, Project
from tests.fakehub.fixture import hub
from tests.workspace.world import Repo, in_the_folder_that_git_counts

__all__ = ["access", "hub", "project", "replica"]

MAIN = "refs/heads/main"
TASK = "refs/heads/convoy/jwt/task-1"
WAL = "refs/grite/wal"


@dataclass
class Access:
    """The right to one repository; a refused token is replaced by a new one."""

    hub: Hub
    project: Project
    token: str = ""
    given: int = 0

    @property
    def address(self) -> str:
        return f"{self.hub.base}/{self.project.full_name}.git"

    def credential(self) -> str:
        if not self.token:
            self.token, self.given = self.hub.token(self.project.owner), self.given + 1
        return "Basic " + base64.b64encode(f"x-access-token:{self.token}".encode()).decode()

    def refused(self) -> None:
        self.token = ""


@pytest.fixture
def project(hub: Hub) -> Project:
    hub.person("ada", access="admin")
    return hub.repository("ada/auth", files={"a.txt": "one\n"})


@pytest.fixture
def access(hub: Hub, project: Project) -> Access:
    return Access(hub, project)


@pytest.fixture
def replica(tmp_path: Path, access: Access) -> Replica:
    made = Replica(tmp_path / "repos" / "repo.git", access, clock=lambda: 1000)
    made.repository.parent.mkdir()
    made.refresh()
    return made


def local(replica: Replica) -> Repo:
    return Repo(replica.repository)


def commit(replica: Replica, text: str, *parents: str) -> str:
    """A commit whose objects are here and nowhere else."""
    here = local(replica)
    blob = here.blob(text.encode())
    return here.raw_commit(here.git("mktree", stdin=f"100644 blob {blob}\ta.txt\n".encode()), *parents)


def test_branches_and_the_default_one_are_as_on_the_host(project: Project, replica: Replica) -> None:
    here = local(replica)
    assert here.at(MAIN) == project.branch("main")
    assert here.git("symbolic-ref", "HEAD") == MAIN


def test_what_moved_or_went_there_moves_and_goes_here(project: Project, replica: Replica) -> None:
    base = str(project.branch("main"))
    project.push("convoy/jwt", {"b.txt": "x"})
    project.push("main", {"a.txt": "two\n"})
    replica.refresh()
    project.set_ref("refs/heads/convoy/jwt", None)
    task = project.push("convoy/jwt/task-1", {"b.txt": "y"})
    forced = project.push("main", {"a.txt": "other\n"}, force=base)
    replica.refresh()
    heads = local(replica).git("for-each-ref", "--format=%(refname) %(objectname)", "refs/heads")
    assert heads.splitlines() == [f"{TASK} {task}", f"{MAIN} {forced}"]


def test_nothing_is_fetched_where_nothing_moved(hub: Hub, replica: Replica) -> None:
    before = hub.journal.count("GIT git-upload-pack")
    replica.refresh()
    assert hub.journal.count("GIT git-upload-pack") == before + 1


def test_a_refresh_with_nothing_new_is_one_git_command(
    replica: Replica, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands: list[tuple[str, ...]] = []
    feed = Git.feed

    def noted(git: Git, source: int, *args: str, **more: Any) -> Answer:
        commands.append(args)
        return feed(git, source, *args, **more)

    monkeypatch.setattr(Git, "feed", noted)
    replica.refresh()
    assert [each[0] for each in commands] == ["ls-remote"]


def test_the_first_fetch_has_an_hour_and_later_ones_have_minutes(
    project: Project, access: Access, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits, feed = list[float](), Git.feed

    def noted(git: Git, source: int, *args: str, **more: Any) -> Answer:
        limits.extend([git.timeout] if args[0] == "fetch" else ())
        return feed(git, source, *args, **more)

    monkeypatch.setattr(Git, "feed", noted)
    fresh = Replica(tmp_path / "repo.git", access)
    before = fresh.cloned
    fresh.refresh()
    assert (before, fresh.cloned) == (False, True)
    project.push("main", {"a.txt": "two\n"})
    fresh.refresh()
    assert limits == [3600.0, 110.0]


def test_what_a_killed_fetch_left_half_written_goes_with_the_next(project: Project, replica: Replica) -> None:
    packs = replica.repository / "objects" / "pack"
    packs.mkdir(exist_ok=True)
    for name in ("tmp_pack_aB3dE6", "tmp_idx_aB3dE6", "pack-1.keep"):
        (packs / name).touch()
    project.push("main", {"a.txt": "two\n"})
    replica.refresh()
    assert [each.name for each in packs.iterdir()] == ["pack-1.keep"]


def test_the_log_is_fetched_under_a_name_of_ours(project: Project, replica: Replica) -> None:
    head = project.push("scratch", {"x": "y"})
    project.set_ref(WAL, head)
    assert replica.refresh() == head
    assert local(replica).at(WAL) is None
    project.set_ref(WAL, None)
    assert replica.refresh() is None


def test_branch_and_log_are_pushed_together(project: Project, replica: Replica) -> None:
    base = str(project.branch("main"))
    work, record = commit(replica, "two", base), commit(replica, "log")
    assert replica.push((RefMove(TASK, None, work), RefMove(WAL, None, record))) == Done()
    refs = project.git.refs()
    assert (refs[TASK], refs[WAL]) == (work, record)
    assert replica.refresh() == record


def test_all_or_none_moves_when_one_is_not_where_it_was_expected(project: Project, replica: Replica) -> None:
    base = str(project.branch("main"))
    work = commit(replica, "two", base)
    project.push("convoy/jwt/task-1", {"b.txt": "a person's"})
    outcome = replica.push((RefMove(TASK, None, work), RefMove(WAL, None, commit(replica, "log"))))
    assert isinstance(outcome, Refused)
    assert TASK in outcome.reason
    assert WAL not in project.git.refs()


def test_a_move_that_is_no_fast_forward_has_to_say_so(project: Project, replica: Replica) -> None:
    base = str(project.branch("main"))
    one, other = commit(replica, "one", base), commit(replica, "other", base)
    replica.push((RefMove(TASK, None, one),))
    assert isinstance(replica.push((RefMove(TASK, one, other),)), Refused)
    assert replica.push((RefMove(TASK, one, other, force=True),)) == Done()
    assert project.branch("convoy/jwt/task-1") == other


@pytest.mark.parametrize(
    ("why", "helps"),
    [
        (
            "refusing to allow a GitHub App to create or update workflow `x` without `workflows` permission",
            "person",
        ),
        ("protected branch hook declined", "protected"),
        ("GH013: Repository rule violations found", "ruleset"),
    ],
)
def test_a_refused_push_says_why_and_what_helps(
    hub: Hub, project: Project, replica: Replica, why: str, helps: str
) -> None:
    hub.faults.add("POST *", refused=why)
    outcome = replica.push((RefMove(TASK, None, str(project.branch("main"))),))
    assert isinstance(outcome, Refused)
    assert why.split(":")[0] in outcome.reason
    assert helps in outcome.remedy


def test_a_push_that_was_cut_after_its_effect_is_read_back(
    hub: Hub, project: Project, replica: Replica
) -> None:
    hub.faults.add("POST */git-receive-pack", status=502, after=True)
    assert replica.push((RefMove(TASK, None, str(project.branch("main"))),)) == Done()


def test_a_push_that_was_cut_before_its_effect_is_unknown(
    hub: Hub, project: Project, replica: Replica
) -> None:
    hub.faults.add("POST */git-receive-pack", status=502)
    outcome: Outcome = replica.push((RefMove(TASK, None, str(project.branch("main"))),))
    assert isinstance(outcome, Unknown)


def test_a_ref_that_is_dropped_goes_there_and_one_that_moved_meanwhile_stays(
    project: Project, replica: Replica
) -> None:
    work = commit(replica, "two", str(project.branch("main")))
    assert replica.push((RefMove(TASK, None, work),)) == Done()
    theirs = project.push("convoy/jwt/task-1", {"b.txt": "a person's"})
    drop = RefMove(TASK, work, "", force=True)
    assert isinstance(replica.push((drop,)), Refused)
    assert project.branch("convoy/jwt/task-1") == theirs
    assert replica.push((RefMove(TASK, theirs, "", force=True),)) == Done()
    assert project.branch("convoy/jwt/task-1") is None
    assert replica.push((drop,)) == Done(), "gone is gone"


def test_a_token_that_ended_is_replaced_once(hub: Hub, replica: Replica, access: Access) -> None:
    given = access.given
    del hub.tokens[access.token]
    replica.refresh()
    assert access.given == given + 1


def test_a_host_that_is_away_is_for_another_time(hub: Hub, replica: Replica) -> None:
    hub.faults.add("GET */info/refs", status=503)
    with pytest.raises(Later):
        replica.refresh()


def test_a_repository_that_is_gone_is_the_operators_matter(hub: Hub, tmp_path: Path, access: Access) -> None:
    access.project.name = "renamed"
    gone = Replica(tmp_path / "gone.git", access)
    access.project.name = "auth"
    object.__setattr__(access.project, "private", True)
    access.refused()
    access.token = "ghp_of_nobody"
    access.refused = lambda: None  # type: ignore[method-assign]
    with pytest.raises(OperatorError, match="git ls-remote"):
        gone.refresh()


def test_a_published_log_moves_by_compare_and_swap(project: Project, replica: Replica) -> None:
    first = commit(replica, "log 1")
    second = commit(replica, "log 2", first)
    replica.publish(first)
    replica.publish(second)
    assert project.git.refs()[WAL] == second
    project.set_ref(WAL, project.push("scratch", {"x": "y"}))
    with pytest.raises(Moved):
        replica.publish(commit(replica, "log 3", second))


def test_what_was_published_is_not_pushed_again(hub: Hub, replica: Replica) -> None:
    head = commit(replica, "log 1")
    replica.publish(head)
    before = len(hub.journal.asked)
    replica.publish(head)
    assert len(hub.journal.asked) == before


def test_a_log_that_was_set_back_is_mended_by_the_next_push(project: Project, replica: Replica) -> None:
    first = commit(replica, "log 1")
    second = commit(replica, "log 2", first)
    replica.publish(second)
    project.set_ref(WAL, first)
    assert replica.refresh() == first
    third = commit(replica, "log 3", second)
    assert replica.push((RefMove(WAL, second, third),)) == Done()
    assert project.git.refs()[WAL] == third


def test_a_log_that_moved_meanwhile_is_read_again(project: Project, replica: Replica) -> None:
    replica.publish(commit(replica, "log 1"))
    project.set_ref(WAL, project.push("scratch", {"x": "y"}))
    replica.refresh()
    with pytest.raises(Moved):
        replica.publish(commit(replica, "log 2"))


def test_t4_the_credential_is_in_no_file_and_no_argument(
    tmp_path: Path, replica: Replica, access: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = tmp_path / "seen"
    wrapper = tmp_path / "bin" / "git"
    wrapper.parent.mkdir()
    wrapper.write_text(
        f'#!/bin/sh\nfor a in "$@"; do printf "%s\\n" "$a" >> {seen}; done\nexec {_git()} "$@"\n'
    )
    wrapper.chmod(0o755)
    monkeypatch.setenv("PATH", f"{wrapper.parent}{os.pathsep}{os.environ['PATH']}")
    assert replica.push((RefMove(TASK, None, commit(replica, "x")),)) == Done()
    replica.refresh()
    secret = access.credential().removeprefix("Basic ")
    for text in (access.token, secret):
        assert text not in seen.read_text()
        found = [path for path in replica.repository.rglob("*") if path.is_file() and text in _text(path)]
        assert found == []


def test_only_https_is_spoken_where_the_address_is_https() -> None:
    from app.workspace.upstream import protocols

    assert protocols("https://github.com/ada/auth.git") == ()


def test_words_that_mean_nothing_known_are_no_refusal() -> None:
    assert refusal("", "fatal: the remote end hung up unexpectedly") is None


def test_a_race_is_one_also_where_only_the_hosts_own_words_tell_it() -> None:
    out = "!\tabc:refs/grite/wal\t[remote rejected] (atomic transaction failed)\n"
    err = "remote: error: cannot lock ref 'refs/grite/wal': reference already exists\n"
    found = refusal(out, err)
    assert found is not None
    assert STALE in found.reason
    plain = refusal(out, "remote: error: something else\n")
    assert plain is not None
    assert STALE not in plain.reason


def _git() -> str:
    return next(f"{each}/git" for each in os.environ["PATH"].split(os.pathsep) if Path(each, "git").is_file())


def _text(path: Path) -> str:
    return path.read_bytes().decode("latin-1")


def test_much_that_is_loose_is_packed_and_no_ref_or_reflog_changes(
    replica: Replica, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.workspace.packing.PACKING", ("gc.auto=1", "gc.autoDetach=false"))
    here, head = local(replica), commit(replica, "log 1")
    here.git("update-ref", WAL, head)
    for word in in_the_folder_that_git_counts(2):
        here.git("hash-object", "-w", "--stdin", stdin=word)
    refs, packs = here.git("for-each-ref"), replica.repository / "objects/pack"
    before = len(list(packs.glob("*.pack")))
    replica.pack()
    assert len(list(packs.glob("*.pack"))) > before
    assert here.git("for-each-ref") == refs
    assert (replica.repository / WAL).is_file()
    assert head.startswith(here.git("reflog", "show", WAL).split()[0])
