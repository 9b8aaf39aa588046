"""One GraphQL read over open pull requests, and the mutations that REST lacks."""

from __future__ import annotations

from typing import Any

from tests.fakehub import Hub
from tests.fakehub.conftest import Client

PULLS = """query($o:String!,$n:String!){repository(owner:$o,name:$n){
pullRequests(first:50,states:[OPEN]){nodes{
  id number state headRefOid headRefName headRepository{databaseId} baseRefName isDraft
  mergeable mergeStateStatus author{__typename login ... on Bot{databaseId}} additions deletions
  reviews(first:50){nodes{state body commit{oid} author{login ... on User{databaseId}}
    comments(first:20){nodes{path line body}}}}
  reviewThreads(first:50){nodes{isResolved}}
  mergeQueueEntry{state} mergedBy{login} mergeCommit{oid}
  timelineItems(last:5,itemTypes:[CLOSED_EVENT]){nodes{... on ClosedEvent{actor{login}}}}
  statusCheckRollup{state contexts(first:50){nodes{__typename
    ... on CheckRun{databaseId name conclusion externalId checkSuite{app{databaseId} workflowRun{event}}}
    ... on StatusContext{context state}}}}
}}}}"""
READY = "mutation($id:ID!){markPullRequestReadyForReview(input:{pullRequestId:$id}){pullRequest{isDraft}}}"
ENQUEUE = """mutation($id:ID!,$head:GitObjectID){enqueuePullRequest(
  input:{pullRequestId:$id,expectedHeadOid:$head}){mergeQueueEntry{state position}}}"""


def pulls(client: Client) -> list[dict[str, Any]]:
    answer = client.graphql(PULLS, o="ada", n="demo")
    assert "errors" not in answer, answer
    found: list[dict[str, Any]] = answer["data"]["repository"]["pullRequests"]["nodes"]
    return found


def test_one_read_tells_all_of_a_pull_request(client: Client, hub: Hub) -> None:
    bob = hub.person("bob", access="write")
    sha = client.repo.push("b", {"b.txt": "x\ny\n"})
    client.rest("POST", "/pulls", json={"head": "b", "base": "main", "title": "t", "draft": True})
    client.repo.review(1, "CHANGES_REQUESTED", "no", by=bob, lines=[("b.txt", 2, "why?")])
    client.repo.actions(sha, {"ci": "failure"})
    client.repo.status(sha, "lint")
    [pull] = pulls(client)
    assert pull["author"] == {"__typename": "Bot", "login": "brat", "databaseId": client.app.bot.id}
    assert (pull["headRefOid"], pull["additions"], pull["isDraft"]) == (sha, 2, True)
    assert pull["reviews"]["nodes"][0]["comments"]["nodes"] == [{"path": "b.txt", "line": 2, "body": "why?"}]
    assert pull["reviewThreads"]["nodes"] == [{"isResolved": False}]
    check, status = pull["statusCheckRollup"]["contexts"]["nodes"]
    assert pull["statusCheckRollup"]["state"] == check["conclusion"] == "FAILURE"
    assert check["checkSuite"] == {
        "app": {"databaseId": hub.actions_app.id},
        "workflowRun": {"event": "push"},
    }
    assert status == {"__typename": "StatusContext", "context": "lint", "state": "SUCCESS"}


def test_mergeable_is_unknown_first_and_agrees_with_itself(client: Client) -> None:
    client.repo.push("b", {"a.txt": "theirs\n"})
    client.repo.push("main", {"a.txt": "ours\n"})
    client.repo.pull("b")
    seen = [(each["mergeable"], each["mergeStateStatus"]) for _ in range(2) for each in pulls(client)]
    assert seen == [("UNKNOWN", "UNKNOWN"), ("CONFLICTING", "DIRTY")]


def test_draft_becomes_ready_by_its_id(client: Client) -> None:
    client.repo.push("b", {"b.txt": "x"})
    client.repo.pull("b", draft=True)
    answer = client.graphql(READY, id=pulls(client)[0]["id"])
    assert answer["data"]["markPullRequestReadyForReview"]["pullRequest"] == {"isDraft": False}


def test_queue_lands_what_its_group_was_tested_as(client: Client, hub: Hub) -> None:
    client.repo.protect("main", "ci", queue=True, ruleset=3)
    sha = client.repo.push("b", {"b.txt": "x"})
    client.repo.check(sha, "ci")
    client.repo.pull("b")
    refused = client.rest("PUT", "/pulls/1/merge", json={"sha": sha})
    assert "Changes must be made through the merge queue" in refused.json()["message"]
    wrong = client.graphql(ENQUEUE, id=pulls(client)[0]["id"], head="0" * 40)
    assert wrong["errors"][0]["type"] == "UNPROCESSABLE"
    client.graphql(ENQUEUE, id=pulls(client)[0]["id"], head=sha)
    client.repo.work_queue()
    [entry] = client.repo.data.queue
    assert entry.head
    client.repo.check(entry.head, "ci")
    client.repo.work_queue()
    assert client.repo.branch("main") == entry.head
    assert client.rest("GET", "/pulls/1").json()["merged"] is True


def test_red_group_leaves_the_queue_in_silence(client: Client, hub: Hub) -> None:
    client.repo.protect("main", "ci", queue=True)
    client.repo.check(client.repo.push("b", {"b.txt": "x"}), "ci")
    client.repo.pull("b")
    client.graphql(ENQUEUE, id=pulls(client)[0]["id"])
    client.repo.work_queue()
    assert client.repo.data.queue[0].head
    client.repo.check(client.repo.data.queue[0].head, "ci", "failure")
    client.repo.work_queue()
    [pull] = pulls(client)
    assert (pull["state"], pull["mergeQueueEntry"]) == ("OPEN", None)


def test_what_is_not_permitted_is_said_with_its_type(client: Client) -> None:
    client.sign_in(permissions={"issues": "read"})
    answer = client.graphql(PULLS, o="ada", n="demo")
    assert answer["errors"][0]["type"] == "FORBIDDEN"
    gone = client.graphql(PULLS, o="ada", n="nowhere")
    assert (gone["data"]["repository"], gone["errors"][0]["type"]) == (None, "NOT_FOUND")
