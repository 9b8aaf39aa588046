"""The one way out: to one endpoint, with the session's token inside and the real key outside."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest

from app.ports import EngineSetup, Finding
from app.runner.exchange import Refusal
from app.runner.gateway import Gateway, bearer, target
from app.runner.meter import Meter
from tests.runner.conftest import Rig

KEY = "sk-real-0123456789abcdef"
TOKEN = "brat-token"


class Upstream(ThreadingHTTPServer):
    """Answers as a model's endpoint would, and keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answering)
        self.seen: list[tuple[str, dict[str, str], bytes]] = []
        self.url = f"http://127.0.0.1:{self.server_address[1]}"


class Answering(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Upstream

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        self.server.seen.append(
            (self.path, {name.lower(): text for name, text in self.headers.items()}, body)
        )
        if self.path.endswith("/moved"):
            self.send_response(302)
            self.send_header("location", "http://elsewhere.invalid/")
            self.send_header("content-length", "0")
            self.end_headers()
            return
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for piece in (b'data: {"usage": {"input_tokens": 12,', b' "output_tokens": 34}}\n\n', b""):
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            self.wfile.flush()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def upstream() -> Iterator[Upstream]:
    with Upstream() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def door(upstream: Upstream, tmp_path: Path) -> Iterator[httpx.Client]:
    gateway = Gateway(f"{upstream.url}/base/v1", key=KEY, token=TOKEN, record=tmp_path / "calls.jsonl")
    with gateway.on_loopback() as url, httpx.Client(base_url=url, trust_env=False) as client:
        yield client


@pytest.mark.parametrize(
    ("shown", "passed"),
    [
        ({"x-api-key": TOKEN}, {"x-api-key": KEY}),
        ({"authorization": f"Bearer {TOKEN}"}, {"authorization": f"Bearer {KEY}"}),
    ],
)
def test_key_is_put_in_where_the_token_was(
    door: httpx.Client, upstream: Upstream, shown: dict[str, str], passed: dict[str, str]
) -> None:
    answer = door.post("/v1/messages?beta=true", headers={**shown, "x-own": "1"}, content=b"{}")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/event-stream")
    ((path, headers, body),) = upstream.seen
    assert (path, body, headers["x-own"]) == ("/base/v1/messages?beta=true", b"{}", "1")
    assert {name: text for name, text in headers.items() if name in ("x-api-key", "authorization")} == passed


def test_request_leaves_a_line_without_bodies_and_keys(door: httpx.Client, tmp_path: Path) -> None:
    door.post("/v1/messages", headers={"x-api-key": TOKEN}, content=b"private words")
    door.post("/v1/messages", headers={"x-api-key": "wrong"})
    noted = (tmp_path / "calls.jsonl").read_text()
    first, second = map(json.loads, noted.splitlines())
    assert first == {
        "method": "POST",
        "path": "/v1/messages",
        "status": 200,
        "input_tokens": 12,
        "output_tokens": 34,
    }
    assert second["status"] == 401
    assert not [word for word in (KEY, TOKEN, "private") if word in noted]


@pytest.mark.parametrize(
    "headers", [{}, {"x-api-key": "wrong"}, {"authorization": f"Basic {TOKEN}"}, {"x-api-key": KEY}]
)
def test_without_the_sessions_token_nothing_goes_out(
    door: httpx.Client, upstream: Upstream, headers: dict[str, str]
) -> None:
    assert door.post("/v1/messages", headers=headers).status_code == 401
    assert upstream.seen == []


def test_redirect_is_not_followed_and_not_passed_on(door: httpx.Client) -> None:
    answer = door.post("/v1/moved", headers={"x-api-key": TOKEN})
    assert (answer.status_code, "location" in answer.headers) == (502, False)


def test_endpoint_that_is_not_there_is_a_502_with_the_reason(tmp_path: Path) -> None:
    gateway = Gateway("http://127.0.0.1:1", key=KEY, token=TOKEN, record=tmp_path / "calls.jsonl")
    with gateway.on_loopback() as url:
        answer = httpx.post(f"{url}/v1/messages", headers={"x-api-key": TOKEN}, trust_env=False)
    assert answer.status_code == 502
    assert answer.json()["error"]["message"].startswith("the endpoint cannot be reached: ConnectError")


@pytest.mark.parametrize(
    "path", ["", "v1", "//evil.invalid/x", "/../admin", "/v1/%2e%2e/admin", "/v1/%252e%252e/x"]
)
def test_path_cannot_leave_the_base(path: str) -> None:
    with pytest.raises(Refusal):
        target("https://api.example.org/base", path, "")


def test_base_may_be_given_with_or_without_its_version() -> None:
    for base in (
        "https://a.example/x",
        "https://a.example/x/",
        "https://a.example/x/v1",
        "https://a.example/x/v1/",
    ):
        assert target(base, "/v1/responses", "") == "https://a.example/x/v1/responses"


def test_key_is_found_in_either_header() -> None:
    assert bearer([(b"X-Api-Key", b"k")]) == ("x-api-key", "k")
    assert bearer([(b"Authorization", b"bearer k")]) == ("authorization", "k")
    assert bearer([]) == ("authorization", "")


def test_counts_are_found_across_pieces() -> None:
    meter = Meter()
    for piece in (b'{"prompt_tok', b'ens": 100', b'0, "completion_tokens": 5}', b'{"completion_tokens": 50}'):
        meter.feed(piece)
    assert meter.counts() == {"input_tokens": 1000, "output_tokens": 50}


def test_agent_reaches_the_endpoint_through_the_gateway_and_never_sees_the_key(
    rig: Rig, upstream: Upstream, isolation: str
) -> None:
    script = (
        "python -c \"import os, urllib.request as u; r = u.Request(os.environ['BRAT_ENDPOINT'] + '/v1/x', "
        "b'hi', {'x-api-key': os.environ['BRAT_TOKEN']}); print(u.urlopen(r).read().decode())\" > a; "
        "env; cat a"
    )
    shell = EngineSetup("shell", ("/bin/sh", "-c", script), base_url=upstream.url, key=KEY)
    dispatch = rig.dispatch(engines=(shell,))
    dispatch.start(rig.spec())
    result = rig.result(dispatch, "session-0")
    assert (result.finding, result.error) == (Finding.DONE, "")
    assert [(path, headers["x-api-key"]) for path, headers, _ in upstream.seen] == [("/v1/x", KEY)]
    assert "output_tokens" in result.answer
    assert KEY not in result.answer + result.tail
    assert "BRAT_TOKEN=<redacted>" in result.answer


def test_engine_without_its_key_is_a_setup_failure_that_names_the_setting(rig: Rig) -> None:
    dispatch = rig.dispatch(engines=(EngineSetup("shell", ("true",), base_url="http://127.0.0.1:1"),))
    dispatch.start(rig.spec())
    result = rig.result(dispatch, "session-0")
    assert (result.finding, "`key_env`" in result.error) == (Finding.SETUP, True)
