"""Snapshots of the log on a host: the newest two of all machines, and nothing of anybody else."""

from __future__ import annotations

from app.grite import SNAPSHOTS
from app.ports import Done
from app.workspace import Replica
from app.workspace.host_snapshots import changes
from tests.fakehub import Project
from tests.workspace.test_replica import access, commit, hub, local, project, replica

__all__ = ["access", "hub", "project", "replica"]


def refs(*names: int | str) -> dict[str, str]:
    return {f"{SNAPSHOTS}{name}": f"{name}" for name in names}


def on(project: Project) -> list[str]:
    named = project.git.run("for-each-ref", "--format=%(refname)", SNAPSHOTS).split()
    return [each.removeprefix(SNAPSHOTS) for each in named]


def test_the_newest_two_of_both_sides_stay_whatever_their_number_of_digits() -> None:
    assert changes(refs(), refs()) == ((), ())
    assert changes(refs(9, 10), refs()) == (tuple(refs(9, 10)), ())
    assert changes(refs(9, 10), refs(7, 8)) == (tuple(refs(9, 10)), tuple(refs(7, 8)))
    assert changes(refs(9, 20), refs(10, 30)) == (tuple(refs(20)), tuple(refs(10)))
    assert changes(refs(1, 2), refs(10, 30)) == ((), ())
    assert changes(refs(), refs("kept-by-hand", 1, 2, 3)) == ((), tuple(refs(1)))


def test_old_ones_are_removed_on_the_host_as_they_are_here(project: Project, replica: Replica) -> None:
    here = local(replica)
    for at in (10, 20, 30):
        here.git("update-ref", f"{SNAPSHOTS}{at}", commit(replica, f"snapshot {at}"))
        if at == 30:
            here.git("update-ref", "-d", f"{SNAPSHOTS}10")
        replica.refresh()
        assert replica.share_snapshots() == Done()
    assert on(project) == ["20", "30"]
    replica.refresh()
    assert sorted(here.git("for-each-ref", "--format=%(refname)", SNAPSHOTS).split()) == [*refs(20, 30)]


def test_one_that_changed_meanwhile_stays_until_it_is_seen(project: Project, replica: Replica) -> None:
    first, second = commit(replica, "first"), commit(replica, "second")
    there = str(project.git.path)
    local(replica).git("push", "--quiet", there, f"{first}:{SNAPSHOTS}5", f"{first}:{SNAPSHOTS}40")
    replica.refresh()
    local(replica).git("push", "--quiet", "--force", there, f"{second}:{SNAPSHOTS}5")
    local(replica).git("update-ref", f"{SNAPSHOTS}30", second)
    assert replica.share_snapshots() == Done()
    assert "5" in on(project)
    replica.refresh()
    assert replica.share_snapshots() == Done()
    assert on(project) == ["30", "40"]
