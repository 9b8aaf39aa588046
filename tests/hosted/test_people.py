"""What people do with issues, branches and pull requests is noticed, respected and said."""

from __future__ import annotations

import pytest

from app.board import ConvoyStatus, TaskStatus
from tests.fakehub.pulls import ready
from tests.hosted.conftest import MakeHosted
from tests.hosted.scenes import (
    GATED,
    ONE,
    TWO,
    approver,
    builds,
    done,
    in_review,
    planned,
    pull_of,
    pulls,
    replies,
    states,
    status,
)
from tests.hosted.world import HostedWorld, green


def test_a_label_taken_away_pauses_and_put_back_resumes(make_hosted: MakeHosted) -> None:
    hosted = make_hosted(config=GATED)
    issue = planned(hosted)
    hosted.repo.unlabel(issue, "brat", by=hosted.ada)
    hosted.settle()
    assert status(hosted) is ConvoyStatus.PAUSED
    assert "/brat resume" in replies(hosted, issue)[-1]
    assert "Paused" in hosted.sticky(issue)
    hosted.repo.label(issue, "brat", by=hosted.ada)
    hosted.settle()
    assert status(hosted) is ConvoyStatus.ACTIVE
    assert len(hosted.board.convoys) == 1


def test_a_stranger_who_puts_the_label_back_resumes_nothing(make_hosted: MakeHosted) -> None:
    hosted = make_hosted(config=GATED)
    issue = planned(hosted)
    hosted.repo.unlabel(issue, "brat", by=hosted.ada)
    hosted.settle()
    hosted.repo.label(issue, "brat", by=hosted.eve)
    hosted.settle()
    assert status(hosted) is ConvoyStatus.PAUSED


def test_an_issue_that_a_person_closes_cancels_and_says_so(make_hosted: MakeHosted) -> None:
    hosted = make_hosted(config=GATED)
    issue = planned(hosted)
    hosted.repo.close(issue, by=hosted.ada)
    hosted.settle()
    assert status(hosted) is ConvoyStatus.FAILED
    assert "cancelled" in replies(hosted, issue)[-1]
    assert "brat:done" in issue.labels
    assert issue.state == "closed"


def test_a_text_edited_after_the_label_starts_nothing_until_the_label_is_put_on_again(
    make_hosted: MakeHosted,
) -> None:
    hosted = make_hosted(config=GATED)
    issue = hosted.ask("The work", ONE)
    hosted.repo.edit(issue, body="- [ ] Something else\n", by=hosted.ada)
    hosted.settle()
    assert not hosted.board.convoys
    assert "changed after it was labelled" in replies(hosted, issue)[-1]
    hosted.hub.clock.advance(5)
    hosted.repo.unlabel(issue, "brat", by=hosted.ada)
    hosted.repo.label(issue, "brat", by=hosted.ada)
    hosted.settle()
    assert [each.title for each in hosted.convoy.tasks] == ["Something else"]


def test_an_edit_after_the_approval_voids_it_visibly_and_a_new_approval_goes_on(
    make_hosted: MakeHosted,
) -> None:
    hosted = make_hosted(config=GATED)
    issue = planned(hosted, "- [ ] First\n- [ ] Second\n  after: 1\n")
    hosted.repo.comment(issue, "/brat approve\n/brat hold 1", by=hosted.ada)
    hosted.settle()
    assert approver(hosted) == "ada"
    hosted.repo.edit(issue, title="Another title", by=hosted.ada)
    hosted.settle()
    assert approver(hosted) is None
    assert "The approval does not hold any more" in hosted.sticky(issue)
    (told,) = (each for each in replies(hosted, issue) if "does not hold any more" in each)
    assert "`/brat approve`" in told
    assert "brat:waiting" in issue.labels
    hosted.hub.clock.advance(5)
    hosted.repo.comment(issue, "/brat approve", by=hosted.ada)
    hosted.settle()
    assert approver(hosted) == "ada"
    assert "does not hold" not in hosted.sticky(issue)


@pytest.mark.full
def test_a_pull_request_that_a_person_closes_blocks_its_task_and_a_retry_opens_another(
    hosted: HostedWorld,
) -> None:
    issue = in_review(hosted)
    (first,) = pulls(hosted)
    hosted.repo.close(first, by=hosted.ada)
    hosted.settle()
    assert states(hosted) == [TaskStatus.BLOCKED]
    assert "its pull request was closed by ada" in hosted.sticky(issue)
    assert f"ada closed #{first.number} without merging it: task 1 waits" in replies(hosted, issue)[-1]
    assert "/brat retry 1" in hosted.sticky(issue)
    assert first.issue.state == "closed"
    hosted.repo.ci(green)
    hosted.repo.comment(issue, "/brat retry 1", by=hosted.ada)
    hosted.until(lambda: issue.state == "closed")
    assert [each.merged is not None for each in pulls(hosted)] == [False, True]


def test_a_branch_that_a_person_pushed_to_is_left_alone_and_said(hosted: HostedWorld) -> None:
    issue = in_review(hosted)
    branch = pulls(hosted)[0].head
    theirs = hosted.repo.push(branch, {"mine.txt": "ada was here\n"}, by=hosted.ada)
    builds(hosted.repo)
    hosted.settle()
    assert states(hosted) == [TaskStatus.BLOCKED]
    assert "somebody else moved" in hosted.sticky(issue)
    assert hosted.repo.branch(branch) == theirs
    assert not pulls(hosted)[0].merged


