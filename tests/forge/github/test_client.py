"""Tokens, conditional reads, limits: what every request keeps to."""

from __future__ import annotations

import threading
from typing import Any

import httpx
import jwt
import pytest

from app.errors import Later, OperatorError
from app.forge.github import API_VERSION, AppCredentials, Client, GitHubApp, Pace
from app.forge.github.client import Unreadable, Unsure
from tests.forge.github.conftest import API, REPO, GitHub, Turned


def bearer(call: Any) -> str:
    return str(call.request.headers["authorization"])


def test_the_apps_proof_lasts_less_than_ten_minutes_and_starts_a_minute_back(
    credentials: AppCredentials, clock: Turned
) -> None:
    claims = jwt.decode(credentials.proof(clock()), options={"verify_signature": False})
    assert (claims["iss"], claims["iat"]) == ("99", clock() // 1000 - 60)
    assert 0 < claims["exp"] - clock() // 1000 < 600


def test_a_key_that_is_none_is_told_without_its_text() -> None:
    with pytest.raises(OperatorError) as told:
        AppCredentials(1, "-----BEGIN hunter2").check()
    assert "hunter2" not in str(told.value) + repr(AppCredentials(1, "hunter2"))


@pytest.mark.parametrize("address", ["http://github.example.org", "ftp://x", "example.org"])
def test_plain_http_is_spoken_to_this_machine_only(key: str, address: str) -> None:
    AppCredentials(1, key, "http://127.0.0.1:8000/api/v3").check()
    with pytest.raises(OperatorError, match="https"):
        AppCredentials(1, key, address).check()


def test_many_threads_ask_for_one_token(github: GitHub, client: Client) -> None:
    github.on("GET", "/x", {})
    threads = [threading.Thread(target=client.get, args=("/x",)) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert github.tokens == 1


def test_t17_each_installation_and_repository_has_its_own_token(github: GitHub, app: GitHubApp) -> None:
    route = github.on("GET", "/x", {})
    for installation, repository in ((5, 42), (6, 42), (5, 43), (5, 42)):
        app.client(installation, repository).get("/x")
    tokens = [bearer(call) for call in route.calls]
    assert len(set(tokens)) == 3
    assert tokens[0] == tokens[3]


def test_a_token_is_renewed_before_it_ends(github: GitHub, client: Client, clock: Turned) -> None:
    github.on("GET", "/x", {})
    client.get("/x")
    clock.now += 54 * 60_000
    client.get("/x")
    assert github.tokens == 1
    clock.now += 2 * 60_000
    client.get("/x")
    assert github.tokens == 2


def test_a_refused_token_is_dropped_and_the_request_made_once_more(
    github: GitHub, client: Client, clock: Turned
) -> None:
    route = github.on("POST", f"{REPO}/issues/7/comments", 401, {"id": 1})
    assert client.permissions
    clock.now += 10_000
    assert client.change("POST", f"{REPO}/issues/7/comments", {}).ok
    assert [bearer(call) for call in route.calls] == ["Bearer ghs_1", "Bearer ghs_2"]


def test_a_new_token_that_github_does_not_know_everywhere_yet_is_kept(
    github: GitHub, client: Client, clock: Turned
) -> None:
    github.on("GET", "/x", 401, 401, {"a": 1})
    for _ in range(2):
        with pytest.raises(Later) as told:
            client.get("/x")
        assert told.value.retry_at == clock() + 2000
        clock.now += 2000
    assert client.found("/x") == {"a": 1}
    assert github.tokens == 1


def test_a_token_that_is_refused_when_it_is_known_and_the_next_too_are_the_operators_matter(
    github: GitHub, client: Client, clock: Turned
) -> None:
    route = github.on("GET", "/x", 401)
    assert client.permissions
    clock.now += 10_000
    with pytest.raises(OperatorError, match="refuses a token"):
        client.get("/x")
    assert route.call_count == 2


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (httpx.Response(404, json={"message": "Not Found"}), "not installed"),
        (httpx.Response(403, json={"message": "This installation has been suspended"}), "suspended"),
        (httpx.Response(401, json={"message": "A JSON web token could not be decoded"}), "clock"),
        (httpx.Response(422, json={"message": "The permissions requested are not granted"}), "not granted"),
    ],
)
def test_no_token_is_told_with_its_reason(
    github: GitHub, client: Client, answer: httpx.Response, words: str
) -> None:
    github.router.routes.clear()
    github.router.post(f"{API}/app/installations/5/access_tokens").return_value = answer
    with pytest.raises(OperatorError) as told:
        client.get("/x")
    assert words in str(told.value)


