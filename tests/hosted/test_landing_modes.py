"""Every way in which finished work lands, with what the branch's rules ask for."""

from __future__ import annotations

import pytest

from app.board import TaskStatus
from tests.fakehub import Issue, Project
from tests.hosted.conftest import MakeHosted
from tests.hosted.scenes import ONE, TWO, builds, done, in_review, pull_of, pulls, states
from tests.hosted.world import HostedWorld, green


@pytest.mark.parametrize("strategy", ["squash", "merge"])
def test_work_lands_by_the_strategy_that_was_asked_for(make_hosted: MakeHosted, strategy: str) -> None:
    hosted = make_hosted(config=f'[refinery]\nstrategy = "{strategy}"\n')
    hosted.repo.ci(green)
    issue = hosted.ask("The work", ONE)
    before = hosted.repo.branch("main")
    hosted.until(lambda: issue.state == "closed")
    landed = hosted.repo.git.commit(hosted.repo.branch("main") or "")
    assert len(landed.parents) == (2 if strategy == "merge" else 1)
    assert landed.parents[0] == before
    assert f"Brat-Convoy: {hosted.convoy.id}" in landed.message
    assert landed.message.startswith(f"First (#{pulls(hosted)[0].number})")


def test_a_method_that_the_repository_forbids_is_said_and_another_one_lands(hosted: HostedWorld) -> None:
    hosted.repo.methods = ("squash",)
    hosted.repo.ci(green)
    issue = hosted.ask("The work", ONE)
    hosted.settle()
    assert "`/brat strategy squash`" in hosted.sticky(issue)
    hosted.repo.comment(issue, "/brat strategy squash", by=hosted.ada)
    hosted.until(lambda: issue.state == "closed")
    assert pulls(hosted)[0].merged


def test_a_convoy_is_gathered_on_its_own_branch_and_comes_home_in_one_pull_request(
    make_hosted: MakeHosted,
) -> None:
    hosted = make_hosted(config='[refinery]\ntarget = "convoy"\n')
    hosted.repo.ci(green)
    hosted.repo.protect("main", "build")
    issue = hosted.ask("The work", "- [ ] First\n- [ ] Second\n  after: 1\n")
    hosted.until(lambda: issue.state == "closed")
    *tasks, home = pulls(hosted)
    assert {each.base for each in tasks} == {"convoy/work/main"}
    assert (home.head, home.base) == ("convoy/work/main", "main")
    assert all(each.merged for each in (*tasks, home))
    text = home.issue.body or ""
    assert "1. First" in text
    assert f"Part of #{issue.number}" in text
    for name in ("task-1.txt", "task-2.txt"):
        assert hosted.repo.git.text("main", name)


@pytest.mark.full
def test_a_convoys_own_branch_comes_home_behind_a_base_that_moved(make_hosted: MakeHosted) -> None:
    hosted = make_hosted(config='[refinery]\ntarget = "convoy"\n')
    hosted.repo.ci(lambda repo, branch, head: green(repo, branch, head) if "/task-" in branch else None)
    hosted.repo.protect("main", "build")
    hosted.repo.rules[0].strict = True
    issue = hosted.ask("The work", ONE)
    hosted.until(lambda: any(each.base == "main" for each in pulls(hosted)))
    hosted.settle()
    moved = hosted.repo.push("main", {"other.txt": "meanwhile\n"}, by=hosted.ada)
    hosted.repo.ci(green)
    home = pulls(hosted)[-1]
    hosted.repo.check(home.head_sha, "build")
    hosted.until(lambda: issue.state == "closed")
    assert home.merged
    assert hosted.repo.git.holds(home.head_sha, moved)


@pytest.mark.full
def test_what_was_released_needs_no_second_word_in_the_convoys_own_pull_request(
    make_hosted: MakeHosted,
) -> None:
    hosted = make_hosted(config='[refinery]\ntarget = "convoy"\n')
    hosted.repo.ci(green)
    hosted.plays("witness", "cat > /dev/null\nmkdir -p .github\necho '* @eve' > .github/CODEOWNERS\n")
    issue = hosted.ask("The work", ONE)
    hosted.settle()
    assert hosted.task(1).hold is not None
    hosted.repo.comment(issue, "/brat release 1", by=hosted.ada)
    hosted.until(lambda: issue.state == "closed")
    assert hosted.repo.git.text("main", ".github/CODEOWNERS")


