"""T1, T2, T3: who may do what is asked from GitHub now, by id, and fails closed."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from app.forge.github import Client
from app.forge.github.answers import Account
from app.forge.github.people import access_of, accesses
from app.ports import Access, Person
from tests.forge.github.conftest import ADA, REPO, US, GitHub

PERSON = Person(1, "ada")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ({"permission": "admin", "role_name": "admin", "user": ADA}, Access.ADMIN),
        ({"permission": "write", "role_name": "maintain", "user": ADA}, Access.MAINTAIN),
        ({"permission": "write", "role_name": "write", "user": ADA}, Access.WRITE),
        ({"permission": "read", "role_name": "triage", "user": ADA}, Access.TRIAGE),
        ({"permission": "write", "role_name": "release engineer", "user": ADA}, Access.WRITE),
        ({"permission": "none", "user": ADA}, Access.NONE),
        ({"permission": "admin", "user": {"id": 2, "login": "ada"}}, Access.NONE),
        ({"permission": "admin"}, Access.UNKNOWN),
        ({"permission": "godlike", "user": ADA}, Access.UNKNOWN),
        ([], Access.UNKNOWN),
        (404, Access.NONE),
        (403, Access.UNKNOWN),
        (500, Access.UNKNOWN),
        (httpx.ReadTimeout("late"), Access.UNKNOWN),
    ],
)
def test_t2_access_is_what_github_says_now_of_this_very_account(
    github: GitHub, client: Client, answer: Any, expected: Access
) -> None:
    github.on("GET", f"{REPO}/collaborators/ada/permission", answer)
    assert access_of(client, "ada/auth", PERSON) is expected


def test_each_account_is_asked_for_once_and_we_are_not(github: GitHub, client: Client) -> None:
    route = github.on("GET", f"{REPO}/collaborators/ada/permission", 404)
    us, ghost = Person(9000, "brat[bot]", True, True), Person(0, "ghost")
    assert accesses(client, "ada/auth", (PERSON, PERSON, us, ghost)) == {1: Access.NONE}
    assert route.call_count == 1


def test_t3_a_name_that_ends_in_bot_is_no_bot_and_ours_is_known_by_its_id() -> None:
    assert US.person(Account(id=7, login="brat[bot]", type="User")) == Person(7, "brat[bot]")
    assert US.person(Account(id=9000, login="brat[bot]", type="Bot")).ours


def test_a_bot_has_one_name_in_both_apis() -> None:
    node = {"__typename": "Bot", "login": "brat", "databaseId": 9000}
    assert US.actor(node) == US.person(Account(id=9000, login="brat[bot]", type="Bot"))


@pytest.mark.parametrize("node", [None, {}, {"login": "x"}, {"login": "x", "databaseId": None}])
def test_a_deleted_account_is_nobody(node: Any) -> None:
    assert US.actor(node) == Person(0, "ghost")