@pytest.mark.parametrize("answer", [httpx.Response(502), httpx.Response(429), httpx.ConnectError("away")])
def test_a_token_that_cannot_be_had_now_is_for_another_time(
    github: GitHub, client: Client, clock: Turned, answer: Any
) -> None:
    github.router.routes.clear()
    github.router.post(f"{API}/app/installations/5/access_tokens").side_effect = [answer]
    with pytest.raises(Later) as told:
        client.get("/x")
    assert told.value.retry_at > clock()


def test_an_unchanged_answer_is_asked_for_with_its_etag_and_costs_nothing(
    github: GitHub, client: Client, clock: Turned
) -> None:
    first = httpx.Response(200, json=[1], headers={"etag": '"a"'})
    route = github.on("GET", "/x", first, httpx.Response(304))
    assert client.get("/x").json() == [1]
    for _ in range(2000):
        assert client.get("/x").json() == [1]
    assert route.calls[1].request.headers["if-none-match"] == '"a"'


def test_an_etag_is_not_shown_with_another_token(github: GitHub, client: Client, clock: Turned) -> None:
    route = github.on("GET", "/x", httpx.Response(200, json=[1], headers={"etag": '"a"'}))
    client.get("/x")
    clock.now += 58 * 60_000
    client.get("/x")
    assert "if-none-match" not in route.calls[1].request.headers


def test_the_answer_to_a_question_takes_the_place_of_the_one_before(
    github: GitHub, client: Client, clock: Turned
) -> None:
    """Tokens change hourly; what the last one was answered is of no use any more."""
    github.on("GET", "/x", httpx.Response(200, content=b"[1]", headers={"etag": '"a"'}))
    for _ in range(3):
        client.get("/x")
        clock.now += 56 * 60_000
    assert github.tokens == 3
    assert client.remembered.size == (1, 3)


def test_answers_are_remembered_up_to_a_size(github: GitHub, client: Client) -> None:
    github.on("GET", "/x/.", httpx.Response(200, content=b" " * 6_000_000, headers={"etag": '"a"'}))
    huge = github.on("GET", "/huge", httpx.Response(200, content=b" " * 20_000_000, headers={"etag": '"a"'}))
    for path in ("/x/1", "/x/2", "/x/1", "/x/3"):
        client.get(path)
    assert client.remembered.size == (2, 12_000_000)
    for _ in range(2):
        client.get("/huge")
    assert client.remembered.size == (2, 12_000_000)
    assert "if-none-match" not in huge.calls[1].request.headers


def test_an_answer_from_another_place_is_not_remembered(github: GitHub, client: Client) -> None:
    github.on("GET", "/logs", httpx.Response(302, headers={"location": "https://blob.example/log"}))
    stored = httpx.Response(200, content=b"red", headers={"etag": '"0x8D"'})
    github.router.get("https://blob.example/log").return_value = stored
    assert client.get("/logs").body == b"red"
    assert client.remembered.size == (0, 0)


def test_what_follows_an_unchanged_page_is_told_anew(github: GitHub, client: Client) -> None:
    """The etag is that of the body: a full last page stays as it is when another begins, and as one ends."""
    more = {"link": f'<{API}/y>; rel="next"'}
    first = httpx.Response(200, json=[1], headers={"etag": '"a"'})
    github.on("GET", "/x", first, httpx.Response(304, headers=more), httpx.Response(304))
    github.on("GET", "/y", [2])
    assert [client.pages("/x") for _ in range(3)] == [[1], [1, 2], [1]]


