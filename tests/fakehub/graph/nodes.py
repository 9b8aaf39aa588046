"""What a GraphQL answer is made of: nodes bound to their repository, and pages of them."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphql import GraphQLError

from tests.fakehub.accounts import Account, Token
from tests.fakehub.clock import iso
from tests.fakehub.repository import Repository
from tests.fakehub.views.basic import node_id

__all__ = ["TABLE", "Node", "actor", "ident", "page", "resolves", "unpack", "when"]

Resolver = Callable[..., Any]
TABLE: dict[str, dict[str, Resolver]] = {}
_BOT = "[bot]"


@dataclass(frozen=True, slots=True)
class Node:
    """`kind` is the GraphQL type, `of` what it shows. `seen` is shared by one execution."""

    kind: str
    repo: Repository
    of: Any
    token: Token
    seen: dict[Any, Any] = field(default_factory=dict)

    def to(self, kind: str, of: Any, *, repo: Repository | None = None) -> Node:
        """Another node of the same execution."""
        return Node(kind, repo or self.repo, of, self.token, self.seen)

    def all(self, kind: str, items: Sequence[Any]) -> list[Node]:
        return [self.to(kind, each) for each in items]

    def once(self, key: Any, make: Callable[[], Any]) -> Any:
        """The same answer in all of one execution."""
        if key not in self.seen:
            self.seen[key] = make()
        return self.seen[key]


def resolves(kind: str, **fields: Resolver) -> None:
    """Resolvers of a type: each takes the node and the field's arguments."""
    TABLE.setdefault(kind, {}).update(fields)


def when(ms: int | None) -> str | None:
    return iso(ms) if ms else None


def ident(node: Node) -> str:
    """The id that REST shows as `node_id`."""
    return node_id(node.kind, node.of.id)


def unpack(text: str) -> tuple[str, int]:
    """Kind and number of an id. Raises GraphQLError."""
    try:
        kind, _, number = base64.urlsafe_b64decode(text.encode()).decode().partition(":")
        return kind, int(number)
    except ValueError as wrong:
        said = f"Could not resolve to a node with the global id of '{text}'"
        raise GraphQLError(said, extensions={"type": "NOT_FOUND"}) from wrong


def actor(node: Node, account: Account | None) -> Node | None:
    """Bots go without their suffix here: https://docs.github.com/en/graphql/reference/objects#bot"""
    return node.to(account.type, account) if account else None


def _account(name: str) -> Resolver:
    def resolve(node: Node, **_: Any) -> Any:
        account, hub = node.of, node.repo.hub
        login = account.login.removesuffix(_BOT)
        return {
            "login": login,
            "databaseId": account.id,
            "url": f"{hub.base}/{login}",
            "avatarUrl": f"{hub.base}/avatars/u/{account.id}",
            "resourcePath": f"/{login}",
            "id": node_id(account.type, account.id),
        }[name]

    return resolve


for _kind in ("User", "Bot", "Organization"):
    _names = ("id", "login", "databaseId", "url", "avatarUrl", "resourcePath")
    resolves(_kind, **{name: _account(name) for name in _names})


def page(
    nodes: Sequence[Node], *, first: int | None = None, last: int | None = None,
    after: str | None = None, before: str | None = None,
) -> dict[str, Any]:  # fmt: skip
    """A connection. GitHub wants `first` or `last`, at most 100."""
    if first is None and last is None:
        said = "You must provide a `first` or `last` value to properly paginate the connection."
        raise GraphQLError(said, extensions={"type": "MISSING_PAGINATION_BOUNDARIES"})
    if max(first or 0, last or 0) > 100:
        said = "Requesting more than 100 records on the connection exceeds the limit of 100 records."
        raise GraphQLError(said, extensions={"type": "EXCESSIVE_PAGINATION"})
    start = _place(after) if after else 0
    end = _place(before) - 1 if before else len(nodes)
    if first is not None:
        end = min(end, start + first)
    if last is not None:
        start = max(start, end - last)
    shown = list(enumerate(nodes))[start:end]
    edges = [{"cursor": _cursor(place + 1), "node": node} for place, node in shown]
    info = {
        "hasNextPage": end < len(nodes),
        "hasPreviousPage": start > 0,
        "startCursor": edges[0]["cursor"] if edges else None,
        "endCursor": edges[-1]["cursor"] if edges else None,
    }
    return {
        "nodes": [node for _, node in shown],
        "edges": edges,
        "pageInfo": info,
        "totalCount": len(nodes),
    }


def _cursor(place: int) -> str:
    return base64.b64encode(f"cursor:{place}".encode()).decode()


def _place(cursor: str) -> int:
    return int(base64.b64decode(cursor).decode().partition(":")[2])
