"""A check that runs is left alone until its time is over or nobody wants it; none stays open for ever."""

from __future__ import annotations

from types import MappingProxyType

import pytest

from app import refinery
from app.board import Session
from app.ports import ConvoyFailed, Life, MergeStarted, Role, Seen, SessionSeen, SessionStarted, StopSession
from app.refinery.checking import OVERTIME_MS, watch_check
from tests.book import BASE, ME, Book

GONE = "its commit is not landing any more"


@pytest.mark.parametrize(("late_ms", "stopped"), [(0, False), (OVERTIME_MS, False), (OVERTIME_MS + 1, True)])
def test_a_check_that_outlives_its_deadline_is_stopped(late_ms: int, *, stopped: bool) -> None:
    book = Book()
    book.open()
    issue = book.board().convoys[0].tasks[0].issue
    started = SessionStarted(issue, "s-1", Role.REFINERY, "check", 1, BASE, book.now - late_ms)
    world = Seen(sessions=MappingProxyType({"s-1": SessionSeen(Life.ALIVE)}))
    decision = watch_check(Session(started, 1, ME), book.look(world))
    assert decision.actions == ((StopSession("s-1", "its deadline has passed"),) if stopped else ())


def test_a_check_that_runs_when_its_convoy_is_cancelled_is_stopped() -> None:
    book = Book()
    convoy = book.open().convoys[0]
    issue, commit = convoy.tasks[0].issue, "c" * 40
    book.write(MergeStarted(issue, 1, "rebase", BASE, "b" * 40, commit, "d" * 40))
    book.write(SessionStarted(issue, "s-1", Role.REFINERY, "check", 1, commit, book.now * 2, commit=commit))
    world = Seen(sessions=MappingProxyType({"s-1": SessionSeen(Life.ALIVE)}))
    assert StopSession("s-1", GONE) not in refinery.decide(book.look(world)).actions
    book.write(ConvoyFailed(convoy.issue, "cancelled"))
    assert refinery.decide(book.look(world)).actions == (StopSession("s-1", GONE),)
