"""Deliveries: signed, sent when told to, recorded, lost, doubled, late, and sent again."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from tests.fakehub import Hub, Postman
from tests.fakehub.conftest import Client

Received = list[tuple[dict[str, str], bytes]]


@pytest.fixture
def inbox(client: Client) -> Iterator[Received]:
    """What an App's own server is sent."""
    received: Received = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            received.append(({key.lower(): value for key, value in self.headers.items()}, body))
            self.send_response(202)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    client.app.webhook_url = f"http://127.0.0.1:{server.server_port}/webhooks/github"
    client.app.webhook_secret = "s3cret"
    yield received
    server.shutdown()
    thread.join()
    server.server_close()


def events(received: Received) -> list[tuple[str, str | None]]:
    return [(headers["x-github-event"], json.loads(body).get("action")) for headers, body in received]


def test_change_is_told_when_the_test_says_so(client: Client, hub: Hub, inbox: Received) -> None:
    issue = client.repo.issue(title="x")
    client.repo.label(issue, "brat")
    assert inbox == []
    assert hub.deliver() == 2
    assert events(inbox) == [("issues", "opened"), ("issues", "labeled")]
    assert json.loads(inbox[1][1])["installation"]["id"] == client.installation.id


def test_delivery_is_signed_as_githubkit_expects(client: Client, hub: Hub, inbox: Received) -> None:
    from githubkit.webhooks import verify

    client.repo.issue(title="x")
    hub.deliver()
    headers, body = inbox[0]
    assert verify("s3cret", body, headers["x-hub-signature-256"])
    assert not verify("other", body, headers["x-hub-signature-256"])


def test_push_is_told_for_heads_only(client: Client, hub: Hub, inbox: Received) -> None:
    sha = client.repo.push("b", {"b.txt": "x"})
    client.repo.set_ref("refs/grite/wal", sha)
    hub.deliver()
    assert [json.loads(body)["ref"] for _, body in inbox] == ["refs/heads/b"]


def test_pull_request_and_checks_are_told(client: Client, hub: Hub, inbox: Received) -> None:
    sha = client.repo.push("b", {"b.txt": "x"})
    client.repo.pull("b")
    client.repo.check(sha, "ci")
    client.repo.push("b", {"b.txt": "y"})
    client.repo.merge(1)
    hub.deliver()
    told = events(inbox)
    for expected in [
        ("pull_request", "opened"),
        ("check_run", "completed"),
        ("check_suite", "completed"),
        ("pull_request", "synchronize"),
        ("pull_request", "closed"),
    ]:
        assert expected in told


def test_lost_delivery_is_on_record_and_comes_again(client: Client, hub: Hub, inbox: Received) -> None:
    hub.webhooks.lost = 1
    client.repo.issue(title="x")
    hub.deliver()
    assert inbox == []
    [failed] = client.as_app("GET", "/app/hook/deliveries", params={"status": "failure"}).json()
    assert client.as_app("POST", f"/app/hook/deliveries/{failed['id']}/attempts").status_code == 202
    hub.deliver()
    assert inbox[0][0]["x-github-delivery"] == failed["guid"]
    first = client.as_app("GET", "/app/hook/deliveries").json()[0]
    assert (first["redelivery"], first["status_code"], first["guid"]) == (True, 202, failed["guid"])


def test_deliveries_are_kept_three_days(client: Client, hub: Hub, inbox: Received) -> None:
    client.repo.issue(title="x")
    hub.deliver()
    hub.clock.advance(3 * 24 * 3600 + 1)
    assert client.as_app("GET", "/app/hook/deliveries").json() == []


def test_doubled_late_and_shuffled_deliveries(client: Client, hub: Hub, inbox: Received) -> None:
    hub.webhooks.doubled = 1
    client.repo.issue(title="x")
    assert hub.deliver() == 2
    hub.webhooks.late = 1
    client.repo.issue(title="late")
    assert hub.deliver() == 0
    hub.webhooks.shuffled = True
    client.repo.issue(title="newest")
    hub.deliver()
    numbers = [json.loads(body)["issue"]["number"] for _, body in inbox]
    assert numbers == [1, 1, 3, 2]


def test_app_that_is_suspended_or_lacks_the_permission_is_not_told(client: Client, hub: Hub) -> None:
    client.app.webhook_url = "http://127.0.0.1:9/"
    hub.grant(client.installation, merge_queues=None, issues=None)
    client.repo.issue(title="x")
    hub.suspend(client.installation)
    client.repo.push("b", {"b.txt": "x"})
    told = [(each.event, each.action) for each in hub.webhooks.pending]
    assert told == [("installation", "new_permissions_accepted"), ("installation", "suspend")]


def test_forged_delivery_carries_a_wrong_signature(client: Client, hub: Hub, inbox: Received) -> None:
    assert hub.forge(client.app, "issues", {"action": "labeled"}) == 202
    assert inbox[0][0]["x-hub-signature-256"] == "sha256=" + "0" * 64
    assert hub.webhooks.past == []


def test_postman_delivers_by_itself(client: Client, hub: Hub, inbox: Received) -> None:
    with Postman(hub):
        client.repo.issue(title="x")
    assert events(inbox) == [("issues", "opened")]
