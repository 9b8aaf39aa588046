"""How an operation is written, called and found."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from tests.fakehub.accounts import Actor, App, Token
from tests.fakehub.model import Issue, Pull
from tests.fakehub.operations import OPERATIONS

if TYPE_CHECKING:
    from tests.fakehub.hub import Hub
    from tests.fakehub.repository import Repository

__all__ = ["ROUTES", "Answer", "Call", "Handler", "Listing", "Refused", "find", "route"]

DOCS = "https://docs.github.com/rest"


class Refused(Exception):
    """An answer that is a no."""

    def __init__(self, status: int, message: str, *errors: Any) -> None:
        super().__init__(message)
        self.status = status
        self.body: dict[str, Any] = {"message": message, "documentation_url": DOCS, "status": str(status)}
        if errors:
            self.body["errors"] = list(errors)


@dataclass(frozen=True, slots=True)
class Answer:
    """`body` None: empty."""

    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Listing:
    """Paged by the server, shown only where it is seen. `key`: inside an object with `total_count`."""

    items: Sequence[Any]
    show: Callable[[Any], Any]
    key: str = ""
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Call:
    """One request that is allowed. `app` is set for calls with the App's own signature."""

    hub: Hub
    params: dict[str, str]
    query: dict[str, str]
    body: dict[str, Any]
    token: Token | None = None
    app: App | None = None
    target: Repository | None = None

    @property
    def repo(self) -> Repository:
        assert self.target
        return self.target

    @property
    def actor(self) -> Actor:
        assert self.token
        made = self.token.installation
        return Actor(self.token.account, made.app if made else None)

    @property
    def own_app(self) -> App:
        assert self.app
        return self.app

    @property
    def issue(self) -> Issue:
        found = self.repo.data.issues.get(int(self.params["issue_number"]))
        if found is None:
            raise Refused(404, "Not Found")
        return found

    @property
    def pull(self) -> Pull:
        found = self.repo.data.pulls.get(int(self.params["pull_number"]))
        if found is None:
            raise Refused(404, "Not Found")
        return found

    def has(self, permission: str, level: str = "write") -> bool:
        """Whether the token may; a person's follows its account."""
        assert self.token
        if self.token.installation is None:
            return True
        held = dict(self.token.permissions).get(permission, "")
        return held in ("write", "admin") or (held == "read" and level == "read")


Handler = Callable[[Call], Answer | Listing]
ROUTES: dict[str, Handler] = {}


def route(operation: str) -> Callable[[Handler], Handler]:
    """Registers a handler for `METHOD template`, which must be in the table of operations."""
    assert operation in OPERATIONS, operation

    def keep(handler: Handler) -> Handler:
        ROUTES[operation] = handler
        return handler

    return keep


def find(method: str, path: str) -> tuple[str, dict[str, str]] | None:
    """The operation of a path, and the parts it names. Refs and paths may hold slashes."""
    for operation, pattern in _patterns():
        wanted, _ = operation.split(" ", 1)
        matched = pattern.fullmatch(path) if wanted == method else None
        if matched:
            return operation, matched.groupdict()
    return None


@cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    made = []
    for operation in OPERATIONS:
        template = operation.split(" ", 1)[1]
        made.append((operation, re.compile(re.sub(r"\{(\w+)\}", _part, template))))
    # Fixed words before names, so that `issues/comments` is not issue "comments".
    return sorted(made, key=lambda each: (each[0].count("{"), -len(each[0])))


def _part(name: re.Match[str]) -> str:
    found = name.group(1)
    if found.endswith(("_number", "_id")):
        return rf"(?P<{found}>\d+)"
    if found == "path":
        return r"(?P<path>.*)"
    return rf"(?P<{found}>.+)" if found in ("ref", "branch", "basehead", "name") else rf"(?P<{found}>[^/]+)"
