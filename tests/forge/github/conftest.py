"""GitHub's answers one by one, as routes; a clock that the test turns; one key for all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
import respx
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from app.forge.github import AppCredentials, Client, GitHubApp, GitHubHub, Ourselves, Pace, Surroundings, Wire
from app.ports import WorkflowFile

API = "https://git.example.org/api/v3"
REPO = "/repos/ada/auth"
US = Ourselves(app=99, slug="brat", bot=9000)
BOT = {"id": 9000, "login": "brat[bot]", "type": "Bot"}
ADA = {"id": 1, "login": "ada", "type": "User"}


@dataclass
class Turned:
    """A clock that stands still unless it is turned."""

    now: int = 1_800_000_000_000

    def __call__(self) -> int:
        return self.now


@dataclass
class Files:
    """The replica's files, as the test says."""

    found: dict[str, tuple[WorkflowFile, ...]] = field(default_factory=dict)
    owned: dict[str, str] = field(default_factory=dict)
    lacking: dict[str, bool] = field(default_factory=dict)

    def workflows(self, commit: str) -> tuple[WorkflowFile, ...] | None:
        return self.found.get(commit)

    def owners(self, commit: str) -> str | None:
        return self.owned.get(commit)

    def behind(self, branch: str, head: str) -> bool | None:
        return self.lacking.get(head)


@dataclass
class GitHub:
    """The routes, and what they were asked. An unknown route fails the test."""

    router: respx.MockRouter
    clock: Turned
    tokens: int = 0

    def on(self, method: str, path: str, *answers: Any, **query: str) -> respx.Route:
        """Answers in turn, the last one for ever: a status, JSON (200), a response, or an error."""
        given = [_response(each) for each in answers]
        route = self.router.route(method=method, url__regex=f"{API}{path}" + r"(\?.*)?$", **query)
        left = iter(given[:-1])
        route.side_effect = lambda request: _give(next(left, given[-1]))
        return route

    def token(self, request: httpx.Request) -> httpx.Response:
        """A new token with every call, valid for an hour."""
        self.tokens += 1
        end = datetime.fromtimestamp(self.clock() / 1000 + 3600, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        body = {"token": f"ghs_{self.tokens}", "expires_at": end, "permissions": {"issues": "write"}}
        return httpx.Response(201, json=body)


def _response(given: Any) -> Any:
    if isinstance(given, int):
        return httpx.Response(given, json={"message": f"status {given}"})
    return httpx.Response(200, json=given) if isinstance(given, dict | list) else given


def _give(given: Any) -> httpx.Response:
    if isinstance(given, Exception):
        raise given
    response: httpx.Response = given
    return httpx.Response(response.status_code, headers=response.headers, content=response.content)


@pytest.fixture(scope="session")
def key() -> str:
    """A private key, as GitHub gives one."""
    made = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    form = serialization.PrivateFormat.TraditionalOpenSSL
    return made.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption()).decode()


@pytest.fixture
def clock() -> Turned:
    """15 January 2027, 08:00 UTC."""
    return Turned()


@pytest.fixture
def github(clock: Turned) -> Iterator[GitHub]:
    """No route but that of tokens."""
    with respx.mock(assert_all_called=False) as router:
        hub = GitHub(router, clock)
        tokens = f"{API}/app/installations/\\d+/access_tokens"
        router.route(method="POST", url__regex=tokens).side_effect = hub.token
        yield hub


@pytest.fixture
def credentials(key: str) -> AppCredentials:
    """Of an App on an Enterprise server."""
    return AppCredentials(99, key, API)


@pytest.fixture
def app(credentials: AppCredentials, clock: Turned) -> Iterator[GitHubApp]:
    """Without a pause between mutations."""
    made = GitHubApp(credentials, clock=clock, pace=Pace(gap_ms=0))
    yield made
    made.close()


@pytest.fixture
def client(app: GitHubApp) -> Client:
    """Of installation 5, repository 42."""
    return app.client(5, 42)


@pytest.fixture
def files() -> Files:
    """An empty repository."""
    return Files()


@pytest.fixture
def hub(client: Client, files: Files, clock: Turned) -> GitHubHub:
    """ada/auth."""
    around = Surroundings(files, lambda text: text.replace("hunter2", "***"), clock)
    return GitHubHub(client, "ada/auth", US, around=around)


@pytest.fixture
def wire() -> Iterator[Wire]:
    """One request, one answer."""
    made = Wire(API)
    yield made
    made.close()
