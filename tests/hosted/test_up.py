"""`brat up` over the stand-in, both as processes of their own: the whole way, through kills and losses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.hosted.conftest import Begin
from tests.hosted.once import expect_once, ours
from tests.hosted.told import status_of
from tests.hosted.up import Running, with_codex
from tests.llm import Bash, Conversation, ScriptedModel, Step, Text

CHECKLIST = "Please.\n- [ ] First\n- [ ] Second\n  after: 1\n- [ ] Third\n"
CONFLICTING = f"{CHECKLIST}- [ ] Fourth\n"
TITLES = ("First", "Second", "Third", "Fourth")
RED = "AssertionError: expected 2, got 1"
REFUSED = "Commands count from people who may write"


def asked(running: Running, body: str = CHECKLIST) -> int:
    """An issue with the label, whose plan stands in it and is approved by ada; eve's word counts nothing."""
    number: int = running.do("issue", title="Parts", body=body)["number"]
    running.do("label", number, "brat")
    running.until(lambda state: any("brat:sticky" in each for each in said(state, number)))
    running.do("comment", number, "/brat approve", by="eve")
    running.do("comment", number, "/brat approve")
    return number


@pytest.mark.full
def test_a_labelled_issue_is_planned_approved_worked_on_merged_and_closed(begin: Begin) -> None:
    running = begin()
    running.up()
    state = running.ended(asked(running))
    expect_once(running, state, tasks=3)
    assert running.stop() == [0]


class Ada:
    """Approves each pull request, once she was asked to; and looks for what a stranger brought about."""

    def __init__(self, running: Running) -> None:
        self._running = running
        self.approves = False
        self._done: set[int] = set()

    def __call__(self, state: dict[str, Any]) -> None:
        fresh = {each["number"] for each in state["pulls"]} - self._done if self.approves else set()
        for number in sorted(fresh):
            self._running.do("review", number, "APPROVED", "fine", by="ada")
            self._done.add(number)


def works(conversation: Conversation) -> Step:
    """Task 1 mends what CI is red with; 3 and 4 write the same file, and what conflicts is resolved."""
    task, _, rest = conversation.prompt.partition("# What it belongs to")
    number = next(at for at, title in enumerate(TITLES, 1) if title in task)
    if conversation.results:
        return Text("All done.")
    if "conflict markers" in rest:
        return Bash("echo both > same.txt")
    if number > 2:
        return Bash(f"echo {number} > same.txt")
    return Bash(f"echo {'mended' if RED in rest else number} > task-{number}.txt")


@pytest.fixture
def codex(scripted_model: ScriptedModel, codex_binary: Path) -> dict[str, Any]:
    """Settings under which the real codex works, with that model."""
    return with_codex(codex_binary, scripted_model.base_url(works, key="codex"))


WEBHOOKS = pytest.mark.parametrize("webhooks", [True, False], ids=["webhooks, a third lost", "polling"])


@WEBHOOKS
@pytest.mark.full
@pytest.mark.timeout(900)
def test_red_checks_conflicts_kills_an_empty_redis_and_strangers_change_nothing_in_the_end(
    begin: Begin, codex: dict[str, Any], webhooks: bool
) -> None:
    """Task 1 is red until a follow-up session mends it; 3 and 4 conflict, and one of them is mended."""
    running = begin(webhooks=webhooks, **codex)
    running.steer("ci", repository="ada-corp/demo", rule="red_once", path="task-1.txt", again="broken")
    running.steer("webhooks", every_third_lost=True)
    running.do("protect", "main", "ci", by=None, approvals=1)
    ada = running.between = Ada(running)
    running.up()
    number = asked(running, CONFLICTING)
    stranger = strangers_issue(running)
    state = running.until(lambda state: len(state["pulls"]) > 1)
    strangers_words(running, state["pulls"][-1]["number"])
    running.kill()
    running.up()
    pull = state["pulls"][-1]["number"]
    state = running.until(lambda state: any(REFUSED in each for each in said(state, pull)))
    assert not any(each["merged_at"] for each in state["pulls"])
    running.flush()
    ada.approves = True
    running.until(lambda state: any(each["merged_at"] for each in state["pulls"]))
    running.kill_redis()
    state = running.ended(number)
    expect_once(running, state, tasks=4)
    expect_mended(running, state)
    expect_polite(running, state, number=stranger)
    assert running.stop() == [0]


def said(state: dict[str, Any], number: int) -> list[str]:
    """All comments there, in order."""
    return [each["body"] for each in state["comments"] if each["issue_url"].endswith(f"/{number}")]


def strangers_issue(running: Running) -> int:
    """eve asks, and labels it herself."""
    number: int = running.do("issue", title="Mine", body=CHECKLIST, by="eve")["number"]
    running.do("label", number, "brat", by="eve")
    return number


def strangers_words(running: Running, pull: int) -> None:
    """eve wants a change, approves, and wants it merged."""
    running.do("review", pull, "CHANGES_REQUESTED", "not so", by="eve")
    running.do("review", pull, "APPROVED", "after all", by="eve")
    running.do("comment", pull, "/brat merge", by="eve")


def expect_polite(running: Running, state: dict[str, Any], *, number: int) -> None:
    """One answer to eve's label, one to each of her two commands; no plan of hers."""
    assert ["Thank you, eve" in each for each in said(state, number)] == [True]
    assert sum("Thank you, eve" in each for each in ours(state)) == 3


def expect_mended(running: Running, state: dict[str, Any]) -> None:
    """A session more for the red task, and one for the conflict. Who was killed at work began once more; but
    a follow-up session writes what no other writes.
    """
    clone = running.root / "clone"
    running.clone(clone)
    (convoy,) = status_of(clone)["convoys"]
    assert convoy["status"] == "complete"
    assert {each["engine"] for each in convoy["tasks"]} == {"codex"}
    assert (clone / "task-1.txt").read_text() == "mended\n"
    assert (clone / "task-2.txt").read_text() == "2\n"
    assert (clone / "same.txt").read_text() == "both\n"
