"""What people and administrators do while a convoy is under way: respected, said, and gone on from."""

from __future__ import annotations

import pytest

from app.board import TaskStatus
from app.errors import BratError
from tests.fakehub import CheckRun, Project, Pull
from tests.hosted.test_faults import TASK_1, ask, slowly_green, to_the_end
from tests.hosted.world import HostedWorld, green

MERGE = "PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge"


def until_open(hosted: HostedWorld) -> Pull:
    """Until the first pull request is there, its checks still running."""
    hosted.until(lambda: bool(hosted.repo.data.pulls) and hosted.task(1).pull is not None)
    (pull,) = hosted.repo.data.pulls.values()
    assert not pull.merged
    return pull


def test_a_push_that_is_refused_for_a_while_is_made_later(hosted: HostedWorld) -> None:
    hosted.repo.ci(green)
    refused = hosted.hub.faults.add("POST *:refs/heads/convoy/*", refused="come back tomorrow", count=2)
    to_the_end(hosted, ask(hosted))
    assert refused.struck == 2


def test_a_push_that_stays_refused_blocks_with_the_hosts_words_and_is_made_once_it_can(
    hosted: HostedWorld,
) -> None:
    hosted.repo.ci(green)
    hosted.hub.faults.add("POST *:refs/heads/convoy/*", refused="no branches of bots here", count=100)
    issue = ask(hosted)
    hosted.until(lambda: bool(hosted.board.convoys) and hosted.task(1).status is TaskStatus.BLOCKED)
    hosted.until(lambda: "no branches of bots here" in hosted.sticky(issue))
    assert "/brat merge" in hosted.sticky(issue)
    hosted.hub.faults.clear()
    hosted.repo.comment(issue, "/brat merge", by=hosted.ada)
    to_the_end(hosted, issue)
    assert hosted.task(1).attempts == 1


@pytest.mark.full
def test_a_merge_that_stays_refused_is_asked_for_again_after_a_retry(hosted: HostedWorld) -> None:
    hosted.repo.ci(green)
    hosted.hub.faults.add("PUT */merge", status=405, message="Required status check is expected", count=9)
    issue = ask(hosted)
    hosted.until(lambda: bool(hosted.board.convoys) and hosted.task(1).status is TaskStatus.BLOCKED)
    hosted.settle()
    assert "it was not merged after 3 tries: " in hosted.sticky(issue)
    assert hosted.hub.journal.count(MERGE) == 9
    hosted.repo.comment(issue, "/brat retry 1", by=hosted.ada)
    to_the_end(hosted, issue)
    assert hosted.hub.journal.count(MERGE) == 10


@pytest.mark.parametrize("strict", [True, False])
def test_a_base_that_a_person_moves_is_tested_with_where_that_is_required(
    hosted: HostedWorld, strict: bool
) -> None:
    slowly_green(hosted)
    issue = ask(hosted, strict=strict)
    pull = until_open(hosted)
    tested = pull.head_sha
    moved = hosted.repo.push("main", {"other.txt": "meanwhile\n"}, by=hosted.ada)
    hosted.repo.check(moved, "build")
    to_the_end(hosted, issue)
    assert hosted.repo.git.holds(pull.head_sha, moved) is strict
    assert (pull.head_sha != tested) is strict
    head = hosted.repo.branch("main")
    assert head is not None
    assert hosted.repo.git.text(head, "other.txt") == "meanwhile\n"
    assert hosted.repo.git.text(head, "task-1.txt") == "task-1\n"


def test_a_head_that_a_person_force_pushes_is_left_alone_and_said(hosted: HostedWorld) -> None:
    slowly_green(hosted)
    issue = ask(hosted)
    pull = until_open(hosted)
    theirs = hosted.repo.push(TASK_1, {"mine.txt": "by hand\n"}, by=hosted.ada, force=pull.base_sha)
    hosted.repo.check(theirs, "build")
    hosted.until(lambda: hosted.task(1).status is TaskStatus.BLOCKED)
    hosted.until(lambda: "somebody else moved" in hosted.sticky(issue))
    hosted.hub.clock.advance(3600)
    hosted.settle()
    assert not pull.merged
    assert hosted.repo.branch(TASK_1) == theirs
    hosted.repo.merge(pull, by=hosted.ada)
    hosted.repo.comment(issue, "/brat retry 1", by=hosted.ada)
    hosted.settle()
    assert hosted.repo.git.holds(hosted.repo.branch("main") or "", theirs)


def test_a_suspended_app_goes_on_where_it_was(hosted: HostedWorld) -> None:
    slowly_green(hosted)
    hosted.failed = []
    issue = ask(hosted)
    until_open(hosted)
    hosted.hub.suspend(hosted.installation)
    hosted.hub.revoke(hosted.installation)
    before = len(hosted.hub.journal.changes)
    for _ in range(3):
        hosted.run_pass()
        hosted.hub.clock.advance(60)
    assert len([each for each in hosted.hub.journal.changes[before:] if each.by == "brat[bot]"]) == 0
    assert all(isinstance(each, BratError) for each in hosted.failed)
    assert "suspended" in str(hosted.failed)
    hosted.hub.suspend(hosted.installation, on=False)
    hosted.failed = None
    to_the_end(hosted, issue)


def test_a_permission_that_is_taken_away_is_named_and_costs_only_what_needs_it(hosted: HostedWorld) -> None:
    slowly_green(hosted)
    issue = ask(hosted)
    until_open(hosted)
    hosted.hub.grant(hosted.installation, checks=None)
    hosted.hub.revoke(hosted.installation)
    hosted.until(lambda: "checks: write" in hosted.sticky(issue))
    to_the_end(hosted, issue)
    assert hosted.hub.journal.changes_of("check-edit", by="brat[bot]") == []


def test_a_pull_request_that_a_person_merges_first_is_not_merged_again(hosted: HostedWorld) -> None:
    waiting: list[CheckRun] = []

    def robot(repo: Project, branch: str, head: str) -> None:
        if branch.startswith("convoy/"):
            waiting.append(repo.check(head, "build", None))

    hosted.repo.ci(robot)
    issue = ask(hosted)
    pull = until_open(hosted)
    hosted.repo.finish(waiting[0], "success")
    hosted.repo.merge(pull, by=hosted.ada)
    to_the_end(hosted, issue)
    assert hosted.hub.journal.changes_of("merge", by="brat[bot]") == []