def test_every_request_pins_the_version(github: GitHub, client: Client) -> None:
    route = github.on("GET", "/x", {})
    client.get("/x")
    assert route.calls[0].request.headers["x-github-api-version"] == API_VERSION


@pytest.mark.parametrize("broken", [502, httpx.ReadTimeout("late"), httpx.RemoteProtocolError("cut")])
def test_a_read_is_tried_once_more_and_then_unknown(github: GitHub, client: Client, broken: Any) -> None:
    github.on("GET", "/x", broken, {"a": 1})
    assert client.found("/x") == {"a": 1}
    twice = github.on("GET", "/y", broken)
    with pytest.raises(Unreadable):
        client.found("/y")
    assert twice.call_count == 2


@pytest.mark.parametrize("broken", [500, 502, 503, httpx.ReadTimeout("late"), httpx.ReadError("cut")])
def test_a_mutation_without_a_clear_answer_is_made_once(github: GitHub, client: Client, broken: Any) -> None:
    route = github.on("POST", "/x", broken)
    with pytest.raises(Unsure):
        client.change("POST", "/x", {})
    assert route.call_count == 1


def test_a_mutation_that_never_left_is_for_another_time(github: GitHub, client: Client) -> None:
    github.on("POST", "/x", httpx.ConnectError("refused"))
    with pytest.raises(Later):
        client.change("POST", "/x", {})


def test_a_limit_holds_for_all_that_share_the_budget(github: GitHub, app: GitHubApp, clock: Turned) -> None:
    limited = httpx.Response(403, json={"message": "secondary rate limit"}, headers={"retry-after": "30"})
    route = github.on("GET", "/x", limited, {})
    with pytest.raises(Later) as told:
        app.client(5, 42).get("/x")
    assert told.value.retry_at == clock() + 30_000
    with pytest.raises(Later):
        app.client(5, 43).get("/x")
    assert route.call_count == 1
    app.client(6, 1).get("/x")
    clock.now += 30_000
    assert app.client(5, 43).get("/x").ok


def test_mutations_of_an_installation_keep_a_second_between_them(
    github: GitHub, credentials: AppCredentials, clock: Turned
) -> None:
    client = GitHubApp(credentials, clock=clock).client(5, 42)
    client.reserve()
    with pytest.raises(Later) as told:
        client.reserve()
    assert told.value.retry_at == clock() + 1000


def test_all_pages_are_read_or_none(github: GitHub, client: Client) -> None:
    more = {"link": f'<{API}/y?page=2>; rel="next", <{API}/y?page=9>; rel="last"'}
    github.on("GET", "/x", httpx.Response(200, json=[1], headers=more))
    github.on("GET", "/y", [2], 500)
    assert client.pages("/x") == [1, 2]
    with pytest.raises(Unreadable):
        client.pages("/x")


def test_a_next_page_somewhere_else_gets_no_token(github: GitHub, client: Client) -> None:
    github.on(
        "GET", "/x", httpx.Response(200, json=[1], headers={"link": '<https://evil.org/y>; rel="next"'})
    )
    with pytest.raises(Unreadable, match="somewhere else"):
        client.pages("/x")


def test_graphql_stands_beside_the_rest_root_and_its_limit_is_heeded(github: GitHub, client: Client) -> None:
    limited = {"data": None, "errors": [{"type": "RATE_LIMITED", "message": "API rate limit exceeded"}]}
    route = github.router.post("https://git.example.org/api/graphql")
    route.side_effect = [httpx.Response(200, json={"data": {"a": 1}}), httpx.Response(200, json=limited)]
    assert client.query("{a}", {}) == ({"a": 1}, ())
    with pytest.raises(Later):
        client.query("{a}", {})


def test_no_pause_is_asked_where_the_limits_have_none(app: GitHubApp) -> None:
    client = app.client(1)
    for _ in range(5):
        client.reserve()
    assert Pace().gap_ms == 1000
