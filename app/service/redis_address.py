"""`redis://`, `rediss://` and `unix://` addresses, read as the usual clients read them."""

from __future__ import annotations

from urllib.parse import parse_qs, unquote, urlsplit

from app.values import dataclass

__all__ = ["Address", "parse_address"]


@dataclass(frozen=True, slots=True)
class Address:
    """Where the server is and how to log in; `path` is a socket's."""

    host: str = ""
    port: int = 6379
    path: str | None = None
    tls: bool = False
    database: str = "0"
    username: str = ""
    password: str = ""

    def greeting(self) -> list[tuple[str, ...]]:
        """What is said first."""
        login = (self.username, self.password) if self.username else (self.password,)
        said = [("AUTH", *login)] if self.password else []
        return [*said, ("SELECT", self.database)]


def parse_address(url: str) -> Address:
    """`redis://[[user]:password@]host[:port][/database]`, `unix://[[user]:password@]/path[?db=0]`."""
    parts = urlsplit(url)
    query = parse_qs(parts.query)
    path = unquote(parts.path)
    socket = parts.scheme == "unix"
    named = query.get("db", [""])[0] or ("" if socket else path.strip("/"))
    return Address(
        host=parts.hostname or "localhost",
        port=parts.port or 6379,
        path=path if socket else None,
        tls=parts.scheme == "rediss",
        database=named or "0",
        username=unquote(parts.username or "") or query.get("username", [""])[0],
        password=unquote(parts.password or "") or query.get("password", [""])[0],
    )
