"""Git over HTTP: who may fetch and push what."""

from __future__ import annotations

from pathlib import Path

from tests.fakehub import Hub
from tests.fakehub.conftest import Client


def commit(folder: Path, client: Client, path: str) -> str:
    """A commit in the checkout; its id."""
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_text("x\n")
    client.git(folder, "add", ".")
    client.git(folder, "commit", "-qm", f"add {path}")
    return client.git(folder, "rev-parse", "HEAD").stdout.strip()


def test_branch_and_log_are_pushed_together(client: Client, tmp_path: Path, hub: Hub) -> None:
    folder = client.clone(tmp_path / "work")
    sha = commit(folder, client, "b.txt")
    done = client.git(
        folder, "push", "--atomic", "HUB", "HEAD:refs/heads/convoy/x/task-1", "HEAD:refs/grite/wal"
    )
    assert done.returncode == 0, done.stderr
    assert client.repo.refs["refs/grite/wal"] == client.repo.branch("convoy/x/task-1") == sha
    assert sha in client.git(folder, "ls-remote", "HUB", "refs/grite/*").stdout


def test_workflow_file_is_refused_in_github_s_words_and_takes_all_along(
    client: Client, tmp_path: Path
) -> None:
    folder = client.clone(tmp_path / "work")
    commit(folder, client, ".github/workflows/x.yml")
    done = client.git(folder, "push", "--atomic", "HUB", "HEAD:refs/heads/wf", "HEAD:refs/grite/wal")
    words = "refusing to allow a GitHub App to create or update workflow `.github/workflows/x.yml`"
    assert f"({words} without `workflows` permission)" in done.stderr
    assert "atomic push failure" in done.stderr
    assert client.repo.branch("wf") is None
    assert "refs/grite/wal" not in client.repo.refs


def test_person_may_push_workflow_files(client: Client, tmp_path: Path, hub: Hub) -> None:
    client.token = hub.token(hub.person("bob", access="write"))
    folder = client.clone(tmp_path / "work")
    commit(folder, client, ".github/workflows/x.yml")
    assert client.git(folder, "push", "HUB", "HEAD:refs/heads/wf").returncode == 0


def test_stale_lease_is_refused(client: Client, tmp_path: Path) -> None:
    folder = client.clone(tmp_path / "work")
    old = client.repo.push("log", {"l": "1"})
    client.repo.push("log", {"l": "2"})
    commit(folder, client, "b.txt")
    lease = f"--force-with-lease=refs/heads/log:{old}"
    done = client.git(folder, "push", lease, "HUB", "HEAD:refs/heads/log")
    assert done.returncode == 1
    assert "stale info" in done.stderr


def test_reader_and_narrowed_token_cannot_push(client: Client, tmp_path: Path, hub: Hub) -> None:
    folder = client.clone(tmp_path / "work")
    client.token = hub.token(hub.person("eve"))
    assert "403" in client.git(folder, "push", "HUB", "HEAD:refs/heads/x").stderr
    client.sign_in(permissions={"contents": "read"})
    assert "403" in client.git(folder, "push", "HUB", "HEAD:refs/heads/x").stderr


def test_private_repository_is_hidden_from_strangers(client: Client, tmp_path: Path, hub: Hub) -> None:
    client.repo.private = True
    client.token = hub.token(hub.person("eve"))
    assert "not found" in client.git(tmp_path, "ls-remote", "HUB").stderr
    client.token = "ghs_wrong"
    assert "Authentication failed" in client.git(tmp_path, "ls-remote", "HUB").stderr


def test_protected_branch_takes_tested_commits_only(client: Client, tmp_path: Path) -> None:
    client.repo.protect("main", "ci")
    folder = client.clone(tmp_path / "work")
    sha = commit(folder, client, "b.txt")
    refused = client.git(folder, "push", "HUB", "HEAD:main")
    assert "protected branch hook declined" in refused.stderr
    client.git(folder, "push", "HUB", "HEAD:refs/heads/try")
    client.repo.check(sha, "ci")
    assert client.git(folder, "push", "HUB", "HEAD:main").returncode == 0


def test_pull_refs_are_github_s_own(client: Client, tmp_path: Path) -> None:
    folder = client.clone(tmp_path / "work")
    assert client.git(folder, "push", "HUB", "HEAD:refs/pull/9/head").returncode == 1


def test_push_is_refused_on_demand(client: Client, tmp_path: Path, hub: Hub) -> None:
    folder = client.clone(tmp_path / "work")
    hub.faults.add("POST *:refs/heads/convoy/*", refused="pre-receive hook declined")
    words = ("push", "HUB", "HEAD:refs/heads/convoy/a")
    assert "pre-receive hook declined" in client.git(folder, *words).stderr
    assert client.git(folder, *words).returncode == 0


def test_push_whose_answer_is_lost_has_happened(client: Client, tmp_path: Path, hub: Hub) -> None:
    folder = client.clone(tmp_path / "work")
    hub.faults.add("POST */git-receive-pack", status=0, after=True)
    assert client.git(folder, "push", "HUB", "HEAD:refs/heads/x").returncode != 0
    assert client.repo.branch("x")
