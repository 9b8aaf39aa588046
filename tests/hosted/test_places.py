"""A repository that is renamed, moved, archived or taken away while a worker lives."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

import pytest

from app.ports import Finding, Life
from app.service import Next
from tests.hosted.conftest import MakeHosted
from tests.hosted.ends import expect_no_doubles, expect_once
from tests.hosted.scenes import GATED, ONE, builds, done, in_review, planned, pulls
from tests.hosted.world import HostedWorld, green

WAITS = """\
cat > /dev/null
echo begins
while [ ! -e "${0%/*}/go" ]; do sleep 0.05; done
echo "$task" > "$task.txt"
"""


def test_a_renamed_repository_goes_on_and_nothing_is_done_twice(hosted: HostedWorld) -> None:
    issue = in_review(hosted)
    worker, said = hosted.worker(), len(hosted.said(issue))
    hosted.hub.faults.add("GET */issues/comments*", back=1, count=3)
    hosted.repo.comment(issue, "/brat status", by=hosted.ada)
    hosted.run_pass()
    with hosted.hub.lock:
        hosted.repo.name = "other"
    (found,) = worker.sweep()
    assert found.repository == hosted.repo.id
    hosted.settle()
    builds(hosted.repo)
    hosted.until(lambda: done(hosted))
    assert hosted.worker() is worker
    assert len(pulls(hosted)) == 1
    assert len(hosted.said(issue)) > said
    expect_once(hosted, issue)


def test_a_worker_that_does_not_sweep_notices_a_new_name_too(make_hosted: MakeHosted) -> None:
    hosted = make_hosted(config=GATED)
    issue = planned(hosted)
    with hosted.hub.lock:
        hosted.repo.name = "other"
    hosted.failed = []
    hosted.hub.clock.advance(301)
    hosted.repo.comment(issue, "/brat approve", by=hosted.ada)
    hosted.repo.ci(green)
    hosted.until(lambda: issue.state == "closed")
    assert hosted.failed == []
    expect_no_doubles(hosted)


def test_another_default_branch_and_a_repository_that_becomes_public_count_from_the_next_sweep(
    hosted: HostedWorld,
) -> None:
    hosted.settle()
    head = str(hosted.repo.branch("main"))
    assert not hosted.reconciler().setting().minimal
    hosted.repo.set_ref("refs/heads/trunk", head)
    with hosted.hub.lock:
        hosted.repo.default_branch, hosted.repo.private = "trunk", False
    hosted.worker().sweep()
    hosted.settle()
    hosted.repo.ci(green)
    issue = hosted.ask("The work", ONE)
    hosted.repo.comment(issue, "/brat approve", by=hosted.ada)
    hosted.until(lambda: issue.state == "closed")
    assert hosted.convoy.base == "trunk"
    assert hosted.reconciler().setting().minimal
    assert hosted.repo.branch("main") == head


def archive(hosted: HostedWorld, on: bool) -> None:
    with hosted.hub.lock:
        hosted.repo.archived = on


def take_away(hosted: HostedWorld, on: bool) -> None:
    with hosted.hub.lock:
        held = hosted.installation.repositories
        held.discard(hosted.repo.id) if on else held.add(hosted.repo.id)


def suspend(hosted: HostedWorld, on: bool) -> None:
    hosted.hub.suspend(hosted.installation, on=on)


def uninstall(hosted: HostedWorld, on: bool) -> None:
    if on:
        hosted.hub.uninstall(hosted.installation)
    else:
        hosted.installation = hosted.hub.install(hosted.app, hosted.repo)


def test_a_pass_that_takes_long_holds_no_sweep_up_where_its_repository_is_taken_away(
    hosted: HostedWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.wiring.github.hub._LET_GO_S", 0.01)
    hosted.settle()
    opened = hosted.worker().opened(hosted.repo.id)
    assert opened is not None
    archive(hosted, True)
    with opened.turn:
        assert hosted.worker().sweep() == ()
        assert hosted.worker().opened(hosted.repo.id) is opened
    assert hosted.worker().sweep() == ()
    assert hosted.worker().opened(hosted.repo.id) is None


@pytest.mark.parametrize("away", [archive, take_away, suspend, uninstall])
def test_what_is_taken_away_is_let_go_and_taken_up_again(
    hosted: HostedWorld, away: Callable[[HostedWorld, bool], None]
) -> None:
    hosted.plays("witness", WAITS)
    issue = hosted.ask("The work", ONE)
    while not hosted.sessions_run():
        hosted.run_pass()
    opened = hosted.worker().opened(hosted.repo.id)
    assert opened is not None
    while not any(each.last_line for each in opened.alive().values()):
        threading.Event().wait(0.02)
    away(hosted, True)
    assert hosted.worker().sweep() == ()
    assert hosted.worker().opened(hosted.repo.id) is None
    while any(each.life is Life.ALIVE for each in opened.alive().values()):
        threading.Event().wait(0.02)
    for _ in range(2):
        assert hosted.run_pass() == Next()
    away(hosted, False)
    hosted.plays("go", "")
    hosted.repo.ci(green)
    assert len(hosted.worker().sweep()) == 1
    hosted.until(lambda: issue.state == "closed")
    first, *_ = hosted.task(1).sessions
    assert first.ended is not None
    assert first.ended.finding is Finding.STOPPED
    assert len(pulls(hosted)) == 1
    expect_no_doubles(hosted)


def test_few_repositories_are_cloned_at_a_time_and_the_log_names_them(
    hosted: HostedWorld, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "brat.worker")
    monkeypatch.setattr("app.wiring.github.hosted._CLONES", 0)
    again = hosted.run_pass().look_again
    assert again is not None
    assert again > hosted.clock()
    assert "ada-corp/demo waits until others are cloned" in hosted.later
    monkeypatch.undo()
    hosted.restart()
    hosted.settle()
    hosted.restart()
    hosted.settle()
    assert [each.getMessage() for each in caplog.records].count("clones ada-corp/demo") == 1
