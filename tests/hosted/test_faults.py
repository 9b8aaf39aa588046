"""What GitHub and people do to a convoy under way: same end, nothing twice, or a stated reason."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from tests.fakehub import CheckRun, Issue, Project
from tests.hosted.conftest import TWO_TASKS
from tests.hosted.ends import expect_once
from tests.hosted.world import HostedWorld, green

ONE_TASK = "- [ ] First\n"
TASK_1 = "convoy/parts/task-1"
ROUTES = (
    "POST */issues/{issue_number}/comments",
    "PATCH */issues/comments/{comment_id}",
    "POST */issues/comments/{comment_id}/reactions",
    "POST */issues/{issue_number}/labels",
    "DELETE */issues/{issue_number}/labels/{name}",
    "PATCH */issues/{issue_number}",
    "POST /repos/{owner}/{repo}/labels",
    "POST */pulls",
    "PUT */merge",
    "POST */check-runs",
    "PATCH */check-runs/{check_run_id}",
    "POST */git-receive-pack",
)
"""Every way in which a plain convoy changes something on GitHub."""
HOW = {
    "5xx before the effect": {"status": 502},
    "5xx after the effect": {"status": 502, "after": True},
    "cut before the effect": {"status": 0},
    "cut after the effect": {"status": 0, "after": True},
}


def ask(hosted: HostedWorld, body: str = ONE_TASK, *, strict: bool = False) -> Issue:
    """A convoy on a protected base, and a command."""
    hosted.repo.protect("main", "build", strict=strict)
    issue = hosted.ask("Some parts", body)
    hosted.repo.comment(issue, "/brat status", by=hosted.ada)
    return issue


def mostly_full(values: Iterable[object], quick: object) -> list[object]:
    """All of them in the long matrices, one of them always."""
    return [each if each == quick else pytest.param(each, marks=pytest.mark.full) for each in values]


def slowly_green(hosted: HostedWorld) -> None:
    """CI of a branch is green some passes after it began: so the check run of ours is posted and changed."""
    running: list[CheckRun] = []

    def robot(repo: Project, branch: str, head: str) -> None:
        if branch.startswith("convoy/"):
            running.extend([repo.check(head, "build", None)] * 4)

    def between() -> None:
        check = running.pop() if running else None
        if check is not None and all(check is not each for each in running):
            hosted.repo.finish(check, "success")

    hosted.repo.ci(robot)
    hosted.between = between


def to_the_end(hosted: HostedWorld, issue: Issue) -> None:
    hosted.until(lambda: issue.state == "closed")
    expect_once(hosted, issue)


@pytest.mark.parametrize("how", mostly_full(HOW, "cut after the effect"))
def test_every_change_may_end_unclear_once_in_one_run(hosted: HostedWorld, how: str) -> None:
    slowly_green(hosted)
    # The first comment is the sticky one: posted late, it would never have to be edited.
    armed = [hosted.hub.faults.add(each, skip=int(each == ROUTES[0]), **HOW[how]) for each in ROUTES]
    to_the_end(hosted, ask(hosted, TWO_TASKS))
    assert [each.route for each in armed if not each.struck] == []


@pytest.mark.full
@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("route", ROUTES)
def test_a_change_may_end_unclear_again_and_again(hosted: HostedWorld, route: str, how: str) -> None:
    slowly_green(hosted)
    armed = hosted.hub.faults.add(route, count=3, **HOW[how])
    to_the_end(hosted, ask(hosted, TWO_TASKS))
    assert armed.struck


@pytest.mark.parametrize("form", mostly_full(("retry-after", "reset", "secondary", "429"), "secondary"))
def test_a_rate_limit_in_any_form_costs_time_only(hosted: HostedWorld, form: str) -> None:
    hosted.repo.ci(green)
    now = hosted.clock()
    routes = ("POST */comments", "PUT */merge", "POST */graphql", "POST */pulls", "GET */issues")
    armed = [hosted.hub.faults.limited(route, form=form, now=now) for route in routes]
    to_the_end(hosted, ask(hosted))
    assert all(each.struck for each in armed)


@pytest.mark.full
def test_a_comment_that_is_refused_for_a_while_is_posted_later(hosted: HostedWorld) -> None:
    hosted.repo.ci(green)
    words = "Resource not accessible by integration"
    armed = hosted.hub.faults.add("POST */issues/*/comments", status=403, message=words, count=2)
    issue = ask(hosted)
    to_the_end(hosted, issue)
    assert armed.struck == 2
    assert hosted.sticky(issue)


def test_a_locked_issue_is_worked_on_without_a_word(hosted: HostedWorld) -> None:
    hosted.repo.ci(green)
    issue = ask(hosted)
    issue.locked = True
    to_the_end(hosted, issue)
    assert not [each for each in hosted.repo.data.comments.values() if each.author.app is not None]


def test_tokens_that_end_in_mid_run_are_renewed(hosted: HostedWorld) -> None:
    def tokens_end() -> None:
        """Not in their first seconds: so new they may only not be known yet."""
        hosted.hub.clock.advance(10)
        hosted.hub.revoke(hosted.installation)

    hosted.repo.ci(green)
    hosted.between = tokens_end
    to_the_end(hosted, ask(hosted, TWO_TASKS))


@pytest.mark.parametrize("back", mostly_full((1, 3), 3))
def test_reads_that_lag_behind_double_nothing(hosted: HostedWorld, back: int) -> None:
    hosted.repo.ci(green)
    routes = ("GET */issues*", "GET */comments", "GET */pulls", "POST */graphql", "GET */issues/*/events")
    armed = [
        hosted.hub.faults.add(route, back=back, count=12, skip=skip) for skip, route in enumerate(routes)
    ]
    to_the_end(hosted, ask(hosted, TWO_TASKS))
    assert all(each.struck for each in armed)
