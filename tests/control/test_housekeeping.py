"""What is due around the loop is done once, told when it fails, and left to the next run by a killed one."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from app.board import Board, Convoy, ConvoyStatus, TaskStatus
from app.config import Config
from app.control import Due, Housekeeper, Pass, Refusal, due
from app.grite import Draft, Identity, IssueCreated, Log, new_issue
from app.ports import Done, Life, Refused, Seen, SessionSeen
from app.workspace import Mirror
from tests.cli.boards import convoy, ended, session, task

DONE = ended(session("1" * 32))
OVER = convoy(
    task(1, status=TaskStatus.MERGED, sessions=(DONE,)), status=ConvoyStatus.COMPLETE, updated_ts=5_000
)

NOW = 5_000 + 7 * 86_400_000


class Places:
    """Sessions with a folder, and which were cleaned."""

    def __init__(self, *sessions: str) -> None:
        self.here, self.cleaned, self.removed = list(sessions), list[str](), list[str]()

    def sessions(self) -> tuple[str, ...]:
        return tuple(self.here)

    def clean(self, session: str) -> None:
        self.cleaned.append(session)

    def remove(self, session: str) -> None:
        self.here.remove(session)
        self.removed.append(session)


def board(*convoys: Convoy) -> Board:
    return Board(convoys=convoys)


def test_an_open_convoy_keeps_its_places_and_an_ended_one_frees_them() -> None:
    here = frozenset({DONE.id})
    still = replace(OVER, status=ConvoyStatus.ACTIVE)
    assert due(board(still), here=here, snapshot_ts=0, sent=(1, 0, 0), now=NOW) == Due()
    assert due(board(OVER), here=here, snapshot_ts=9_000, sent=(1, 0, 1), now=NOW) == Due(
        clean=(DONE.id,), forget=(DONE.id,)
    )


def test_the_mirror_forgets_what_is_over_and_keeps_what_open_convoys_go_by() -> None:
    working = session("2" * 32)
    working = replace(working, started=replace(working.started, base="b" * 40, carry="c" * 40))
    goes_on = replace(convoy(task(2, sessions=(working,))), base_commit="a" * 40)
    asked = due(board(OVER, goes_on), here=frozenset(), snapshot_ts=9_000, sent=(1, 0, 1), now=NOW)
    assert asked.forget == (DONE.id,)
    assert asked.keep == {"a" * 40, "b" * 40, "c" * 40}
    assert due(board(), here=frozenset(), snapshot_ts=0, sent=None, now=NOW).forget is None


def test_a_session_that_still_runs_keeps_a_convoys_places() -> None:
    running = convoy(task(1, sessions=(session("1" * 32),)), status=ConvoyStatus.FAILED, updated_ts=5_000)
    asked = due(
        board(running), here=frozenset({running.tasks[0].sessions[0].id}), snapshot_ts=0, sent=None, now=NOW
    )
    assert (asked.clean, asked.snapshot) == ((), False)


def test_folders_of_sessions_go_a_week_after_their_convoy_ended() -> None:
    here = frozenset({DONE.id})
    for convoys, now, gone in (((OVER,), NOW, ()), ((OVER,), NOW + 1, (DONE.id,)), ((), NOW + 1, ())):
        asked = due(board(*convoys), here=here, snapshot_ts=9_000, sent=(1, 0, 1), now=now)
        assert asked.remove == gone
        assert not set(asked.clean) & set(gone)
    assert not due(board(OVER), here=frozenset(), snapshot_ts=9_000, sent=None, now=NOW + 1).remove


@pytest.mark.parametrize(("snapshot_ts", "wanted"), [(0, True), (4_999, True), (5_000, False)])
def test_a_snapshot_is_due_when_a_convoy_ended_since_the_last(snapshot_ts: int, wanted: bool) -> None:
    asked = due(board(OVER), here=frozenset(), snapshot_ts=snapshot_ts, sent=(1, 0, 1), now=NOW)
    assert asked.snapshot is wanted


def test_a_push_is_due_after_a_landing_an_end_and_when_it_is_not_known() -> None:
    sent = board(OVER).landings
    assert sent == (1, 0, 1)
    for known, wanted in ((None, True), ((0, 0, 0), True), (sent, False)):
        assert due(board(OVER), here=frozenset(), snapshot_ts=9_000, sent=known, now=NOW).push is wanted
    assert not due(board(convoy(task(1))), here=frozenset(), snapshot_ts=0, sent=None, now=NOW).push


class World:
    """A repository with a landed convoy's branches, a log, and a remote."""

    def __init__(self, folder: Path) -> None:
        self.repo, self.remote = folder / "repo", folder / "remote.git"
        self.git("init", "--quiet", "-b", "main", str(self.repo), at=folder)
        self.git("commit", "--quiet", "--allow-empty", "-m", "First")
        self.git("branch", "convoy/jwt/task-1")
        self.git("init", "--quiet", "--bare", str(self.remote), at=folder)
        self.git("remote", "add", "origin", str(self.remote))
        self.state = self.repo / ".git/brat"
        self.log = Log(
            self.repo / ".git", identity=Identity.create(), state_dir=self.state, clock=lambda: 5_000
        )
        self.log.append([Draft(new_issue(), IssueCreated("Use JWT"))])
        self.places, self.now = Places(DONE.id), NOW

    def git(self, *args: str, at: Path | None = None) -> str:
        ran = subprocess.run(["git", *args], cwd=at or self.repo, capture_output=True, text=True, check=True)
        return ran.stdout.strip()

    def keeper(self, remote: str | None = "origin") -> Housekeeper:
        mirror = Mirror(self.state, self.repo / ".git")
        return Housekeeper(self.log, self.places, mirror, remote=remote, clock=lambda: self.now)

    def refs(self) -> list[str]:
        return self.git("for-each-ref", "--format=%(refname)").splitlines()

    def there(self) -> set[str]:
        return set(self.git("ls-remote", "--refs", str(self.remote)).split()[1::2])


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def look(*convoys: Convoy) -> Pass:
    return Pass(board(*convoys), Seen(), Config(), ())