@pytest.mark.full
def test_a_convoys_pull_request_that_is_too_large_lands_when_its_tasks_are_released(
    make_hosted: MakeHosted,
) -> None:
    hosted = make_hosted(config='[refinery]\ntarget = "convoy"\nmax_lines = 1\n')
    hosted.repo.ci(green)
    issue = hosted.ask("The work", "- [ ] First\n- [ ] Second\n  after: 1\n")
    hosted.until(lambda: len(pulls(hosted)) == 3)
    hosted.settle()
    assert "`/brat release 1,2`" in hosted.sticky(issue)
    hosted.repo.comment(pulls(hosted)[-1], "/brat release 1,2", by=hosted.ada)
    hosted.until(lambda: issue.state == "closed")
    assert pulls(hosted)[-1].merged


@pytest.mark.full
def test_a_convoys_pull_request_that_a_person_closes_ends_it(make_hosted: MakeHosted) -> None:
    hosted = make_hosted(config='[refinery]\ntarget = "convoy"\n')
    hosted.repo.ci(
        lambda repo, branch, head: None if branch == "convoy/work/main" else green(repo, branch, head)
    )
    hosted.repo.protect("main", "build")
    issue = hosted.ask("The work", ONE)
    hosted.until(lambda: any(each.base == "main" for each in pulls(hosted)))
    hosted.settle()
    hosted.repo.close(pulls(hosted)[-1], by=hosted.ada)
    hosted.settle()
    assert "closed by ada" in hosted.sticky(issue)
    assert hosted.repo.git.text("main", "task-1.txt") is None


def test_pushed_work_is_the_tested_commit_itself(make_hosted: MakeHosted) -> None:
    hosted = make_hosted(config='[refinery]\nland = "push"\n')
    hosted.repo.ci(green)
    issue = hosted.ask("The work", "- [ ] First\n- [ ] Second\n  after: 1\n")
    hosted.until(lambda: issue.state == "closed")
    tested = [each.work.head for each in hosted.convoy.tasks if each.work]
    assert hosted.repo.branch("main") == tested[-1]
    assert all(each.merged for each in pulls(hosted))
    assert hosted.hub.journal.count("PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge") == 0


def test_a_branch_that_is_behind_is_brought_up_to_date_and_tested_again(hosted: HostedWorld) -> None:
    issue = in_review(hosted, TWO)
    hosted.repo.rules[0].strict = True
    for task in (1, 2):
        builds(hosted.repo, task=task)
    hosted.until(lambda: states(hosted).count(TaskStatus.MERGED) == 1)
    (late,) = (each for each in pulls(hosted) if not each.merged)
    hosted.until(lambda: hosted.repo.git.holds(late.head_sha, hosted.repo.branch("main") or ""))
    hosted.settle()
    assert not late.merged
    hosted.repo.ci(green)
    hosted.repo.check(late.head_sha, "build")
    hosted.until(lambda: issue.state == "closed")


def test_githubs_own_queue_lands_and_an_ejection_in_silence_is_noticed(hosted: HostedWorld) -> None:
    issue = in_review(hosted)
    hosted.repo.rules.clear()
    hosted.repo.protect("main", "build", queue=True, ruleset=1)
    tries: list[str] = []

    def once_red(repo: Project, branch: str, head: str) -> None:
        if branch.startswith("gh-readonly-queue/"):
            tries.append(head)
            repo.check(head, "build", "failure" if len(tries) == 1 else "success")

    hosted.repo.ci(once_red)
    builds(hosted.repo)

    def landed() -> bool:
        hosted.repo.work_queue()
        return issue.state == "closed"

    hosted.until(landed)
    assert len(tries) == 2
    assert [each.reason for each in hosted.task(1).merges] == ["ejected", ""]
    assert len(hosted.hub.journal.changes_of("enqueue")) == 2


