"""The App as a whole, the replica's files, log tails, and what importing costs."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.errors import Later, OperatorError
from app.forge.github import Client, GitHubApp, Installation, Ourselves, ReplicaTree, RepositoryRef
from app.forge.github.failures import Failures, tail_of
from app.ports import WorkflowFile
from tests.forge.github.conftest import API, BOT, REPO, GitHub, Turned
from tests.workspace.world import Repo

INSTALLED = [
    {"id": 5, "account": {"id": 1, "login": "ada"}, "suspended_at": "2027-01-01T00:00:00Z"},
    {"id": 6, "account": None, "permissions": {"issues": "write"}},
]


def test_where_the_app_is_installed(github: GitHub, app: GitHubApp) -> None:
    github.on("GET", "/app/installations", INSTALLED)
    assert app.installations() == (
        Installation(5, "ada", suspended=True),
        Installation(6, "", permissions=(("issues", "write"),)),
    )


def test_a_new_token_that_git_was_refused_with_is_kept_for_some_seconds(
    github: GitHub, app: GitHubApp, clock: Turned
) -> None:
    access = app.git_access(
        RepositoryRef(42, "ada/auth", 5, "https://git.example.org/ada/auth", "main", True)
    )
    first = access.credential()
    with pytest.raises(Later):
        access.refused()
    assert access.credential() == first
    clock.now += 10_000
    access.refused()
    assert access.credential() != first


def test_our_own_account_is_looked_up_once_by_an_installation_that_lives(
    github: GitHub, app: GitHubApp
) -> None:
    github.on("GET", "/app", {"id": 99, "slug": "brat"})
    github.on("GET", "/app/installations", INSTALLED)
    route = github.on("GET", "/users/brat%5Bbot%5D", BOT)
    for _ in range(2):
        assert app.ourselves() == Ourselves(99, "brat", 9000)
    assert route.call_count == 1


def test_an_app_that_is_installed_nowhere_says_so(github: GitHub, app: GitHubApp) -> None:
    github.on("GET", "/app", {"id": 99, "slug": "brat"})
    github.on("GET", "/app/installations", [])
    with pytest.raises(OperatorError, match="installed nowhere"):
        app.ourselves()


def test_deliveries_are_read_back_to_a_time_and_asked_for_again(github: GitHub, app: GitHubApp) -> None:
    def delivery(id: int, at: str, status: int) -> dict[str, Any]:
        return {"id": id, "guid": f"g{id}", "delivered_at": at, "status_code": status, "event": "issues"}

    first = [delivery(3, "2027-01-15T07:59:00Z", 502), delivery(2, "2027-01-15T07:58:00.5Z", 202)]
    more = {"link": f'<{API}/app/hook/deliveries?cursor=x>; rel="next"'}
    pages = (httpx.Response(200, json=first, headers=more), [delivery(1, "2027-01-14T08:00:00Z", 500)])
    github.on("GET", "/app/hook/deliveries", *pages)
    again = github.on("POST", "/app/hook/deliveries/3/attempts", httpx.Response(202, json={}))
    found = app.deliveries(1_799_990_000_000)
    assert [(each.id, each.failed) for each in found] == [(3, True), (2, False)]
    app.redeliver(3)
    assert again.called


@pytest.mark.parametrize(("answer", "error"), [(500, Later), (401, OperatorError), (429, Later)])
def test_what_the_app_itself_cannot_ask_is_told(
    github: GitHub, app: GitHubApp, answer: int, error: type[Exception]
) -> None:
    github.on("GET", "/app/installations", answer)
    with pytest.raises(error):
        app.installations()


@pytest.fixture
def tree(tmp_path: Path) -> tuple[Repo, ReplicaTree]:
    repo = Repo(tmp_path / "repo")
    repo.path.mkdir()
    repo.git("init", "--quiet", "-b", "main")
    return repo, ReplicaTree(repo.path / ".git")


def test_files_are_read_at_a_commit(tree: tuple[Repo, ReplicaTree]) -> None:
    repo, files = tree
    empty = repo.commit({"a": "1"})
    full = repo.commit(
        {
            ".github/workflows/ci.yml": "on: push\n",
            ".github/workflows/notes.md": "no",
            ".github/workflows/old/x.yml": "no",
            "docs/CODEOWNERS": "* @docs",
            "CODEOWNERS": "* @ada",
        }
    )
    assert files.workflows(empty) == ()
    assert files.workflows(full) == (WorkflowFile(".github/workflows/ci.yml", "on: push\n"),)
    assert (files.owners(empty), files.owners(full)) == ("", "* @ada")
    assert (files.workflows("1" * 40), files.owners("1" * 40)) == (None, None)


def test_a_head_is_behind_a_branch_that_has_more(tree: tuple[Repo, ReplicaTree]) -> None:
    repo, files = tree
    old = repo.commit({"a": "1"})
    new = repo.commit({"a": "2"})
    assert (files.behind("main", old), files.behind("main", new)) == (True, False)
    assert (files.behind("main", "1" * 40), files.behind("gone", new)) == (None, None)


def test_a_log_is_read_once_without_secrets_and_by_its_end(
    github: GitHub, client: Client, clock: Turned
) -> None:
    route = github.on(
        "GET", f"{REPO}/actions/jobs/9/logs", httpx.Response(200, text="x\n" * 9000 + "hunter2")
    )
    failures = Failures(client, "ada/auth", lambda text: text.replace("hunter2", "***"), clock=clock)
    for _ in range(2):
        tail = failures.look((9,))[9]
    assert tail.endswith("***")
    assert len(tail.encode()) <= 2048
    assert route.call_count == 1


def test_the_log_of_a_job_that_has_just_ended_is_waited_for(
    github: GitHub, client: Client, clock: Turned
) -> None:
    github.on("GET", f"{REPO}/actions/jobs/9/logs", 404, 404, 404, httpx.Response(200, text="E 1 == 2"))
    silent = {"title": None, "summary": None, "text": None}
    ended = datetime.fromtimestamp(clock() / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    run = {"output": silent, "completed_at": ended, "app": {"slug": "github-actions"}}
    github.on("GET", f"{REPO}/check-runs/9", run)
    failures, told = Failures(client, "ada/auth", str, clock=clock), []
    for _ in range(5):
        told.append(failures.look((9,)).get(9))
        clock.now += 60_000
    assert told == [None, None, "the check says nothing about its failure", "E 1 == 2", "E 1 == 2"]


def test_a_check_of_another_app_is_told_in_its_own_words(
    github: GitHub, client: Client, clock: Turned
) -> None:
    github.on("GET", f"{REPO}/actions/jobs/\\d+/logs", 404)
    github.on(
        "GET", f"{REPO}/check-runs/9", {"output": {"title": "2 errors", "summary": "a.py:1", "text": None}}
    )
    github.on("GET", f"{REPO}/check-runs/10", 404)
    assert Failures(client, "ada/auth", str, clock=clock).look((9, 10)) == {9: "2 errors\na.py:1"}


def test_a_tail_begins_with_a_whole_line() -> None:
    assert tail_of("é" * 2000) == "é" * 1024
    assert tail_of("a" * 3000 + "\nlast") == "last"


def test_githubkit_is_loaded_only_where_github_is_used() -> None:
    code = "import sys, app.forge, app.workspace, app.control; print('githubkit' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "False"


def test_a_list_that_cannot_be_read_is_not_an_empty_one(github: GitHub, app: GitHubApp) -> None:
    github.on("GET", "/app/installations", {"message": "no list"})
    with pytest.raises(Later, match="cannot be read"):
        app.installations()
