"""The web process over real HTTP and a real server of redis's protocol."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from app.webhooks import Cap
from tests.service.conftest import Launch, Start
from tests.service.processes import BRAT, Process, loop_process
from tests.service.scene import PATIENCE_S, Scene
from tests.webhooks.desk import headers

PUSH = json.dumps({"repository": {"id": 42}, "installation": {"id": 3}}).encode()


@pytest.fixture
def web(start: Start) -> Process:
    return start((*BRAT, "serve"))


def deliver(web: Process, *, id: str, event: str = "push", body: bytes = PUSH) -> httpx.Response:
    heads = headers(body, event=event, id=id)
    return httpx.post(f"{web.address()}/webhooks/github", content=body, headers=heads, timeout=PATIENCE_S)


def metrics(web: Process) -> dict[str, float]:
    lines = httpx.get(f"{web.address()}/metrics").text.splitlines()
    return {name: float(value) for line in lines if line[:1] != "#" for name, value in [line.rsplit(" ", 1)]}


def sent_raw(web: Process, head: bytes, parts: Iterator[bytes]) -> bytes:
    """The first line of the answer, which may come before all is sent."""
    place = urlsplit(web.address())
    with socket.create_connection((place.hostname, place.port), timeout=PATIENCE_S) as connection:
        connection.sendall(head)
        try:
            for each in parts:
                connection.sendall(each)
        except (BrokenPipeError, ConnectionResetError):
            return b"closed"
        return connection.recv(64).partition(b"\r\n")[0]


def test_delivery_is_in_redis_before_it_is_answered(web: Process, scene: Scene) -> None:
    assert deliver(web, id="d-1").status_code == 202
    assert scene.ask(lambda queue: queue.waiting()) == 1
    assert deliver(web, id="d-1").text == "taken before\n"


def test_delivery_reaches_a_worker_in_another_process(web: Process, start: Start) -> None:
    worker = start(loop_process())
    worker.wait_for("sweeps")
    deliver(web, id="d-1")
    worker.wait_for("ends 42")


def test_without_redis_a_delivery_is_503_and_taken_when_redis_is_back(
    start: Start, launch: Launch, tmp_path: Path
) -> None:
    server = launch()
    place = server.unix_socket_path
    web = start((*BRAT, "serve"), BRAT_REDIS_URL=f"unix://{place}")
    assert deliver(web, id="d-1").status_code == 202
    server.stop()
    assert deliver(web, id="d-2").status_code == 503
    assert httpx.get(f"{web.address()}/healthz").status_code == 200
    ready = httpx.get(f"{web.address()}/readyz")
    assert (ready.status_code, ready.json()["missing"]) == (503, ["redis: does not answer"])
    assert metrics(web)["brat_redis_up"] == 0
    server.start()
    assert deliver(web, id="d-2").text == "taken\n"


def test_ready_says_whether_a_worker_lives(web: Process, start: Start) -> None:
    ready = httpx.get(f"{web.address()}/readyz")
    assert (ready.status_code, ready.json()["worker"]) == (200, "no worker has been seen: start brat worker")
    start(loop_process()).wait_for("sweeps")
    assert httpx.get(f"{web.address()}/readyz").json() == {"ready": True, "missing": [], "worker": "alive"}


def test_counts_of_all_processes_are_at_one_address(web: Process, start: Start) -> None:
    deliver(web, id="d-1")
    deliver(web, id="d-1")
    deliver(web, id="d-2", event="star")
    start(loop_process()).wait_for("ends 42")
    counts = metrics(web)
    assert counts['brat_deliveries_total{event="push",outcome="accepted",process="serve"}'] == 1
    assert counts['brat_deliveries_total{event="push",outcome="duplicate",process="serve"}'] == 1
    assert counts['brat_deliveries_total{event="other",outcome="ignored",process="serve"}'] == 1
    assert counts["brat_redis_up"] == 1


def test_what_a_workers_passes_did_is_counted(web: Process, start: Start, scene: Scene) -> None:
    start(loop_process(), FOUND="42").wait_for("ends 42")
    told = 'brat_actions_total{end="done",kind="MergePull",process='
    scene.until(lambda: any(each.startswith(told) for each in metrics(web)))
    assert any(each.startswith("brat_github_requests_total{process=") for each in metrics(web))


def test_too_large_a_body_is_answered_before_it_is_sent(web: Process) -> None:
    head = b"POST /webhooks/github HTTP/1.1\r\nHost: brat\r\nX-Hub-Signature-256: sha256=0\r\n"
    said = sent_raw(web, head + b"Content-Length: %d\r\n\r\n" % (Cap().most + 1), iter(()))
    assert said == b"HTTP/1.1 413 Request Entity Too Large"


def test_too_large_a_body_without_a_length_is_cut_off(web: Process) -> None:
    head = b"POST /webhooks/github HTTP/1.1\r\nHost: brat\r\nX-Hub-Signature-256: sha256=0\r\n"
    part = b"100000\r\n" + b"x" * 0x100000 + b"\r\n"
    said = sent_raw(web, head + b"Transfer-Encoding: chunked\r\n\r\n", iter([part] * 60))
    assert said in (b"HTTP/1.1 413 Request Entity Too Large", b"closed")
    assert metrics(web)['brat_deliveries_total{event="other",outcome="large",process="serve"}'] == 1


def test_only_post_takes_deliveries_and_nothing_else_is_there(web: Process) -> None:
    assert httpx.get(f"{web.address()}/webhooks/github").status_code == 405
    assert httpx.get(f"{web.address()}/setup").status_code == 404


def test_burst_from_many_senders_is_taken_whole(web: Process, scene: Scene) -> None:
    answers: list[int] = []

    def send(first: int) -> None:
        for number in range(first, first + 25):
            answers.append(deliver(web, id=f"d-{number}").status_code)

    senders = [threading.Thread(target=send, args=(each * 25,)) for each in range(4)]
    for each in senders:
        each.start()
    for each in senders:
        each.join(PATIENCE_S)
    assert answers == [202] * 100
    assert scene.ask(lambda queue: queue.waiting()) == 1


def test_logs_are_records_about_a_delivery_without_any_secret(web: Process) -> None:
    deliver(web, id="d-1")
    told = json.loads(web.wait_for('"delivery":"d-1"'))
    assert (told["event"], told["outcome"], told["level"]) == ("push", "accepted", "info")
    assert not any("kept secret" in line or "c2VjcmV0" in line for line in web.lines)