def test_a_dropped_tasks_pull_request_is_closed_with_a_word_and_may_be_reopened(hosted: HostedWorld) -> None:
    issue = in_review(hosted, TWO)
    first, second = pull_of(hosted, 1), pull_of(hosted, 2)
    hosted.repo.comment(issue, "/brat drop 1", by=hosted.ada)
    hosted.settle()
    assert (first.issue.state, second.issue.state) == ("closed", "open")
    (word,) = replies(hosted, first)
    assert "Task 1 was dropped" in word
    hosted.restart()
    hosted.repo.reopen(first, by=hosted.ada)
    hosted.hub.clock.advance(600)
    hosted.settle()
    assert first.issue.state == "open"
    assert len(replies(hosted, first)) == 1


def test_a_cancelled_convoys_pull_requests_are_closed_with_a_word(hosted: HostedWorld) -> None:
    issue = in_review(hosted, TWO)
    hosted.repo.comment(issue, "/brat cancel", by=hosted.ada)
    hosted.settle()
    assert {each.issue.state for each in pulls(hosted)} == {"closed"}
    assert all("cancelled by ada" in replies(hosted, each)[-1] for each in pulls(hosted))
    changes = len(hosted.hub.journal.changes)
    hosted.settle()
    assert len(hosted.hub.journal.changes) == changes


@pytest.mark.full
def test_a_branch_that_a_person_deleted_is_noticed_and_a_retry_goes_on(hosted: HostedWorld) -> None:
    issue = in_review(hosted)
    hosted.repo.set_ref(f"refs/heads/{pulls(hosted)[0].head}", None, by=hosted.ada)
    hosted.settle()
    assert states(hosted) == [TaskStatus.BLOCKED]
    hosted.repo.ci(green)
    hosted.repo.comment(issue, "/brat retry 1", by=hosted.ada)
    hosted.until(lambda: issue.state == "closed")
    assert states(hosted) == [TaskStatus.MERGED]


def test_a_pull_request_that_a_person_makes_a_draft_waits_for_their_word(hosted: HostedWorld) -> None:
    issue = in_review(hosted)
    (pull,) = pulls(hosted)
    assert not pull.draft
    with hosted.repo.changing(hosted.ada) as ada:
        ready(hosted.repo, pull, by=ada, draft=True)
    builds(hosted.repo)
    hosted.settle()
    assert not pull.merged
    assert "mark it ready for review" in hosted.sticky(issue)
    with hosted.repo.changing(hosted.ada) as ada:
        ready(hosted.repo, pull, by=ada)
    hosted.until(lambda: done(hosted))


@pytest.mark.full
def test_a_merge_by_hand_counts_and_the_rest_goes_on(hosted: HostedWorld) -> None:
    hosted.repo.rules.clear()
    hosted.repo.protect("main", "build")
    issue = hosted.ask("Both", "- [ ] First\n- [ ] Second\n  after: 1\n")
    hosted.until(lambda: bool(pulls(hosted)))
    hosted.settle()
    builds(hosted.repo)
    hosted.repo.merge(pulls(hosted)[0], by=hosted.ada)
    hosted.repo.ci(green)
    hosted.until(lambda: issue.state == "closed")
    assert [each.merge.strategy for each in hosted.convoy.tasks if each.merge] == ["by-hand", "rebase"]


@pytest.mark.full
def test_the_issue_ends_with_a_summary_and_is_not_fought_over(hosted: HostedWorld) -> None:
    hosted.repo.ci(green)
    issue = hosted.ask("Two parts", TWO)
    hosted.until(lambda: issue.state == "closed")
    (last,) = replies(hosted, issue)
    assert "2 tasks landed on `main`" in last
    assert all(f"#{each.number}" in last for each in pulls(hosted))
    assert "brat:done" in issue.labels
    hosted.settle()
    hosted.repo.reopen(issue, by=hosted.ada)
    hosted.settle()
    assert issue.state == "open"
    assert len(hosted.board.convoys) == 1


def test_an_issue_that_a_person_opens_again_at_once_stays_open(hosted: HostedWorld) -> None:
    hosted.repo.ci(green)
    issue = hosted.ask("One part", ONE)
    hosted.until(lambda: issue.state == "closed")
    hosted.repo.reopen(issue, by=hosted.ada)
    hosted.settle()
    assert issue.state == "open"
    assert status(hosted) is ConvoyStatus.COMPLETE


def test_an_issue_opened_again_before_we_know_that_we_closed_it_stays_open(hosted: HostedWorld) -> None:
    hosted.repo.ci(green)
    issue = hosted.ask("One part", ONE)
    hosted.hub.faults.add(f"PATCH */issues/{issue.number}", status=0, after=True)
    hosted.until(lambda: issue.state == "closed")
    hosted.repo.reopen(issue, by=hosted.ada)
    hosted.settle()
    hosted.hub.clock.advance(300)
    hosted.settle()
    assert issue.state == "open"
    assert status(hosted) is ConvoyStatus.COMPLETE


def test_a_branch_that_is_left_of_a_convoy_nobody_knows_of_is_never_pushed_over(hosted: HostedWorld) -> None:
    hosted.repo.ci(green)
    theirs = hosted.repo.push("convoy/work/task-1", {"old.txt": "of another clone\n"}, by=hosted.ada)
    issue = hosted.ask("The work", ONE)
    hosted.until(lambda: issue.state == "closed")
    assert hosted.convoy.slug == "work-2"
    assert hosted.repo.branch("convoy/work/task-1") == theirs
    hosted.hub.clock.advance(5)
    hosted.ask("The work", "- [ ] Second\n")
    hosted.until(lambda: len(hosted.board.convoys) == 2)
    assert hosted.convoy.slug == "work-3"
