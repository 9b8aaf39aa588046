"""A hub, a repository with an App on it, and a plain client of that App."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from tests.fakehub import App, Hub, Installation, Project
from tests.fakehub.fixture import hub

__all__ = ["Client", "hub"]


@dataclass(slots=True)
class Client:
    """The App on one repository: REST under it, GraphQL, and git with its token."""

    hub: Hub
    app: App
    installation: Installation
    repo: Project
    http: httpx.Client
    token: str = ""

    def signature(self, **claims: Any) -> str:
        now = self.hub.clock.now // 1000
        told = {"iat": now - 60, "exp": now + 540, "iss": str(self.app.id), **claims}
        return jwt.encode(told, _loaded(self.hub.keys[self.app.id]), algorithm="RS256")

    def as_app(self, method: str, path: str, **more: Any) -> httpx.Response:
        return self.ask(method, path, self.signature(), **more)

    def sign_in(self, **narrowed: Any) -> str:
        path = f"/app/installations/{self.installation.id}/access_tokens"
        self.token = self.as_app("POST", path, json=narrowed).raise_for_status().json()["token"]
        return self.token

    def rest(self, method: str, path: str, **more: Any) -> httpx.Response:
        """Under the repository, as the installation."""
        return self.ask(method, f"/repos/{self.repo.full_name}{path}", self.token, **more)

    def ask(self, method: str, path: str, secret: str, **more: Any) -> httpx.Response:
        shown = {"authorization": f"Bearer {secret}"} if secret else {}
        headers = {**shown, **more.pop("headers", {})}
        return self.http.request(method, self.hub.api + path, headers=headers, **more)

    def graphql(self, query: str, **variables: Any) -> dict[str, Any]:
        headers = {"authorization": f"Bearer {self.token}"}
        body = {"query": query, "variables": variables}
        answer: dict[str, Any] = self.http.post(self.hub.graphql, headers=headers, json=body).json()
        return answer

    def git(self, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
        """With the token in the address; the answer, whatever it is."""
        url = self.repo.clone_url.replace("://", f"://x-access-token:{self.token}@")
        filled = [url if word == "HUB" else word for word in words]
        return subprocess.run(["git", *filled], cwd=folder, capture_output=True, text=True, check=False)

    def clone(self, folder: Path) -> Path:
        """A checkout in `folder`."""
        folder.mkdir()
        assert self.git(folder, "clone", "-q", "HUB", ".").returncode == 0
        return folder


@cache
def _loaded(pem: str) -> RSAPrivateKey:
    key = load_pem_private_key(pem.encode(), password=None)
    assert isinstance(key, RSAPrivateKey)
    return key


@pytest.fixture
def client(hub: Hub) -> Iterator[Client]:
    """Of the App `brat` on ada/demo, signed in."""
    repo = hub.repository("ada/demo", files={"a.txt": "one\n", ".github/workflows/ci.yml": "on: push\n"})
    app = hub.app("brat")
    with httpx.Client(trust_env=False) as http:
        made = Client(hub, app, hub.install(app, repo), repo, http)
        made.sign_in()
        yield made