@pytest.mark.full
def test_held_work_is_taken_out_of_githubs_queue_and_others_have_their_turn(hosted: HostedWorld) -> None:
    hosted.repo.protect("main", "build", queue=True, ruleset=1)
    hosted.repo.ci(lambda repo, branch, head: green(repo, branch, head) if "/task-" in branch else None)
    first = hosted.ask("The one", ONE)
    hosted.until(lambda: bool(hosted.repo.data.queue))
    hosted.settle()
    hosted.repo.comment(first, "/brat hold 1", by=hosted.ada)
    hosted.settle()
    assert not hosted.repo.data.queue
    hosted.repo.ci(green)
    second = hosted.ask("The other", ONE)

    def landed(issue: Issue) -> bool:
        hosted.repo.work_queue()
        return issue.state == "closed"

    hosted.until(lambda: landed(second))
    assert [bool(each.merged) for each in pulls(hosted)] == [False, True]
    hosted.repo.comment(first, "/brat unhold 1", by=hosted.ada)
    hosted.until(lambda: landed(first))


def test_approvals_that_a_ruleset_asks_for_are_waited_for(hosted: HostedWorld) -> None:
    issue = in_review(hosted)
    hosted.repo.rules.clear()
    hosted.repo.protect("main", "build", approvals=1, ruleset=1)
    builds(hosted.repo)
    hosted.settle()
    (pull,) = pulls(hosted)
    assert not pull.merged
    assert "approv" in hosted.sticky(issue)
    hosted.repo.review(pull, "APPROVED", "fine", by=hosted.eve)
    hosted.settle()
    assert not pull.merged
    hosted.repo.review(pull, "APPROVED", "fine", by=hosted.ada)
    hosted.until(lambda: done(hosted))


def test_a_merge_whose_answers_settle_nothing_is_said_with_the_reason(hosted: HostedWorld) -> None:
    issue = in_review(hosted)
    hosted.hub.faults.add("PUT */merge", status=502, count=2)
    builds(hosted.repo)
    hosted.until(lambda: "the last answer" in hosted.sticky(issue))
    assert not pulls(hosted)[0].merged
    hosted.until(lambda: done(hosted))
    assert "the last answer" not in hosted.sticky(issue)


@pytest.mark.full
def test_work_that_must_not_land_in_a_freeze_waits_and_says_until_when(make_hosted: MakeHosted) -> None:
    frozen = '[[refinery.freeze]]\nfrom = "2020-01-01T00:00"\nto = "2999-01-01T00:00"\n'
    hosted = make_hosted(config=frozen)
    issue = in_review(hosted)
    builds(hosted.repo)
    hosted.settle()
    assert not pulls(hosted)[0].merged
    assert "2999" in hosted.sticky(issue)


@pytest.mark.full
def test_a_conflict_goes_back_to_an_agent_and_the_other_work_stays(hosted: HostedWorld) -> None:
    hosted.plays("task-1", "cat > /dev/null\necho one > same.txt\n")
    hosted.plays("task-2", "cat > /dev/null\necho two > same.txt\n", attempt=1)
    hosted.plays("task-2", "cat > /dev/null\necho both > same.txt\n", attempt=2)
    issue = in_review(hosted, TWO)
    hosted.repo.ci(green)
    builds(hosted.repo, task=1)
    hosted.until(lambda: states(hosted)[0] is TaskStatus.MERGED)
    hosted.until(lambda: issue.state == "closed")
    assert hosted.repo.git.text("main", "same.txt") == "both\n"
    assert [each.reason for each in hosted.task(2).merges] == ["conflict", ""]
    assert len(pulls(hosted)) == 2
    assert pull_of(hosted, 2).merged


def test_a_convoys_own_pull_request_goes_through_githubs_queue_where_there_is_one(
    make_hosted: MakeHosted,
) -> None:
    hosted = make_hosted(config='[refinery]\ntarget = "convoy"\n')
    hosted.repo.ci(green)
    hosted.repo.protect("main", "build", queue=True, ruleset=1)
    hosted.between = hosted.repo.work_queue
    issue = hosted.ask("The work", ONE)
    hosted.until(lambda: issue.state == "closed")
    assert pulls(hosted)[-1].merged
