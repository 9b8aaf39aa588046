"""What GraphQL cut off is read on, page by page, or it is unknown."""

from __future__ import annotations

from typing import Any

from app.forge.github.client import Client, Unreadable
from app.forge.github.documents import further

__all__ = ["all_nodes"]

_MOST_PAGES = 30


def all_nodes(client: Client, holder: dict[str, Any], connection: str) -> list[dict[str, Any]]:
    """Every node of a connection of `holder`. Raises Unreadable where some stay out of sight."""
    part = holder.get(connection)
    nodes: list[dict[str, Any]] = []
    for _ in range(_MOST_PAGES):
        if not isinstance(part, dict) or not isinstance(part.get("nodes"), list):
            raise Unreadable(f"{connection} were not answered")
        if not all(isinstance(each, dict) for each in part["nodes"]):
            raise Unreadable(f"some {connection} were not answered")
        nodes += part["nodes"]
        page = part.get("pageInfo") or {}
        if not page.get("hasNextPage"):
            return nodes
        asked = {"id": holder.get("id"), "after": page.get("endCursor")}
        data, errors = client.query(further(connection), asked)
        if errors:
            raise Unreadable("; ".join(errors))
        part = (data.get("node") or {}).get(connection)
    raise Unreadable(f"more {connection} than can be read")
