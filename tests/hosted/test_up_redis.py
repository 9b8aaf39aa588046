"""Parts die at any word to redis, which forgets all of it each time: everything is done once."""

from __future__ import annotations

import pytest
import redis

from tests.hosted.conftest import Begin
from tests.hosted.once import expect_once
from tests.hosted.points import SIDES
from tests.runs.world import SHELL
from tests.service.mortal import said_in

TASKS = "- [ ] First\n- [ ] Second\n  after: 1\n- [ ] Third\n"
SAID = {"ACCEPT", "BEGIN", "END", "SET", "ZADD", "DEL", "ZREM"}
"""All that a worker says; a lease is renewed in passes of many seconds only."""
POINTS = (
    "SET 1",
    "BEGIN 1",
    "DEL 1",
    "ACCEPT 2",
    "ZADD 1",
    "END 1",
    "BEGIN 2",
    "END 2",
    "ACCEPT 3",
    "BEGIN 4",
)


@pytest.mark.full
@pytest.mark.timeout(900)
@pytest.mark.parametrize("side", SIDES)
def test_parts_may_die_at_any_word_to_redis_and_redis_forget_all(
    side: str, begin: Begin, redis_url: str
) -> None:
    running = begin(config=SHELL)
    running.environ["BRAT_REDIS_URL"] = redis_url
    serving = running.mortal("serve", dies=f"{side} ACCEPT 1")
    running.until(lambda _: running.listens())
    number = running.do("issue", title="Parts", body=TASKS)["number"]
    running.do("label", number, "brat")
    running.bury(serving)
    running.mortal("serve")
    for point in POINTS:
        running.bury(running.mortal("worker", dies=f"{side} {point}"))
        forget(redis_url)
    running.mortal("worker")
    expect_once(running, running.ended(number), tasks=3)
    assert running.stop() == [0, 0]
    assert set(said_in(running.root / "worker.said")) - {"RENEW"} == SAID


def forget(url: str) -> None:
    with redis.Redis.from_url(url) as client:
        client.flushall()
