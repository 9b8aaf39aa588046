"""From a label to merged pull requests, on the stand-in with real git over http and real sessions."""

from __future__ import annotations

from app.board import ConvoyStatus
from tests.fakehub import Project
from tests.hosted.conftest import MakeHosted
from tests.hosted.ends import expect_once
from tests.hosted.world import HostedWorld, green

CHECKLIST = "Please.\n- [ ] First\n- [ ] Second\n  after: 1\n- [ ] Third\n"


def test_a_labelled_issue_becomes_merged_pull_requests_and_is_closed(hosted: HostedWorld) -> None:
    hosted.repo.ci(green)
    hosted.repo.protect("main", "build")
    issue = hosted.ask("Three parts", CHECKLIST)
    hosted.until(lambda: bool(hosted.board.convoys) and hosted.convoy.status is ConvoyStatus.COMPLETE)
    hosted.until(lambda: issue.state == "closed")
    pulls = list(hosted.repo.data.pulls.values())
    assert len(pulls) == 3
    assert all(each.merged for each in pulls)
    assert hosted.sticky(issue)


def test_nothing_runs_before_a_permitted_person_has_approved_where_that_is_required(
    make_hosted: MakeHosted,
) -> None:
    hosted = make_hosted(config='[mayor]\napproval = "required"\n')
    hosted.repo.ci(green)
    issue = hosted.ask("One part", "- [ ] First\n")
    hosted.settle()
    assert not hosted.convoy.all_sessions
    assert "/brat approve" in hosted.sticky(issue)
    hosted.repo.comment(issue, "/brat approve", by=hosted.eve)
    hosted.settle()
    assert hosted.approved_by() is None
    hosted.repo.comment(issue, "Looks right.\n\n/brat approve", by=hosted.ada)
    hosted.until(lambda: issue.state == "closed")
    assert hosted.approved_by() == "ada"


def test_a_red_check_is_repaired_by_a_session_on_the_same_branch(hosted: HostedWorld) -> None:
    def picky(repo: Project, branch: str, head: str) -> None:
        if branch.startswith("convoy/"):
            good = repo.git.text(head, "repaired") is not None
            red = ("failure", "E   the file `repaired` is missing\n")
            repo.actions(head, {"build": "success" if good else red})

    hosted.repo.ci(picky)
    hosted.repo.protect("main", "build")
    hosted.plays("witness", "echo one > one\nif grep -q 'is missing'; then echo so > repaired; fi\n")
    issue = hosted.ask("One part", "- [ ] First\n")
    hosted.until(lambda: issue.state == "closed")
    (pull,) = hosted.repo.data.pulls.values()
    assert pull.merged
    assert [each.reason for each in hosted.task(1).merges] == ["check", ""]
    assert hosted.task(1).attempts == 2


def test_two_workers_do_everything_once(hosted: HostedWorld) -> None:
    hosted.repo.ci(green)
    issue = hosted.ask("Three parts", CHECKLIST)
    hosted.until(lambda: issue.state == "closed", names=("one", "two"))
    expect_once(hosted, issue)


def test_a_worker_that_is_killed_after_every_pass_loses_nothing_and_doubles_nothing(
    hosted: HostedWorld,
) -> None:
    hosted.repo.ci(green)
    issue = hosted.ask("Three parts", CHECKLIST)
    for _ in range(100):
        hosted.run_pass()
        hosted.restart()
        hosted.hub.clock.advance(150)
        if issue.state == "closed":
            break
    expect_once(hosted, issue)
