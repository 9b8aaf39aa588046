"""Who is let in, with what, and for how long."""

from __future__ import annotations

import pytest

from tests.fakehub import Hub
from tests.fakehub.conftest import Client


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        ({"exp": 1}, "'Expiration time' claim"),
        ({"exp": 99_999_999_999}, "too far in the future"),
        ({"iat": 99_999_999_999}, "'Issued at' claim"),
    ],
)
def test_signature_with_wrong_times_is_refused(client: Client, claims: dict[str, int], said: str) -> None:
    refused = client.ask("GET", "/app", client.signature(**claims))
    assert refused.status_code == 401
    assert said in refused.json()["message"]


def test_signature_of_another_key_or_an_unknown_app_is_refused(client: Client, hub: Hub) -> None:
    broken = client.signature()[:-8] + "AAAAAAAA"
    assert client.ask("GET", "/app", broken).status_code == 401
    assert client.ask("GET", "/app", client.signature(iss="77")).status_code == 404
    assert client.ask("GET", "/app", client.signature(iss=client.app.client_id)).status_code == 200


def test_unknown_token_is_nobody(client: Client) -> None:
    client.token = "ghs_made_up"
    assert client.rest("GET", "/issues").status_code == 401
    client.token = ""
    assert client.rest("GET", "/issues").status_code == 401


def test_token_ends_after_an_hour(client: Client, hub: Hub) -> None:
    hub.clock.advance(3599)
    assert client.rest("GET", "").status_code == 200
    hub.clock.advance(1)
    assert client.rest("GET", "").status_code == 401


def test_narrowed_token_does_no_more_than_it_says(client: Client) -> None:
    client.sign_in(permissions={"issues": "read"}, repositories=["demo"])
    issue = client.repo.issue(title="x")
    assert client.rest("GET", f"/issues/{issue.number}").status_code == 200
    refused = client.rest("POST", f"/issues/{issue.number}/comments", json={"body": "x"})
    assert (refused.status_code, refused.json()["message"]) == (403, "Resource not accessible by integration")


def test_permission_that_is_not_granted_cannot_be_asked_for(client: Client) -> None:
    path = f"/app/installations/{client.installation.id}/access_tokens"
    assert client.as_app("POST", path, json={"permissions": {"workflows": "write"}}).status_code == 422


def test_repository_outside_the_installation_is_unseen(client: Client, hub: Hub) -> None:
    hub.repository("ada/other", private=True)
    assert client.ask("GET", "/repos/ada/other", client.token).status_code == 404


def test_suspended_installation_gets_nothing(client: Client, hub: Hub) -> None:
    hub.suspend(client.installation)
    assert client.rest("GET", "").status_code == 403
    path = f"/app/installations/{client.installation.id}/access_tokens"
    assert client.as_app("POST", path).status_code == 403
    hub.suspend(client.installation, on=False)
    assert client.rest("GET", "").status_code == 200


def test_revoked_token_is_refused_in_mid_run(client: Client, hub: Hub) -> None:
    hub.revoke(client.installation)
    assert client.rest("GET", "").json()["message"] == "Bad credentials"


def test_manifest_code_is_good_once(client: Client, hub: Hub) -> None:
    manifest = {"name": "Brat Two", "default_permissions": {"issues": "write"}, "default_events": ["issues"]}
    hub.manifests["c0de"] = manifest
    made = client.ask("POST", "/app-manifests/c0de/conversions", "").json()
    assert made["slug"] == "brat-two"
    assert made["pem"].startswith("-----BEGIN RSA PRIVATE KEY-----")
    assert client.ask("POST", "/app-manifests/c0de/conversions", "").status_code == 404
