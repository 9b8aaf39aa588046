"""Pull requests from opening to merge, with GitHub's refusals."""

from __future__ import annotations

from typing import Any

import pytest

from tests.fakehub import Hub
from tests.fakehub.conftest import Client


def opened(client: Client, *, branch: str = "convoy/jwt/task-1", **more: Any) -> dict[str, Any]:
    """A pull request of the App for a branch with one new file."""
    client.repo.push(branch, {f"{branch.rsplit('/', 1)[1]}.txt": "new\n"})
    body = {"head": branch, "base": "main", "title": "t", **more}
    made: dict[str, Any] = client.rest("POST", "/pulls", json=body).raise_for_status().json()
    return made


def merged(client: Client, pull: dict[str, Any], **more: Any) -> tuple[int, str]:
    body = {"sha": pull["head"]["sha"], **more}
    answer = client.rest("PUT", f"/pulls/{pull['number']}/merge", json=body)
    return answer.status_code, answer.json()["message"]


@pytest.mark.parametrize(("method", "parents"), [("merge", 2), ("squash", 1), ("rebase", 1)])
def test_merge_is_made_of_real_commits(client: Client, method: str, parents: int) -> None:
    client.repo.issue(title="JWT")
    pull = opened(client, body="Closes #1")
    client.repo.push("main", {"other.txt": "meanwhile\n"})
    assert merged(client, pull, merge_method=method)[0] == 200
    tip = client.rest("GET", "/commits/main").json()
    assert len(tip["parents"]) == parents
    assert client.repo.git.text(tip["sha"], "other.txt") == "meanwhile\n"
    assert client.repo.git.text(tip["sha"], "task-1.txt") == "new\n"
    assert client.rest("GET", "/issues/1").json()["state"] == "closed"
    assert client.rest("GET", f"/pulls/{pull['number']}").json()["merge_commit_sha"] == tip["sha"]


def test_stale_head_is_refused(client: Client) -> None:
    pull = opened(client)
    client.repo.push("convoy/jwt/task-1", {"late.txt": "x"})
    assert merged(client, pull) == (409, "Head branch was modified. Review and try the merge again.")


def test_conflict_is_refused_for_good(client: Client) -> None:
    pull = opened(client)
    client.repo.push("main", {"task-1.txt": "other\n"})
    assert merged(client, pull) == (405, "Pull Request is not mergeable")


def test_mergeable_is_unknown_at_the_first_look(client: Client) -> None:
    number = opened(client, draft=True)["number"]
    client.repo.push("convoy/jwt/task-1", {"more.txt": "x"})
    looks = [client.rest("GET", f"/pulls/{number}").json() for _ in range(2)]
    assert [each["mergeable"] for each in looks] == [None, True]
    assert [each["mergeable_state"] for each in looks] == ["unknown", "draft"]


def test_second_pull_request_for_a_head_is_refused(client: Client) -> None:
    opened(client)
    again = client.rest("POST", "/pulls", json={"head": "convoy/jwt/task-1", "base": "main", "title": "t"})
    assert again.status_code == 422
    said = again.json()["errors"][0]["message"]
    assert said == "A pull request already exists for ada:convoy/jwt/task-1."


def test_pull_request_needs_its_branches(client: Client) -> None:
    refused = client.rest("POST", "/pulls", json={"head": "nowhere", "base": "main", "title": "t"})
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "head")


def test_required_check_counts_from_its_app_only(client: Client, hub: Hub) -> None:
    other = hub.app("other")
    client.repo.protect("main", ("ci", hub.actions_app.id))
    pull = opened(client)
    client.repo.check(pull["head"]["sha"], "ci", app=other)
    assert merged(client, pull) == (405, 'Required status check "ci" is expected.')
    client.repo.check(pull["head"]["sha"], "ci", "failure")
    assert merged(client, pull)[1] == 'Required status check "ci" is failing.'
    client.repo.check(pull["head"]["sha"], "ci", "neutral")
    assert merged(client, pull)[0] == 200


def test_approval_of_a_stranger_does_not_count(client: Client, hub: Hub) -> None:
    client.repo.protect("main", approvals=1, ruleset=7)
    pull = opened(client)
    client.repo.review(pull["number"], "APPROVED", by=hub.person("eve"))
    assert "At least 1 approving review" in merged(client, pull)[1]
    client.repo.review(pull["number"], "APPROVED", by=hub.person("bob", access="write"))
    assert merged(client, pull)[0] == 200


