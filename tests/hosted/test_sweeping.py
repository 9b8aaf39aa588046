"""Branches of a convoy that is over: what landed goes, what people use stays and is named."""

from __future__ import annotations

from app.board import ConvoyStatus
from tests.hosted.conftest import MakeHosted
from tests.hosted.scenes import ONE, TWO, pulls, status
from tests.hosted.world import HostedWorld, green

FIRST, SECOND = "convoy/work/task-1", "convoy/work/task-2"


def branches(hosted: HostedWorld) -> set[str]:
    heads = (each.removeprefix("refs/heads/") for each in hosted.repo.refs if each.startswith("refs/heads/"))
    return {each for each in heads if each.startswith("convoy/")}


def ended(hosted: HostedWorld, body: str) -> str:
    """The end of a convoy with these tasks, and its sticky comment."""
    hosted.repo.ci(green)
    issue = hosted.ask("The work", body)
    hosted.until(lambda: issue.state == "closed")
    hosted.settle()
    return hosted.sticky(issue)


def test_branches_whose_work_has_landed_go_once(hosted: HostedWorld) -> None:
    sticky = ended(hosted, TWO)
    assert not branches(hosted)
    assert "was left" not in sticky
    tip = hosted.convoy.tasks[0].work
    assert tip is not None
    hosted.repo.set_ref(f"refs/heads/{FIRST}", tip.head, by=hosted.ada)
    hosted.settle()
    assert branches(hosted) == {FIRST}


def test_the_branch_of_a_convoy_goes_with_those_of_its_tasks(make_hosted: MakeHosted) -> None:
    hosted = make_hosted(config='[refinery]\ntarget = "convoy"\n')
    ended(hosted, ONE)
    assert not branches(hosted)


def test_a_branch_that_a_person_pushed_to_stays_and_is_named(hosted: HostedWorld) -> None:
    def push() -> None:
        if any(each.merged for each in pulls(hosted)) and not done:
            done.append(hosted.repo.push(FIRST, {"mine.txt": "ada was here\n"}, by=hosted.ada))

    done: list[str] = []
    hosted.between = push
    sticky = ended(hosted, "- [ ] First\n- [ ] Second\n  after: 1\n")
    assert branches(hosted) == {FIRST}
    assert hosted.repo.branch(FIRST) == done[0]
    assert f"the work on {FIRST} has landed, and the branch was left: somebody pushed to it" in sticky


def test_a_branch_that_another_pull_request_is_built_on_stays(hosted: HostedWorld) -> None:
    def build() -> None:
        if any(each.merged for each in pulls(hosted)) and not done:
            hosted.repo.push("feature", {"more.txt": "more\n"}, by=hosted.ada)
            done.append(hosted.repo.pull("feature", base=FIRST, by=hosted.ada).number)

    done: list[int] = []
    hosted.between = build
    sticky = ended(hosted, "- [ ] First\n- [ ] Second\n  after: 1\n")
    assert branches(hosted) == {FIRST}
    assert f"pull request {done[0]} is open on it" in sticky


def test_branches_of_a_convoy_that_was_cancelled_stay(hosted: HostedWorld) -> None:
    hosted.repo.protect("main", "build")
    issue = hosted.ask("The work", ONE)
    hosted.until(lambda: bool(pulls(hosted)))
    hosted.repo.comment(issue, "/brat cancel", by=hosted.ada)
    hosted.settle()
    assert status(hosted) is ConvoyStatus.FAILED
    assert branches(hosted) == {FIRST}
