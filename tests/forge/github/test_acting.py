"""Every action: what is asked of GitHub, and what each of its answers means."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from app.errors import Later
from app.forge.github import AppCredentials, GitHubApp, GitHubHub, Surroundings
from app.ports import (
    CloseIssue,
    ClosePull,
    Dequeue,
    Done,
    EditComment,
    EditPull,
    Enqueue,
    HubAction,
    Introduce,
    Label,
    MergePull,
    OpenPull,
    PostCheck,
    PostComment,
    React,
    Refused,
    RerunCheck,
    Unknown,
)
from tests.forge.github.conftest import REPO, US, Files, GitHub, Turned

HEAD = "a" * 40
COMMENT = PostComment(7, "sticky:jwt", "Planning\n")
MERGE = MergePull(3, HEAD, "squash", "Add JWT (#3)", "What and why")
OPEN = OpenPull("convoy/jwt/task-1", "main", "Add JWT", "Part of #7")
CHECK = PostCheck(HEAD, "check:jwt-1", "waits", "for a review", None)
EDIT = EditComment(7, 12, "sticky:jwt", "Running")
GRAPHQL = "https://git.example.org/api/graphql"


@dataclass(frozen=True)
class Simple:
    """An action that is one request."""

    action: HubAction
    method: str
    path: str
    body: dict[str, Any]


SIMPLE = [
    Simple(COMMENT, "POST", "/issues/7/comments", {"body": "Planning\n\n<!-- brat:sticky:jwt -->"}),
    Simple(EDIT, "PATCH", "/issues/comments/12", {"body": "Running\n\n<!-- brat:sticky:jwt -->"}),
    Simple(React(12, "rocket"), "POST", "/issues/comments/12/reactions", {"content": "rocket"}),
    Simple(CloseIssue(7), "PATCH", "/issues/7", {"state": "closed", "state_reason": "completed"}),
    Simple(EditPull(3, "b"), "PATCH", "/pulls/3", {"body": "b"}),
    Simple(ClosePull(3), "PATCH", "/pulls/3", {"state": "closed"}),
    Simple(
        MERGE,
        "PUT",
        "/pulls/3/merge",
        {
            "sha": HEAD,
            "merge_method": "squash",
            "commit_title": "Add JWT (#3)",
            "commit_message": "What and why",
        },
    ),
]
each_simple = pytest.mark.parametrize("simple", SIMPLE, ids=[type(each.action).__name__ for each in SIMPLE])


def words(status: int, message: str, *details: str) -> httpx.Response:
    return httpx.Response(
        status, json={"message": message, "errors": [{"message": each} for each in details]}
    )


@each_simple
def test_an_action_is_one_request_with_its_guard(github: GitHub, hub: GitHubHub, simple: Simple) -> None:
    route = github.on(simple.method, f"{REPO}{simple.path}", {"id": 5, "number": 3})
    assert hub.act(simple.action) == Done()
    assert [json.loads(call.request.content) for call in route.calls] == [simple.body]


@each_simple
@pytest.mark.parametrize("broken", [500, 502, httpx.ReadTimeout("late"), httpx.RemoteProtocolError("cut")])
def test_an_action_without_a_clear_answer_is_unknown_and_made_once(
    github: GitHub, hub: GitHubHub, simple: Simple, broken: Any
) -> None:
    route = github.on(simple.method, f"{REPO}{simple.path}", broken)
    assert isinstance(hub.act(simple.action), Unknown)
    assert route.call_count == 1


@each_simple
@pytest.mark.parametrize("status", [403, 404, 410, 422, 451])
def test_a_refused_action_says_why(github: GitHub, hub: GitHubHub, simple: Simple, status: int) -> None:
    github.on(simple.method, f"{REPO}{simple.path}", words(status, "It is so"))
    outcome = hub.act(simple.action)
    assert isinstance(outcome, Refused)
    assert "It is so" in outcome.reason


@each_simple
def test_a_limited_action_is_for_another_time(
    github: GitHub, hub: GitHubHub, clock: Turned, simple: Simple
) -> None:
    limited = httpx.Response(429, json={"message": "secondary rate limit"}, headers={"retry-after": "60"})
    github.on(simple.method, f"{REPO}{simple.path}", limited)
    with pytest.raises(Later) as told:
        hub.act(simple.action)
    assert told.value.retry_at == clock() + 60_000


def test_a_missing_permission_is_named_with_what_helps(github: GitHub, hub: GitHubHub) -> None:
    github.on("POST", f"{REPO}/issues/7/comments", words(403, "Resource not accessible by integration"))
    outcome = hub.act(COMMENT)
    assert isinstance(outcome, Refused)
    assert "permission" in outcome.remedy


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (words(405, "Base branch was modified. Review and try the merge again."), Unknown),
        (words(405, "Pull Request is not mergeable"), Refused),
        (words(405, 'Required status check "ci" is expected.'), Refused),
        (words(405, "Head branch is out of date. Review and try the merge again."), Refused),
        (words(409, "Head branch was modified. Review and try the merge again."), Refused),
    ],
)
def test_only_its_words_tell_a_merge_that_may_pass_from_one_that_stays(
    github: GitHub, hub: GitHubHub, answer: httpx.Response, expected: type
) -> None:
    github.on("PUT", f"{REPO}/pulls/3/merge", answer)
    assert isinstance(hub.act(MERGE), expected)


def test_a_merge_that_wants_the_base_in_the_head_first_says_so_as_a_value(
    github: GitHub, hub: GitHubHub
) -> None:
    late = words(405, "Head branch is out of date. Review and try the merge again.")
    github.on("PUT", f"{REPO}/pulls/3/merge", late, words(405, "Pull Request is not mergeable"))
    said = [hub.act(MERGE) for _ in range(2)]
    assert [isinstance(each, Refused) and each.behind for each in said] == [True, False]


def test_a_rebase_has_no_message_of_its_own(github: GitHub, hub: GitHubHub) -> None:
    route = github.on("PUT", f"{REPO}/pulls/3/merge", {})
    hub.act(MergePull(3, HEAD, "rebase", "t", "b"))
    assert json.loads(route.calls[0].request.content) == {"sha": HEAD, "merge_method": "rebase"}


def test_what_a_keyed_action_left_is_remembered(github: GitHub, hub: GitHubHub) -> None:
    github.on("POST", f"{REPO}/issues/7/comments", {"id": 55})
    github.on("POST", f"{REPO}/check-runs", {"id": 66})
    github.on("POST", f"{REPO}/issues/comments/12/reactions", {"id": 77})
    github.on("PATCH", f"{REPO}/issues/7", {"id": 88})
    for action in (COMMENT, CHECK, React(12, "eyes", "seen:12"), CloseIssue(7, key="end")):
        assert hub.act(action) == Done()
    assert hub._hands.done == {"sticky:jwt": 55, "check:jwt-1": 66, "seen:12": 1, "end": 1}


def test_a_key_whose_outcome_is_open_is_told_until_it_is_known(github: GitHub, hub: GitHubHub) -> None:
    github.on("POST", f"{REPO}/issues/7/comments", 502, {"id": 55})
    hub.act(COMMENT)
    assert hub._hands.tried == {"sticky:jwt"}
    hub.act(COMMENT)
    assert hub._hands.tried == frozenset()


@pytest.mark.parametrize(
    "gone",
    [
        words(404, "Not Found"),
        words(410, "This issue was deleted"),
        words(403, "Unable to create comment because issue is locked."),
    ],
)
def test_what_can_never_be_said_is_tried_once(github: GitHub, hub: GitHubHub, gone: httpx.Response) -> None:
    github.on("POST", f"{REPO}/issues/7/comments", gone)
    assert isinstance(hub.act(COMMENT), Refused)
    assert (hub._hands.done, hub._hands.tried) == ({"sticky:jwt": 0}, frozenset())


def test_a_refusal_that_may_pass_is_tried_again_as_its_intent_is_renewed_and_not_for_ever(
    github: GitHub, hub: GitHubHub, clock: Turned
) -> None:
    github.on("POST", f"{REPO}/issues/7/comments", words(403, "Resource not accessible by integration"))
    for _ in range(4):
        assert isinstance(hub.act(COMMENT), Refused)
        assert (hub._hands.done, hub._hands.tried) == ({}, frozenset({"sticky:jwt"}))
        clock.now += 120_000
        assert hub._hands.tried == frozenset()
    hub.act(COMMENT)
    assert (hub._hands.done, hub._hands.tried) == ({"sticky:jwt": 0}, frozenset())


def test_a_refusal_that_passed_is_forgotten(github: GitHub, hub: GitHubHub) -> None:
    github.on("POST", f"{REPO}/issues/7/comments", words(422, "Validation Failed"), {"id": 55})
    hub.act(COMMENT)
    assert hub.act(COMMENT) == Done()
    assert (hub._hands.done, hub._hands.tried) == ({"sticky:jwt": 55}, frozenset())


def test_a_check_run_is_made_with_its_key_and_then_changed(github: GitHub, hub: GitHubHub) -> None:
    made = github.on("POST", f"{REPO}/check-runs", {"id": 66})
    changed = github.on("PATCH", f"{REPO}/check-runs/66", {"id": 66})
    hub.act(CHECK)
    hub.act(PostCheck(HEAD, "check:jwt-1", "merged", "all green", "success", check=66))
    first, second = (json.loads(each.calls[0].request.content) for each in (made, changed))
    output = {"title": "waits", "summary": "for a review"}
    known = {"name": "brat", "head_sha": HEAD, "external_id": "check:jwt-1"}
    assert first == {"status": "in_progress", "output": output, **known}
    assert (second["status"], second["conclusion"]) == ("completed", "success")


def test_a_second_pull_request_for_a_head_is_refused_in_words(github: GitHub, hub: GitHubHub) -> None:
    exists = words(422, "Validation Failed", "A pull request already exists for ada:convoy/jwt/task-1.")
    github.on("POST", f"{REPO}/pulls", exists)
    outcome = hub.act(OPEN)
    assert isinstance(outcome, Refused)
    assert "already exists" in outcome.reason


def test_a_branch_with_nothing_new_is_refused_in_words(github: GitHub, hub: GitHubHub) -> None:
    github.on("POST", f"{REPO}/pulls", words(422, "Validation Failed", "No commits between main and x"))
    outcome = hub.act(OPEN)
    assert isinstance(outcome, Refused)
    assert "nothing that main lacks" in outcome.reason


def test_labels_and_reviewers_are_asked_for_and_their_refusal_settles_it(
    github: GitHub, hub: GitHubHub
) -> None:
    github.on("GET", f"{REPO}/labels/brat", {})
    labels = github.on("POST", f"{REPO}/issues/3/labels", [])
    asked = github.on("POST", f"{REPO}/pulls/3/requested_reviewers", 422)
    action = Introduce(3, "pull:3", ("brat",), ("ada", "@org/team"))
    assert hub.act(action) == Done()
    assert labels.called
    assert hub._hands.done == {"pull:3": 1}
    sent = json.loads(asked.calls[0].request.content)
    assert sent == {"reviewers": ["ada"], "team_reviewers": ["team"]}


def test_a_label_that_nobody_made_is_made(github: GitHub, hub: GitHubHub) -> None:
    github.on("GET", f"{REPO}/labels/brat%3Arunning", 404)
    made = github.on("POST", f"{REPO}/labels", {})
    put = github.on("POST", f"{REPO}/issues/7/labels", [])
    github.on("DELETE", f"{REPO}/issues/7/labels/brat%3Aplanning", words(404, "Label does not exist"))
    for _ in range(2):
        assert hub.act(Label(7, ("brat:running",), ("brat:planning",))) == Done()
    assert json.loads(made.calls[0].request.content) == {"name": "brat:running", "color": "1d76db"}
    assert (made.call_count, put.call_count) == (1, 2)


def test_making_a_label_is_charged_like_every_change(
    github: GitHub, credentials: AppCredentials, files: Files, clock: Turned
) -> None:
    github.on("GET", f"{REPO}/labels/brat%3Arunning", 404)
    github.on("POST", f"{REPO}/labels", {})
    github.on("POST", f"{REPO}/issues/7/labels", [])
    with closing(GitHubApp(credentials, clock=clock)) as app:
        hub = GitHubHub(app.client(5, 42), "ada/auth", US, around=Surroundings(files, str, clock))
        assert hub.act(Label(7, ("brat:running",))) == Done()
        with pytest.raises(Later) as later:
            hub.act(EDIT)
    assert later.value.retry_at == clock() + 2000


def test_a_label_of_an_issue_that_is_gone_is_refused(github: GitHub, hub: GitHubHub) -> None:
    github.on("DELETE", f"{REPO}/issues/7/labels/x", words(404, "Not Found"))
    assert isinstance(hub.act(Label(7, remove=("x",))), Refused)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ({"data": {"x": {}}}, Done),
        ({"data": {"x": None}, "errors": [{"message": "Pull request is already in the queue"}]}, Done),
        ({"data": {"x": None}, "errors": [{"message": "Expected head sha does not match"}]}, Refused),
        ({"errors": [{"type": "FORBIDDEN", "message": "Resource not accessible by integration"}]}, Refused),
        ("nonsense", Unknown),
    ],
)
def test_the_queue_is_entered_with_the_head_that_was_looked_at(
    github: GitHub, hub: GitHubHub, answer: Any, expected: type
) -> None:
    github.on("GET", f"{REPO}/pulls/3", {"node_id": "PR_3"})
    route = github.router.post(GRAPHQL)
    route.return_value = httpx.Response(200, json=answer)
    assert isinstance(hub.act(Enqueue(3, HEAD)), expected)
    assert json.loads(route.calls[0].request.content)["variables"] == {"pull": "PR_3", "head": HEAD}


def test_the_queue_is_left_and_a_refusal_is_told(github: GitHub, hub: GitHubHub) -> None:
    github.on("GET", f"{REPO}/pulls/3", {"node_id": "PR_3"})
    route = github.router.post(GRAPHQL)
    route.return_value = httpx.Response(200, json={"data": {"x": {}}})
    assert hub.act(Dequeue(3)) == Done()
    asked = json.loads(route.calls[0].request.content)
    assert "dequeuePullRequest(input: {id: $pull})" in asked["query"]
    assert asked["variables"] == {"pull": "PR_3"}
    route.return_value = httpx.Response(200, json={"errors": [{"message": "It is locked"}]})
    assert hub.act(Dequeue(3)) == Refused("It is locked")


def test_the_failed_jobs_behind_a_check_run_again(github: GitHub, hub: GitHubHub) -> None:
    github.on("GET", f"{REPO}/actions/jobs/9", {"id": 9, "run_id": 90})
    rerun = github.on("POST", f"{REPO}/actions/runs/90/rerun-failed-jobs", httpx.Response(201, json={}))
    assert hub.act(RerunCheck(9)) == Done()
    assert rerun.called


def test_the_check_of_another_app_is_asked_for_again(github: GitHub, hub: GitHubHub) -> None:
    github.on("GET", f"{REPO}/actions/jobs/9", 404)
    rerun = github.on("POST", f"{REPO}/check-runs/9/rerequest", httpx.Response(201, json={}))
    assert hub.act(RerunCheck(9)) == Done()
    assert rerun.called
