"""`brat serve` and two `brat worker` on one redis: what both could do is done once."""

from __future__ import annotations

import re
import urllib.request

import pytest

from tests.hosted.conftest import Begin
from tests.hosted.once import expect_once, ours
from tests.hosted.test_up import asked
from tests.hosted.up import Running

_PASSES = re.compile(r'brat_passes_total\{(?=[^}]*outcome="(?:un)?changed")[^}]*process="([^"]+)"')


def at_work(running: Running) -> set[str]:
    """Workers that made a pass, as the web process tells."""
    address = f"http://127.0.0.1:{running.port}/metrics"
    with urllib.request.urlopen(address, timeout=30) as answer:
        return set(_PASSES.findall(answer.read().decode()))


@pytest.mark.full
@pytest.mark.timeout(900)
def test_two_workers_at_once_do_everything_once(begin: Begin, redis_url: str) -> None:
    running = begin()
    running.apart(redis_url, workers=2)
    first, second = asked(running), asked(running)
    running.do("comment", second, "/brat status")
    running.ended(first)
    state = running.ended(second)
    expect_once(running, state, tasks=6, convoys=2)
    assert sum("brat:reply:" in each for each in ours(state)) == 3
    running.until(lambda state: len(at_work(running)) == 2)
    assert running.stop() == [0, 0, 0]
