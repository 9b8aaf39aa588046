"""What goes wrong on demand, and that the effect is there or not as it was asked."""

from __future__ import annotations

import httpx
import pytest

from tests.fakehub import Hub
from tests.fakehub.conftest import Client


def comments(client: Client) -> int:
    return len(client.hub.journal.changes_of("comment", by="brat[bot]"))


def say(client: Client) -> httpx.Response:
    return client.rest("POST", "/issues/1/comments", json={"body": "x"})


@pytest.mark.parametrize(("after", "made"), [(False, 0), (True, 1)])
def test_server_error_strikes_before_or_after_the_effect(
    client: Client, hub: Hub, *, after: bool, made: int
) -> None:
    client.repo.issue(title="x")
    hub.faults.add("POST */comments", status=502, after=after)
    assert say(client).status_code == 502
    assert comments(client) == made
    assert say(client).status_code == 201


def test_connection_is_cut_after_the_effect(client: Client, hub: Hub) -> None:
    client.repo.issue(title="x")
    hub.faults.add("POST */comments", status=0, after=True)
    with pytest.raises(httpx.RemoteProtocolError):
        say(client)
    assert comments(client) == 1


def test_fault_lets_some_pass_and_strikes_so_often(client: Client, hub: Hub) -> None:
    fault = hub.faults.add("GET */issues", status=500, skip=1, count=2)
    codes = [client.rest("GET", "/issues").status_code for _ in range(4)]
    assert codes == [200, 500, 500, 200]
    assert fault.struck == 2


@pytest.mark.parametrize(
    ("form", "status", "header"),
    [
        ("retry-after", 403, "retry-after"),
        ("reset", 403, "x-ratelimit-reset"),
        ("secondary", 403, ""),
        ("429", 429, "retry-after"),
    ],
)
def test_rate_limit_comes_in_every_form(
    client: Client, hub: Hub, *, form: str, status: int, header: str
) -> None:
    hub.faults.limited("GET */issues", form=form, now=hub.clock.now)
    answer = client.rest("GET", "/issues")
    assert answer.status_code == status
    assert "rate limit" in answer.json()["message"]
    assert {"retry-after", "x-ratelimit-reset"} & answer.headers.keys() == ({header} if header else set())


def test_stale_read_shows_what_was_before_the_change(client: Client, hub: Hub) -> None:
    client.repo.issue(title="old")
    hub.faults.add("GET */issues/1", back=1)
    client.repo.edit(1, title="new")
    titles = [client.rest("GET", "/issues/1").json()["title"] for _ in range(2)]
    assert titles == ["old", "new"]


def test_stale_read_reaches_graphql(client: Client, hub: Hub) -> None:
    client.repo.issue(title="old")
    hub.faults.add("POST */graphql", back=1)
    client.repo.edit(1, title="new")
    asked = '{repository(owner:"ada",name:"demo"){issue(number:1){title}}}'
    seen = [client.graphql(asked)["data"]["repository"]["issue"]["title"] for _ in range(2)]
    assert seen == ["old", "new"]


def test_base_that_moved_is_a_passing_refusal(client: Client, hub: Hub) -> None:
    sha = client.repo.push("b", {"b.txt": "x"})
    pull = client.repo.pull("b")
    said = "Base branch was modified. Review and try the merge again."
    hub.faults.add("PUT */merge", status=405, message=said)
    answers = [client.rest("PUT", f"/pulls/{pull.number}/merge", json={"sha": sha}) for _ in range(2)]
    assert [each.status_code for each in answers] == [405, 200]
    assert answers[0].json()["message"] == said


def test_permission_that_is_taken_away_is_missed_by_the_next_token(client: Client, hub: Hub) -> None:
    hub.grant(client.installation, checks=None, issues="read")
    client.sign_in()
    assert client.rest("GET", "/commits/main/check-runs").status_code == 403
    client.repo.issue(title="x")
    assert say(client).status_code == 403
