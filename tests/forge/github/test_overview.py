"""What GraphQL cuts off, refuses or garbles is read on, or unknown."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from app.forge.github import Client
from app.forge.github.documents import document
from app.forge.github.overview import Overview, Questions, overview
from app.ports import CheckState, PullState, ReviewState
from tests.forge.github.conftest import US, GitHub

GRAPHQL = "https://git.example.org/api/graphql"
HEAD = "a" * 40
MORE = {"hasNextPage": True, "endCursor": "c1"}
BOT = {"__typename": "Bot", "login": "brat", "databaseId": 9000}


def nodes(*found: Any, page: Any = None) -> dict[str, Any]:
    return {"nodes": list(found), "pageInfo": page or {"hasNextPage": False}}


def run(name: str, **more: Any) -> dict[str, Any]:
    suite = {"databaseId": 8, "app": {"databaseId": 15368}}
    plain = {"databaseId": 5, "status": "COMPLETED", "conclusion": "SUCCESS", "checkSuite": suite}
    return {"__typename": "CheckRun", "name": name, **plain, **more}


def review(id: int, **more: Any) -> dict[str, Any]:
    plain = {"id": f"R_{id}", "databaseId": id, "state": "APPROVED", "author": BOT, "commit": {"oid": HEAD}}
    return {**plain, "submittedAt": "2027-01-15T08:00:00Z", "comments": nodes(), **more}


def pull(*checks: Any, **more: Any) -> dict[str, Any]:
    commit = {"oid": HEAD, "statusCheckRollup": {"id": "S_1", "contexts": nodes(*checks)}}
    plain = {"id": "PR_3", "number": 3, "state": "OPEN", "headRefOid": HEAD, "headRefName": "convoy/x/task-1"}
    lists = {each: nodes() for each in ("labels", "reviews", "reviewThreads")}
    who = {"author": BOT, "isCrossRepository": False, "baseRefName": "main", "mergeable": "MERGEABLE"}
    return {**plain, **lists, **who, "commits": {"nodes": [{"commit": commit}]}, **more}


def look(github: GitHub, client: Client, *answers: Any, **asked: Any) -> Overview:
    """Answers in turn: `repository` first, then the nodes that are read on."""
    route = github.router.post(GRAPHQL)
    keys = iter(("repository", *["node"] * 20))
    route.side_effect = [
        each if isinstance(each, httpx.Response) else httpx.Response(200, json={"data": {next(keys): each}})
        for each in answers
    ]
    return overview(client, "ada/auth", US, questions=Questions(**(asked or {"pulls": (3,)})))


def test_a_whole_pull_request(github: GitHub, client: Client) -> None:
    found = look(github, client, {"p3": pull(run("ci"), reviewDecision="REVIEW_REQUIRED")})
    seen = found.pulls[3]
    assert (seen.ours, seen.state, seen.mergeable) == (True, PullState.OPEN, True)
    assert (seen.conversations, seen.review_missing) == (0, True)
    (check,) = found.checks[HEAD]
    assert (check.name, check.state, check.app, check.suite) == ("ci", CheckState.SUCCESS, 15368, 8)


def test_checks_that_were_cut_off_are_read_on(github: GitHub, client: Client) -> None:
    cut = pull()
    cut["commits"]["nodes"][0]["commit"]["statusCheckRollup"]["contexts"] = nodes(run("a"), page=MORE)
    found = look(github, client, {"p3": cut}, {"contexts": nodes(run("b"), run("b", databaseId=6))})
    assert [each.name for each in found.checks[HEAD]] == ["a", "b", "b"]
    asked = json.loads(github.router.calls[-1].request.content)["variables"]
    assert asked == {"id": "S_1", "after": "c1"}


def test_checks_that_cannot_be_read_on_are_unknown_and_the_rest_is_known(
    github: GitHub, client: Client
) -> None:
    cut = pull()
    cut["commits"]["nodes"][0]["commit"]["statusCheckRollup"]["contexts"] = nodes(run("a"), page=MORE)
    found = look(github, client, {"p3": cut}, httpx.Response(502), httpx.Response(502))
    assert (list(found.pulls), found.checks) == ([3], {})


def test_reviews_that_cannot_be_read_on_leave_no_half_of_a_pull_request(
    github: GitHub, client: Client
) -> None:
    cut = pull(reviews=nodes(review(1), page=MORE))
    assert look(github, client, {"p3": cut}, None).pulls == {}


def test_conversations_that_cannot_be_counted_are_unknown(github: GitHub, client: Client) -> None:
    found = look(github, client, {"p3": pull(reviewThreads=None)})
    assert found.pulls[3].conversations is None


def test_only_published_reviews_show_with_their_remarks(github: GitHub, client: Client) -> None:
    remarks = nodes({"path": "a.py", "line": 3, "body": "why?"}, {"path": "b.py", "line": None, "body": "x"})
    mine = review(1, state="PENDING", submittedAt=None)
    theirs = review(2, state="CHANGES_REQUESTED", body=None, comments=remarks)
    (seen,) = look(github, client, {"p3": pull(reviews=nodes(mine, theirs))}).pulls[3].reviews
    assert (seen.id, seen.state, seen.body) == (2, ReviewState.CHANGES_REQUESTED, "")
    assert seen.lines == ("a.py:3: why?", "b.py: x")


@pytest.mark.parametrize(
    "node",
    [None, {}, {"number": 3}, pull(id=None), pull(reviews={"nodes": [None]}), pull(headRefOid=None), "x", []],
)
def test_a_garbled_pull_request_is_unknown(github: GitHub, client: Client, node: Any) -> None:
    assert look(github, client, {"p3": node}).pulls == {}


def test_checks_of_a_commit_that_is_no_longer_the_head_do_not_count(github: GitHub, client: Client) -> None:
    found = look(github, client, {"p3": pull(run("ci"), headRefOid="b" * 40)})
    assert (list(found.pulls), found.checks) == ([3], {})


def test_a_fork_with_our_branch_name_is_not_ours(github: GitHub, client: Client) -> None:
    assert not look(github, client, {"p3": pull(isCrossRepository=True)}).pulls[3].ours


@pytest.mark.parametrize(
    ("more", "state"),
    [
        ({"conclusion": "NEUTRAL"}, CheckState.NEUTRAL),
        ({"conclusion": "STALE"}, CheckState.PENDING),
        ({"conclusion": "SOMETHING_NEW"}, CheckState.PENDING),
        ({"conclusion": "STARTUP_FAILURE"}, CheckState.FAILURE),
        ({"conclusion": None, "status": "IN_PROGRESS"}, CheckState.PENDING),
        ({"conclusion": "SUCCESS", "status": "QUEUED"}, CheckState.PENDING),
    ],
)
def test_a_check_is_green_only_where_it_says_so(
    github: GitHub, client: Client, more: dict[str, Any], state: CheckState
) -> None:
    (check,) = look(github, client, {"p3": pull(run("ci", **more))}).checks[HEAD]
    assert check.state is state


def test_t19_a_key_of_a_check_counts_from_our_own_app(github: GitHub, client: Client) -> None:
    ours = {"databaseId": 8, "app": {"databaseId": 99}}
    checks = (run("brat", externalId="forged"), run("brat", externalId="check:1", checkSuite=ours))
    found = look(github, client, {"p3": pull(*checks)}).checks[HEAD]
    assert [(each.ours, each.key) for each in found] == [(False, ""), (True, "check:1")]


def test_a_head_without_any_check_has_none_and_one_that_is_not_there_is_unknown(
    github: GitHub, client: Client
) -> None:
    answer = {"h0": {"oid": HEAD, "statusCheckRollup": None}, "h1": None, "h2": {"oid": "c"}}
    found = look(github, client, answer, heads=(HEAD, "b" * 40, "c" * 40))
    assert found.checks == {HEAD: ()}


def test_habits_are_the_names_on_the_last_commits_without_ours(github: GitHub, client: Client) -> None:
    ours = run("brat", checkSuite={"app": {"databaseId": 99}})
    older = {"statusCheckRollup": {"contexts": nodes({"__typename": "StatusContext", "context": "preview"})}}
    tip = {
        "statusCheckRollup": {"contexts": nodes(run("ci"), ours)},
        "parents": {"nodes": [{"statusCheckRollup": None, "parents": {"nodes": [older]}}]},
    }
    found = look(github, client, {"b0": {"target": tip}, "q0": None}, branches=("main",))
    assert (found.usual, found.queues) == ({"main": ("ci", "preview")}, {"main": False})


def test_habits_that_were_cut_off_are_unknown(github: GitHub, client: Client) -> None:
    tip = {"statusCheckRollup": {"contexts": nodes(run("ci"), page=MORE)}}
    assert look(github, client, {"b0": {"target": tip}}, branches=("main",)).usual == {"main": None}


def test_many_pull_requests_are_asked_for_twenty_at_a_time(github: GitHub, client: Client) -> None:
    wanted = tuple(range(1, 46))
    look(github, client, *({f"p{n}": pull(number=n) for n in wanted} for _ in range(3)), pulls=wanted)
    assert github.router.calls.call_count == 4


def test_nothing_foreign_is_part_of_the_documents_text() -> None:
    plain, _ = document("a/b", branches=("main",))
    text, values = document('o"w/n"m', branches=('main") { evil } #',))
    assert text == plain
    assert 'refs/heads/main") { evil } #' in values.values()
