"""As strict as GitHub: what it does not know fails the test."""

from __future__ import annotations

import pytest
from graphql import GraphQLObjectType, validate_schema

from tests.fakehub import Hub, graph
from tests.fakehub.conftest import Client
from tests.fakehub.operations import OPERATIONS
from tests.fakehub.routes import ROUTES

_SHAPES = ("Connection", "Edge", "Payload", "PageInfo", "RateLimit")


def test_every_operation_of_the_table_is_answered() -> None:
    assert sorted(OPERATIONS) == sorted(ROUTES)


def test_every_field_of_the_schema_is_resolved() -> None:
    assert validate_schema(graph.schema()) == []
    for name, kind in graph.schema().type_map.items():
        if isinstance(kind, GraphQLObjectType) and not name.startswith("__") and not name.endswith(_SHAPES):
            assert set(kind.fields) == set(graph.TABLE[name]), name


@pytest.mark.parametrize(
    ("method", "path", "problem"),
    [
        ("GET", "/nothing", "unknown route: GET /repos/ada/demo/nothing"),
        ("DELETE", "", "unknown route: DELETE /repos/ada/demo"),
        ("GET", "/issues?label=x", "unknown query parameter label"),
        ("GET", "/issues?state=done", "state=done is none of"),
    ],
)
def test_unknown_request_is_a_problem(
    client: Client, hub: Hub, *, method: str, path: str, problem: str
) -> None:
    assert client.rest(method, path).status_code in (404, 422)
    [found] = hub.journal.problems
    assert problem in found
    hub.journal.clear()


def test_body_that_github_does_not_know_is_a_problem(client: Client, hub: Hub) -> None:
    client.repo.issue(title="x")
    assert client.rest("POST", "/issues/1/comments", json={"text": "x"}).status_code == 422
    assert client.rest("PATCH", "/issues/1", json={"state": "done"}).status_code == 422
    assert client.rest("POST", "/issues/1/comments", json={"body": "x", "key": "y"}).status_code == 422
    assert len(hub.journal.problems) >= 3
    hub.journal.clear()


def test_field_that_the_schema_has_not_is_a_problem(client: Client, hub: Hub) -> None:
    answer = client.graphql('{repository(owner:"ada",name:"demo"){madeUp}}')
    assert "madeUp" in answer["errors"][0]["message"]
    assert len(hub.journal.problems) == 1
    hub.journal.clear()


def test_page_needs_its_bounds_in_graphql(client: Client) -> None:
    answer = client.graphql('{repository(owner:"ada",name:"demo"){pullRequests{totalCount}}}')
    assert answer["errors"][0]["type"] == "MISSING_PAGINATION_BOUNDARIES"


def test_caller_without_a_name_is_refused(client: Client) -> None:
    assert client.rest("GET", "", headers={"user-agent": ""}).status_code == 403
    assert client.rest("GET", "", headers={"x-github-api-version": "2011-01-01"}).status_code == 400


def test_requests_are_counted_by_route(client: Client, hub: Hub) -> None:
    before = hub.journal.count()
    client.rest("GET", "/issues")
    client.rest("GET", "/issues")
    assert hub.journal.count() - before == 2
    assert hub.journal.count("GET /repos/{owner}/{repo}/issues") == 2
