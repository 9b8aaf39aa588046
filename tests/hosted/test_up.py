"""`brat up` over the stand-in, both as processes of their own: the whole way, through kills and losses."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.hosted.told import status_of
from tests.hosted.up import Running

Begin = Callable[..., Running]
CHECKLIST = "Please.\n- [ ] First\n- [ ] Second\n  after: 1\n- [ ] Third\n"


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Begin]:
    """A stand-in with a repository; the service is started by the test."""
    made: list[Running] = []

    def make(**more: Any) -> Running:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        made.append(Running.begin(tmp_path, port, **more))
        return made[-1]

    yield make
    for each in made:
        each.close()


def asked(running: Running) -> int:
    """An issue with the label, whose plan stands in it and is approved by ada; eve's word counts nothing."""
    number: int = running.do("issue", title="Three parts", body=CHECKLIST)["number"]
    running.do("label", number, "brat")
    running.until(lambda state: any("brat:sticky" in each["body"] for each in state["comments"]))
    running.do("comment", number, "/brat approve", by="eve")
    running.do("comment", number, "/brat approve")
    return number


def expect_once(running: Running, state: dict[str, Any]) -> None:
    """Three pull requests, each merged once; one sticky comment; nothing that GitHub would not accept."""
    journal = running.steer("journal")
    assert journal["problems"] == []
    merges = [each for each in journal["changes"] if each["what"] == "merge"]
    assert len(state["pulls"]) == len(merges) == 3
    ours = [each["body"] for each in state["comments"] if each["user"]["login"] == "brat[bot]"]
    assert sum("brat:sticky" in each for each in ours) == 1
    assert sum("brat:closing" in each for each in ours) == 1
    assert sum("brat:reply" in each for each in ours) <= 1


def test_a_labelled_issue_is_planned_approved_worked_on_merged_and_closed(begin: Begin) -> None:
    running = begin()
    running.up()
    state = running.ended(asked(running))
    expect_once(running, state)
    assert "refs/grite/wal" in state["refs"]
    assert running.stop() == 0


@pytest.mark.full
def test_without_any_webhook_it_polls_and_a_kill_of_everything_loses_nothing(begin: Begin) -> None:
    running = begin(webhooks=False)
    running.up()
    number = asked(running)
    running.until(lambda state: any(ref.startswith("refs/heads/convoy/") for ref in state["refs"]))
    running.kill()
    running.up()
    expect_once(running, running.ended(number))


@pytest.mark.full
def test_with_a_third_of_the_webhooks_lost_and_an_empty_redis_it_ends_the_same(begin: Begin) -> None:
    running = begin()
    running.steer("webhooks", every_third_lost=True)
    running.up()
    number = asked(running)
    running.until(lambda state: len(state["pulls"]) > 0)
    running.kill()
    running.up()
    expect_once(running, running.ended(number))


@pytest.mark.full
def test_a_fresh_clone_tells_the_whole_story_offline(begin: Begin, tmp_path: Path) -> None:
    running = begin()
    running.up()
    running.ended(asked(running))
    source = next((tmp_path / "hub").glob("**/demo.git"))
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", str(source), str(clone)], check=True)
    fetch = ["git", "-C", str(clone), "fetch", "-q", "origin", "refs/grite/*:refs/grite/*"]
    subprocess.run(fetch, check=True)
    told = status_of(clone)
    (convoy,) = told["convoys"]
    assert (convoy["status"], len(convoy["tasks"])) == ("complete", 3)
    assert all(each["status"] == "merged" for each in convoy["tasks"])
