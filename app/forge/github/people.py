"""Accounts: who somebody is, whether it is ourselves, and what they may do now."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from app.forge.github.answers import Account, PermissionAnswer, read
from app.forge.github.client import Client, Unreadable
from app.ports import Access, Person
from app.values import dataclass

__all__ = ["Ourselves", "access_of", "accesses"]

_ROLES = {each.value: each for each in Access if each is not Access.UNKNOWN}


@dataclass(frozen=True, slots=True)
class Ourselves:
    """Our own App and the account it writes as."""

    app: int
    slug: str
    bot: int

    def person(self, account: Account | None) -> Person:
        """An account of a REST answer; a deleted one has no id and may do nothing."""
        if account is None:
            return Person(0, "ghost")
        return Person(account.id, account.login, account.type == "Bot", account.id == self.bot)

    def actor(self, node: Any) -> Person:
        """An account of a GraphQL answer, which leaves `[bot]` out of a bot's name."""
        if not isinstance(node, dict) or not node.get("databaseId"):
            return Person(0, "ghost")
        bot, login = node.get("__typename") == "Bot", str(node.get("login") or "ghost")
        shown = f"{login}[bot]" if bot and not login.endswith("[bot]") else login
        return Person(int(node["databaseId"]), shown, bot, int(node["databaseId"]) == self.bot)


def accesses(client: Client, repository: str, people: Iterable[Person]) -> dict[int, Access]:
    """What each of them may do, by id; ours is not asked for."""
    asked = {each.id: each for each in people if each.id and not each.ours}
    return {person.id: access_of(client, repository, person) for person in asked.values()}


def access_of(client: Client, repository: str, person: Person) -> Access:
    """Asked now, by login, and held against the id: a login that went to somebody else gives nothing."""
    try:
        reply = client.get(f"/repos/{repository}/collaborators/{quote(person.login, safe='')}/permission")
    except Unreadable:
        return Access.UNKNOWN
    if reply.status == 404:
        return Access.NONE
    answer = read(PermissionAnswer, reply.json()) if reply.ok else None
    if answer is None or answer.user is None:
        return Access.UNKNOWN
    if answer.user.id != person.id:
        return Access.NONE
    return _ROLES.get(answer.role_name) or _ROLES.get(answer.permission) or Access.UNKNOWN
