"""Check runs, workflow runs and CI by script."""

from __future__ import annotations

from tests.fakehub import Hub, ci
from tests.fakehub.conftest import Client


def test_own_check_run_is_found_by_its_key(client: Client) -> None:
    sha = client.repo.branch("main")
    body = {"name": "brat", "head_sha": sha, "status": "in_progress", "external_id": "check:1"}
    made = client.rest("POST", "/check-runs", json=body).json()
    change = {"conclusion": "neutral", "output": {"title": "Waits", "summary": "for ci"}}
    assert client.rest("PATCH", f"/check-runs/{made['id']}", json=change).json()["status"] == "completed"
    found = client.rest("GET", f"/commits/{sha}/check-runs").json()["check_runs"]
    assert [(each["external_id"], each["conclusion"]) for each in found] == [("check:1", "neutral")]


def test_check_run_of_another_app_cannot_be_changed(client: Client) -> None:
    theirs = client.repo.check(client.repo.branch("main") or "", "ci", None)
    refused = client.rest("PATCH", f"/check-runs/{theirs.id}", json={"conclusion": "success"})
    assert refused.status_code == 403
    assert "Invalid app_id" in refused.json()["message"]
    assert client.rest("POST", f"/check-runs/{theirs.id}/rerequest").status_code == 403


def test_newest_run_of_a_name_is_shown(client: Client) -> None:
    sha = client.repo.branch("main") or ""
    client.repo.check(sha, "ci", "failure")
    client.repo.check(sha, "ci", "success")
    listed = client.rest("GET", f"/commits/{sha}/check-runs").json()
    assert [each["conclusion"] for each in listed["check_runs"]] == ["success"]
    every = client.rest("GET", f"/commits/{sha}/check-runs", params={"filter": "all"}).json()
    assert every["total_count"] == 2


def test_log_of_a_failed_job_is_behind_a_redirect(client: Client, hub: Hub) -> None:
    run = client.repo.actions(
        client.repo.branch("main") or "", {"ci": ("failure", "boom\n"), "lint": "success"}
    )
    jobs = client.rest("GET", f"/actions/runs/{run.id}/jobs").json()["jobs"]
    failed = next(each for each in jobs if each["conclusion"] == "failure")
    there = client.rest("GET", f"/actions/jobs/{failed['id']}/logs")
    assert there.status_code == 302
    assert client.http.get(there.headers["location"]).text == "boom\n"


def test_failed_jobs_run_again_and_pass(client: Client, hub: Hub) -> None:
    client.repo.reruns.append(ci.mended)
    sha = client.repo.branch("main") or ""
    run = client.repo.actions(sha, {"ci": "failure", "lint": "success"})
    assert client.rest("POST", f"/actions/runs/{run.id}/rerun-failed-jobs").status_code == 201
    found = client.rest("GET", f"/commits/{sha}/check-runs").json()["check_runs"]
    assert {each["name"]: each["conclusion"] for each in found} == {"ci": "success", "lint": "success"}
    assert client.rest("POST", f"/actions/runs/{run.id}/rerun-failed-jobs").status_code == 403
    assert len(hub.journal.changes_of("rerun")) == 1


def test_script_turns_red_once_for_a_path(client: Client) -> None:
    client.repo.ci(ci.red_once("src/a.py"))
    heads = [client.repo.push("b", {"src/a.py": str(number)}) for number in range(2)]
    other = client.repo.push("c", {"src/b.py": "x"})
    words = [
        client.rest("GET", f"/commits/{sha}/check-runs").json()["check_runs"][0]["conclusion"]
        for sha in [*heads, other]
    ]
    assert words == ["failure", "success", "success"]


def test_status_of_a_commit_is_pending_until_something_is_said(client: Client) -> None:
    sha = client.repo.branch("main") or ""
    assert client.rest("GET", f"/commits/{sha}/status").json()["state"] == "pending"
    client.repo.status(sha, "lint")
    client.repo.status(sha, "lint", "failure")
    assert client.rest("GET", f"/commits/{sha}/status").json()["state"] == "failure"
