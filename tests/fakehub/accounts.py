"""Who there is: accounts, Apps, installations, tokens. Times are in ms."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

__all__ = ["Account", "Actor", "App", "Installation", "Token"]


@dataclass(frozen=True, slots=True)
class Account:
    """A person, an organisation or a bot."""

    id: int
    login: str
    type: str = "User"

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self


@dataclass(slots=True, eq=False)
class App:
    """A GitHub App. `public` is the key that its signatures are checked with."""

    id: int
    slug: str
    owner: Account
    bot: Account
    public: str
    client_id: str
    created: int
    permissions: dict[str, str] = field(default_factory=dict)
    events: tuple[str, ...] = ()
    webhook_url: str = ""
    webhook_secret: str = ""

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self


@dataclass(slots=True, eq=False)
class Installation:
    """An App on an account; `repositories` are ids."""

    id: int
    app: App
    account: Account
    permissions: dict[str, str]
    created: int
    repositories: set[int] = field(default_factory=set)
    suspended: int | None = None


@dataclass(frozen=True, slots=True)
class Token:
    """What a caller shows. `installation` None: a person's. `repositories` None: all of the installation."""

    value: str
    account: Account
    installation: Installation | None = None
    permissions: tuple[tuple[str, str], ...] = ()
    repositories: frozenset[int] | None = None
    expires: int | None = None


@dataclass(frozen=True, slots=True)
class Actor:
    """Who does something, and through which App."""

    account: Account
    app: App | None = None