def test_an_ended_convoy_is_cleaned_snapshotted_and_pushed(world: World) -> None:
    assert world.keeper().tidy(look(OVER)) == ()
    assert world.places.cleaned == [DONE.id]
    refs = world.there()
    assert {"refs/heads/main", "refs/heads/convoy/jwt/task-1", "refs/grite/wal"} <= refs
    assert any(each.startswith("refs/grite/snapshots/") for each in refs)


def test_a_landing_a_week_later_takes_the_folder_away(world: World) -> None:
    keeper = world.keeper(remote=None)
    keeper.close(look(OVER))
    assert (world.places.cleaned, world.places.removed) == ([DONE.id], [])
    world.now += 1
    keeper.close(look(OVER))
    assert (world.places.cleaned, world.places.removed) == ([DONE.id], [DONE.id])


def test_the_mirror_keeps_what_branches_point_to_and_nothing_of_an_ended_convoy(world: World) -> None:
    keeper, mirror = world.keeper(remote=None), Mirror(world.state, world.repo / ".git")
    old = world.git("rev-parse", "HEAD")
    mirror.fetch([old])
    mirror.keep(f"refs/brat/work/{DONE.id}", old)
    world.git("commit", "--quiet", "--allow-empty", "-m", "Second")
    world.git("branch", "--force", "convoy/jwt/task-1")
    mirror.fetch([new := world.git("rev-parse", "HEAD")])
    assert keeper.tidy(look(OVER)) == ()
    assert mirror.git.text("for-each-ref", "--format=%(refname)") == f"refs/brat/seen/{new}"


def test_a_look_without_a_landing_does_nothing(world: World) -> None:
    keeper = world.keeper()
    keeper.tidy(look(OVER))
    world.places.cleaned.clear()
    world.git("update-ref", "-d", "refs/heads/main", at=world.remote)
    assert keeper.tidy(look(OVER)) == ()
    assert (world.places.cleaned, "refs/heads/main" in world.there()) == ([], False)


def test_without_a_remote_nothing_leaves(world: World) -> None:
    assert world.keeper(remote=None).close(look(OVER)) == ()
    assert world.there() == set()


def test_an_unreachable_remote_is_told_with_a_remedy_and_the_next_run_makes_up_for_it(world: World) -> None:
    away = world.remote.with_name("away.git")
    world.remote.rename(away)
    (refusal,) = world.keeper().close(look(OVER))
    assert "cannot be read" in refusal.reason
    assert refusal.remedy == "git ls-remote origin"
    away.rename(world.remote)
    assert world.keeper().close(look(OVER)) == ()
    assert {"refs/heads/main", "refs/grite/wal"} <= world.there()


def test_a_refusing_remote_is_told_and_its_log_is_not_sent_ahead(world: World) -> None:
    hook = world.remote / "hooks/pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    (refusal,) = world.keeper().close(look(OVER))
    assert "refuses" in refusal.reason
    assert "allow this account" in refusal.remedy
    assert world.there() == set()


def test_a_branch_that_was_sent_and_deleted_over_there_stays_deleted(world: World) -> None:
    world.keeper().close(look(OVER))
    world.git("update-ref", "-d", "refs/heads/convoy/jwt/task-1", at=world.remote)
    world.log.append([Draft(new_issue(), IssueCreated("More"))])
    assert world.keeper().close(look(OVER)) == ()
    assert "refs/heads/convoy/jwt/task-1" not in world.there()


def test_a_log_that_grew_after_the_last_push_is_sent_by_the_next_run(world: World) -> None:
    world.keeper().close(look(OVER))
    head = world.log.append([Draft(new_issue(), IssueCreated("More"))])
    world.keeper().close(look(OVER))
    assert head in world.git("ls-remote", str(world.remote), "refs/grite/wal")


def test_a_mirror_in_use_is_packed_when_the_session_has_ended(world: World) -> None:
    keeper, mirror = world.keeper(remote=None), Mirror(world.state, world.repo / ".git")
    mirror.fetch([head := world.git("rev-parse", "HEAD")])
    mirror.keep(f"refs/brat/work/{DONE.id}", head)
    runs = replace(look(OVER), seen=Seen(sessions={"s-2": SessionSeen(Life.ALIVE)}))
    with mirror.using():
        assert keeper.tidy(runs) == ()
    assert keeper.tidy(runs) == ()
    assert mirror.reads(f"refs/brat/work/{DONE.id}") == head
    assert keeper.tidy(look(OVER)) == ()
    assert Mirror(world.state, world.repo / ".git").reads(f"refs/brat/work/{DONE.id}") is None


def test_snapshots_are_shared_and_a_refusal_of_it_is_told(world: World) -> None:
    keeper = world.keeper(remote=None)
    keeper.share = lambda: Refused("no room there", "make some")
    assert keeper.close(look(OVER)) == (Refusal("Snapshot", "no room there", "make some"),)
    shared: list[list[str]] = []

    def share() -> Done:
        shared.append([each for each in world.refs() if "snapshots" in each])
        return Done()

    keeper.share = share
    assert keeper.close(look(OVER)) == ()
    assert [len(each) for each in shared] == [1]
