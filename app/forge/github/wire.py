"""One request, one answer: githubkit as transport, without its retries, its cache and its models."""

from __future__ import annotations

import json
import ssl
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any

import httpx
from githubkit import GitHubCore, UnauthAuthStrategy
from githubkit.exception import GitHubException, RequestError, RequestFailed

from app.values import dataclass

__all__ = ["API_VERSION", "Cut", "Reply", "Wire"]

API_VERSION = "2022-11-28"
"""Pinned: https://docs.github.com/en/rest/about-the-rest-api/api-versions"""
_TIMEOUT = httpx.Timeout(15.0, connect=5.0)


class Cut(Exception):
    """No answer came. `sent`: the request may have reached the other side."""

    def __init__(self, reason: str, *, sent: bool) -> None:
        super().__init__(reason)
        self.sent = sent


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer as it came; nothing of it is trusted to have a certain shape."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300

    def json(self) -> Any:
        """The body as JSON; None where it is none."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None

    @property
    def message(self) -> str:
        """GitHub's own words, with the details of a 422."""
        told = self.json()
        if not isinstance(told, dict):
            return f"HTTP {self.status}"
        errors = told.get("errors")
        details = [_detail(each) for each in errors] if isinstance(errors, list) else []
        return ": ".join(filter(None, [str(told.get("message") or f"HTTP {self.status}"), *details]))[:500]

    def again(self, unchanged: Reply) -> Reply:
        """This answer after a 304. An etag is that of a body: what follows this page stands in the 304."""
        kept = {name: value for name, value in self.headers.items() if name != "link"}
        link = {name: value for name, value in unchanged.headers.items() if name == "link"}
        return Reply(self.status, {**kept, **link}, self.body)

    @property
    def next(self) -> str | None:
        """The address of the next page."""
        for part in self.headers.get("link", "").split(","):
            address, _, relation = part.partition(";")
            if 'rel="next"' in relation:
                return address.strip().strip("<>")
        return None


class Wire(GitHubCore[UnauthAuthStrategy]):
    """githubkit's core with one connection pool for all threads. Who asks is in the headers of each request:
    its own App auth trusts a token until it ends, and fetches one per thread.
    """

    def __init__(self, api_url: str) -> None:
        super().__init__(
            UnauthAuthStrategy(),
            base_url=api_url,
            user_agent="brat",
            timeout=_TIMEOUT,
            ssl_verify=_trusted(),
            http_cache=False,
            auto_retry=False,
        )
        self._client = self._create_sync_client()
        self._lock = threading.Lock()
        self._counts: Counter[str] = Counter()

    @contextmanager
    def get_sync_client(self) -> Iterator[httpx.Client]:
        """The one client of all threads; httpx says that this is safe."""
        yield self._client

    def knows(self, url: str) -> bool:
        """Whether an absolute address is GitHub's own: our tokens go nowhere else."""
        base, there = self.config.base_url, httpx.URL(url)
        return (there.scheme, there.host, there.port) == (base.scheme, base.host, base.port)

    def close(self) -> None:
        """Lets the connections go."""
        self._client.close()

    def send(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str],
        params: Mapping[str, str | int] | None = None,
        body: Mapping[str, Any] | None = None,
    ) -> Reply:
        """Exactly one request. Raises `Cut` when there is no whole answer, never for a status."""
        every = {"X-GitHub-Api-Version": API_VERSION, **headers}
        try:
            reply = self._asked(method, url, headers=every, params=params, body=body)
        except Cut:
            self._count("cut")
            raise
        self._count(str(reply.status))
        return reply

    def counted(self) -> Mapping[str, int]:
        """How many answers of each status came since this was last asked; `cut`: none came."""
        with self._lock:
            told, self._counts = self._counts, Counter()
        return told

    def _count(self, answer: str) -> None:
        with self._lock:
            self._counts[answer] += 1

    def _asked(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str],
        params: Mapping[str, str | int] | None,
        body: Mapping[str, Any] | None,
    ) -> Reply:
        try:
            response = self.request(method, url.lstrip("/"), headers=headers, params=params, json=body)
            return self._reply(response.raw_response)
        except RequestFailed as failed:
            return self._reply(failed.response.raw_response)
        except RequestError as error:
            sent = not isinstance(error.exc, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout)
            raise Cut(f"{type(error.exc).__name__}: {error.exc}"[:300], sent=sent) from None
        except GitHubException as error:
            raise Cut(type(error).__name__, sent=True) from None

    def _reply(self, response: httpx.Response) -> Reply:
        """The etag of another place, as that of a log, says nothing about what was asked here."""
        headers = {name.lower(): value for name, value in response.headers.items()}
        if not self.knows(str(response.url)):
            headers.pop("etag", None)
        return Reply(response.status_code, headers, response.content)


@cache
def _trusted() -> ssl.SSLContext:
    """The machine's authorities; reading them takes 0.1 s."""
    return httpx.create_ssl_context()


def _detail(error: object) -> str:
    if not isinstance(error, dict):
        return str(error)
    return str(error.get("message") or " ".join(str(error.get(key, "")) for key in ("field", "code")).strip())