def test_strict_branch_wants_the_base_in_the_head(client: Client) -> None:
    client.repo.protect("main", strict=True)
    pull = opened(client)
    client.repo.push("main", {"other.txt": "x"})
    assert "out of date" in merged(client, pull)[1]
    path = f"/pulls/{pull['number']}/update-branch"
    stale = client.rest("PUT", path, json={"expected_head_sha": "0" * 40})
    assert stale.status_code == 422
    assert client.rest("PUT", path, json={"expected_head_sha": pull["head"]["sha"]}).status_code == 202
    fresh = client.rest("GET", f"/pulls/{pull['number']}").json()
    assert merged(client, fresh)[0] == 200


def test_rules_are_readable_without_administration(client: Client) -> None:
    client.repo.protect("main", "ci", strict=True)
    client.repo.protect("main", ("lint", 9), approvals=2, ruleset=7)
    branch = client.rest("GET", "/branches/main").json()
    assert branch["protection"]["required_status_checks"]["contexts"] == ["ci"]
    rules = {each["type"]: each for each in client.rest("GET", "/rules/branches/main").json()}
    checks = rules["required_status_checks"]["parameters"]["required_status_checks"]
    assert checks == [{"context": "lint", "integration_id": 9}]
    assert rules["pull_request"]["parameters"]["required_approving_review_count"] == 2


def test_base_that_contains_the_head_ends_the_pull_request_as_merged(client: Client, hub: Hub) -> None:
    bob = hub.person("bob", access="write")
    pull = opened(client)
    client.repo.set_ref("refs/heads/main", pull["head"]["sha"], by=bob)
    found = client.rest("GET", f"/pulls/{pull['number']}").json()
    assert (found["merged"], found["merged_by"]["login"]) == (True, "bob")


def test_deleted_branch_closes_its_pull_request(client: Client) -> None:
    pull = opened(client)
    client.repo.set_ref("refs/heads/convoy/jwt/task-1", None)
    found = client.rest("GET", f"/pulls/{pull['number']}").json()
    assert (found["state"], found["merged"]) == ("closed", False)


def test_pending_review_is_not_listed(client: Client, hub: Hub) -> None:
    bob, pull = hub.person("bob", access="write"), opened(client)
    client.repo.review(pull["number"], "PENDING", "draft", by=bob, lines=[("task-1.txt", 1, "hm")])
    assert client.rest("GET", f"/pulls/{pull['number']}/reviews").json() == []
    assert client.rest("GET", f"/pulls/{pull['number']}/comments").json() == []
    client.repo.review(pull["number"], "CHANGES_REQUESTED", "no", by=bob, lines=[("task-1.txt", 1, "why?")])
    [review] = client.rest("GET", f"/pulls/{pull['number']}/reviews").json()
    [said] = client.rest("GET", f"/pulls/{pull['number']}/reviews/{review['id']}/comments").json()
    assert (review["state"], said["body"]) == ("CHANGES_REQUESTED", "why?")


def test_merge_without_the_guard_is_a_problem_of_the_test(client: Client, hub: Hub) -> None:
    pull = opened(client)
    client.rest("PUT", f"/pulls/{pull['number']}/merge", json={})
    assert hub.journal.problems == [f"merge of #{pull['number']} without the `sha` guard"]
    hub.journal.clear()


def test_workflow_file_is_not_merged_for_an_app_without_the_permission(client: Client) -> None:
    client.repo.push("wf", {".github/workflows/new.yml": "on: push\n"})
    pull = client.rest("POST", "/pulls", json={"head": "wf", "base": "main", "title": "t"}).json()
    code, said = merged(client, pull)
    assert code == 403
    assert "refusing to allow a GitHub App to create or update workflow `.github/workflows/new.yml`" in said


def test_pull_request_from_a_fork_names_its_repository(client: Client, hub: Hub) -> None:
    eve = hub.person("eve")
    fork = client.repo.fork(by=eve)
    fork.push("convoy/jwt/task-1", {"evil.txt": "x"}, by=eve)
    pull = client.repo.pull("convoy/jwt/task-1", head_repo=fork.id, by=eve)
    fork.push("convoy/jwt/task-1", {"more.txt": "x"}, by=eve)
    seen = client.rest("GET", f"/pulls/{pull.number}").json()
    assert (seen["head"]["repo"]["id"], seen["head"]["label"]) == (fork.id, "eve:convoy/jwt/task-1")
    assert seen["head"]["sha"] == fork.branch("convoy/jwt/task-1")
    assert {each["filename"] for each in client.rest("GET", f"/pulls/{pull.number}/files").json()} == {
        "evil.txt",
        "more.txt",
    }
