"""Issues, labels, comments and their history, as an App sees them."""

from __future__ import annotations

from tests.fakehub import Hub
from tests.fakehub.conftest import Client


def test_who_labelled_and_when_is_in_the_events(client: Client, hub: Hub) -> None:
    bob = hub.person("bob", access="write")
    issue = client.repo.issue(title="JWT", by=bob)
    hub.clock.advance(60)
    client.repo.label(issue, "brat", by=bob)
    [event] = client.rest("GET", "/issues/1/events").json()
    assert (event["event"], event["actor"]["id"], event["label"]["name"]) == ("labeled", bob.id, "brat")
    assert event["created_at"] == hub.clock.iso


def test_comment_of_the_app_names_the_app(client: Client) -> None:
    client.repo.issue(title="x")
    made = client.rest("POST", "/issues/1/comments", json={"body": "hello"}).json()
    assert made["performed_via_github_app"]["id"] == client.app.id
    assert made["user"]["login"] == "brat[bot]"
    theirs = client.repo.comment(1, "hi")
    found = client.rest("GET", f"/issues/comments/{theirs.id}").json()
    assert found["performed_via_github_app"] is None


def test_edited_body_shows_in_graphql_only(client: Client, hub: Hub) -> None:
    client.repo.issue(title="x", body="one")
    asked = '{repository(owner:"ada",name:"demo"){issue(number:1){lastEditedAt}}}'
    assert client.graphql(asked)["data"]["repository"]["issue"]["lastEditedAt"] is None
    hub.clock.advance(5)
    client.repo.edit(1, body="two")
    assert client.graphql(asked)["data"]["repository"]["issue"]["lastEditedAt"] == hub.clock.iso


def test_permission_is_asked_by_login_and_answers_with_the_account(client: Client, hub: Hub) -> None:
    levels = {"ann": "admin", "mia": "maintain", "tim": "triage", "rob": "read"}
    for login, level in levels.items():
        made = hub.person(login, access=level)
        seen = client.rest("GET", f"/collaborators/{login}/permission").json()
        assert (seen["role_name"], seen["user"]["id"]) == (level, made.id)
    assert client.rest("GET", "/collaborators/mia/permission").json()["permission"] == "write"
    assert client.rest("GET", "/collaborators/nobody/permission").status_code == 404


def test_inbox_is_read_from_a_moment_on(client: Client, hub: Hub) -> None:
    client.repo.issue(title="x")
    client.repo.comment(1, "old")
    hub.clock.advance(100)
    client.repo.comment(1, "new")
    found = client.rest("GET", "/issues/comments", params={"since": hub.clock.iso}).json()
    assert [each["body"] for each in found] == ["new"]


def test_reaction_is_given_once(client: Client) -> None:
    client.repo.issue(title="x")
    said = client.repo.comment(1, "/brat plan")
    path = f"/issues/comments/{said.id}/reactions"
    codes = [client.rest("POST", path, json={"content": "eyes"}).status_code for _ in range(2)]
    assert codes == [201, 200]
    assert client.rest("GET", f"/issues/comments/{said.id}").json()["reactions"]["eyes"] == 1


def test_comment_that_is_too_long_is_refused(client: Client) -> None:
    client.repo.issue(title="x")
    assert client.rest("POST", "/issues/1/comments", json={"body": "x" * 65_537}).status_code == 422


def test_locked_conversation_takes_no_comment_of_an_app(client: Client) -> None:
    client.repo.issue(title="x").locked = True
    refused = client.rest("POST", "/issues/1/comments", json={"body": "hello"})
    assert (refused.status_code, "is locked" in refused.json()["message"]) == (403, True)


def test_label_that_is_not_there_cannot_be_taken_away(client: Client) -> None:
    client.repo.issue(title="x")
    client.rest("POST", "/issues/1/labels", json={"labels": ["brat:waiting"]})
    assert client.rest("DELETE", "/issues/1/labels/brat:waiting").json() == []
    assert client.rest("DELETE", "/issues/1/labels/brat:waiting").status_code == 404


def test_pages_link_to_each_other(client: Client) -> None:
    for number in range(5):
        client.repo.issue(title=str(number))
    first = client.rest("GET", "/issues", params={"per_page": 2})
    assert [each["number"] for each in first.json()] == [5, 4]
    third = client.http.get(first.links["last"]["url"], headers={"authorization": f"Bearer {client.token}"})
    assert [each["number"] for each in third.json()] == [1]
    assert "next" not in third.links


def test_unchanged_answer_is_free(client: Client, hub: Hub) -> None:
    client.repo.issue(title="x")
    first = client.rest("GET", "/issues/1")
    again = client.rest("GET", "/issues/1", headers={"if-none-match": first.headers["etag"]})
    assert again.status_code == 304
    assert again.headers["x-ratelimit-used"] == first.headers["x-ratelimit-used"]
    client.repo.edit(1, title="y")
    changed = client.rest("GET", "/issues/1", headers={"if-none-match": first.headers["etag"]})
    assert changed.status_code == 200


def test_budget_of_an_hour_runs_out_and_comes_back(client: Client, hub: Hub) -> None:
    hub.limit = 2
    codes = [client.rest("GET", "").status_code for _ in range(3)]
    assert codes == [200, 200, 403]
    hub.clock.advance(3600)
    client.sign_in()
    assert client.rest("GET", "").status_code == 200
