"""`brat up` with the real codex: an issue in plain words becomes merged work, and nothing private is told."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.hosted.canaries import RedisEar, files_of, found_in, objects_of, talk, told_by
from tests.hosted.conftest import Begin
from tests.hosted.once import expect_once
from tests.hosted.told import status_of
from tests.hosted.up import CODEX_KEY, SECRET, Running, with_codex
from tests.llm import Bash, Conversation, ScriptedModel, Step, Text
from tests.llm.record import Request

REQUEST = "We want to greet our readers, and to part from them well. And an index of both."
_PATIENCE_S = 150


def part(name: str, *after: str) -> dict[str, Any]:
    return {
        "id": name,
        "title": f"Write the {name}",
        "instructions": f"Write {name}.txt.",
        "depends_on": list(after),
    }


TASKS = [part("welcome"), part("farewell"), part("index", "welcome", "farewell")]
PLAN = {"summary": "Greet", "tasks": TASKS}


def work_of(request: Request | Conversation) -> str:
    """What a working agent is asked to write; empty: it plans."""
    task, works, _ = request.prompt.partition("# What it belongs to")
    names = [each["id"] for each in TASKS if f"Write the {each['id']}" in task]
    return names[0] if works else ""


class Model:
    """Plans after a look at the files. The first two agents are answered once both have asked;
    at that moment `look` is called.
    """

    def __init__(self) -> None:
        self._both = threading.Barrier(2, action=lambda: self.look(), timeout=_PATIENCE_S)
        self.look: Any = lambda: None

    def __call__(self, conversation: Conversation) -> Step:
        name = work_of(conversation)
        if conversation.results:
            return Text("All done.") if name else Text(json.dumps(PLAN))
        if not name:
            return Bash("cat README.md")
        if name != "index":
            self._both.wait()
        return Bash(f"env; cat /proc/*/environ; echo {name} > {name}.txt")


@pytest.fixture
def model() -> Model:
    return Model()


@pytest.fixture
def running(begin: Begin, model: Model, scripted_model: ScriptedModel, codex_binary: Path) -> Running:
    """The stand-in's CI is green; `brat up` is not started."""
    return begin(**with_codex(codex_binary, scripted_model.base_url(model, key="codex")))


def asked(running: Running) -> int:
    """The issue, whose plan stands in it and is approved by ada."""
    number: int = running.do("issue", title="Greet the readers", body=REQUEST)["number"]
    running.do("label", number, "brat")
    running.until(lambda state: any("Write the index" in each["body"] for each in state["comments"]))
    running.do("comment", number, "/brat approve")
    return number


def spans(model: ScriptedModel) -> dict[str, tuple[int, int]]:
    """From the first question of each work to its last answer, in ms."""
    found: dict[str, tuple[int, int]] = {}
    for each in model.of("codex"):
        assert each.answered_at is not None
        begun, _ = found.get(work_of(each), (each.at, 0))
        found[work_of(each)] = begun, each.answered_at
    return found


def private(running: Running) -> tuple[str, ...]:
    """What nobody may read: keys, the webhooks' secret, the App's key line by line, redis's password."""
    password = running.redis_url().partition("//:")[2].partition("@")[0]
    return (CODEX_KEY, SECRET, password, *told_by((running.root / "app.pem").read_text()))


def expect_nothing_told(running: Running, ear: RedisEar, secrets: tuple[str, ...]) -> None:
    data = running.root / "data"
    places = {**files_of(data), **objects_of(data), **objects_of(running.root / "hub")}
    places |= {"log lines": (running.root / "up.log").read_bytes(), "talk": talk(running.state())}
    places |= {"redis, ever": ear.heard, "redis, now": ear.kept()}
    assert {where: found for where, text in places.items() if (found := found_in(text, secrets))} == {}
    assert all(places[each] for each in ("log lines", "talk", "redis, ever", "redis, now"))


@pytest.fixture
def ear(running: Running) -> Iterator[RedisEar]:
    """`brat up` runs, and its redis is listened to from the start."""
    running.up()
    with RedisEar(running.redis_url()) as ear:
        yield ear


@pytest.mark.timeout(600)
def test_real_codex_plans_and_works_in_parallel_and_what_it_made_is_merged_in_order(
    running: Running, model: Model, ear: RedisEar, scripted_model: ScriptedModel, tmp_path: Path
) -> None:
    secrets = private(running)
    model.look = lambda: expect_nothing_told(running, ear, secrets)
    number = asked(running)
    state = running.ended(number)
    expect_once(running, state, tasks=3)
    seen = spans(scripted_model)
    assert max(seen["welcome"][0], seen["farewell"][0]) < min(seen["welcome"][1], seen["farewell"][1])
    assert seen[""][1] < min(seen["welcome"][0], seen["farewell"][0])
    assert max(seen["welcome"][1], seen["farewell"][1]) < seen["index"][0]
    assert {each.authorization for each in scripted_model.of("codex")} == {f"Bearer {CODEX_KEY}"}
    assert not any(CODEX_KEY in each.text for each in scripted_model.of("codex"))
    merges = [each for each in running.steer("journal")["changes"] if each["what"] == "merge"]
    assert [int(each["subject"]) for each in merges] == sorted(each["number"] for each in state["pulls"])
    expect_nothing_told(running, ear, secrets)
    assert running.stop() == [0]
    expect_story(running, state, tmp_path / "clone")


def expect_story(running: Running, state: dict[str, Any], clone: Path) -> None:
    """A fresh clone without any host tells all of it."""
    running.clone(clone)
    running.close()
    (convoy,) = status_of(clone)["convoys"]
    assert (convoy["status"], convoy["approved_by"]) == ("complete", "ada")
    found = [(each["title"], each["status"], each["engine"], each["attempts"]) for each in convoy["tasks"]]
    assert found == [(each["title"], "merged", "codex", 1) for each in TASKS]
    pulls = {each["head"]["ref"]: each["number"] for each in state["pulls"]}
    assert {each["branch"]: each["pull"]["number"] for each in convoy["tasks"]} == pulls
    for each in TASKS:
        assert (clone / f"{each['id']}.txt").read_text() == f"{each['id']}\n"
