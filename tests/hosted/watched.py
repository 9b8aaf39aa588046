"""What a worker decides and asks for, watched from outside: whose turn it is, and what it may spend."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise, takewhile
from typing import Any
from unittest.mock import patch

from app.board import Board, Convoy, Session, Task
from app.control import Reconciler
from app.forge.github import Budget, Reply, Wire
from app.ports import Decision, MergeStarted, SessionStarted
from tests.hosted.points import changes
from tests.hosted.world import HostedWorld

__all__ = ["SESSION_USD", "TIGHT", "Watch", "expect_within_limits"]

SESSION_USD, _CONVOY_USD, _DAY_USD, _SLOTS = 1.0, 4.0, 6.0, 1
TIGHT = f"""
[budget]
session_usd = {SESSION_USD}
convoy_usd = {_CONVOY_USD}
day_usd = {_DAY_USD}
[swarm]
max_polecats = {_SLOTS}
"""
"""Settings under which three convoys have to wait for each other and run out of money."""
_HOUR_MS = 3_600_000
_GAP_MS = 1_000
_MINUTE_MS = 59_000
_POINTS = 900
"""https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api"""


@dataclass
class Watch:
    """`unfair` are turns that were not kept. A charge is (the clock before, after it, points, mutations)."""

    unfair: list[str] = field(default_factory=list)
    charges: list[tuple[int, int, int, int]] = field(default_factory=list)
    sent: int = 0
    _checked: int = 0

    @contextmanager
    def watching(self, world: HostedWorld) -> Iterator[None]:
        """Every worker of this process, until the end."""
        watch, decide, spend, send = self, Reconciler._decide, Budget.spend, Wire.send

        def decided(self: Reconciler, board: Board, seen: Any, config: Any) -> Decision:
            decision = decide(self, board, seen, config)
            watch.unfair += _overtaken(board, decision)
            return decision

        def spent(self: Budget, *, mutations: int = 0, **more: Any) -> None:
            before = world.clock()
            spend(self, mutations=mutations, **more)
            watch.charges.append((before, world.clock(), 5 * mutations or 1, mutations))

        def asked(self: Wire, method: str, url: str, **how: Any) -> Reply:
            watch.sent += changes(method, url, how.get("body"))
            reply = send(self, method, url, **how)
            watch.sent -= changes(method, url, how.get("body")) and reply.status == 401
            return reply

        with (
            patch.object(Reconciler, "_decide", decided),
            patch.object(Budget, "spend", spent),
            patch.object(Wire, "send", asked),
        ):
            yield

    def expect_budget_kept(self) -> None:
        """Nothing is changed on GitHub without a charge, one change in a second, 900 points in a minute."""
        changed = [each for each in self.charges if each[3]]
        assert self.sent <= sum(each[3] for each in changed)
        for one, other in pairwise(changed):
            assert other[1] - one[0] >= _GAP_MS * one[3], (one, other)
        while self._checked < len(self.charges):
            _, now, *_ = self.charges[self._checked]
            self._checked += 1
            recent = reversed(self.charges[: self._checked])
            minute = takewhile(lambda each, now=now: each[0] > now - _MINUTE_MS, recent)  # type: ignore[misc]
            assert sum(each[2] for each in minute) <= _POINTS


def _overtaken(board: Board, decision: Decision) -> Iterator[str]:
    """Who starts or lands before somebody whose turn it was, and who waits for nothing but that turn."""
    turns = {task.issue: (convoy, task) for convoy in board.convoys for task in convoy.tasks}
    for kind, rule, turn in ((SessionStarted, "slots", _start_turn), (MergeStarted, "queue", _land_turn)):
        waits = [turns[each.subject] for each in decision.verdicts if each.rule == rule]
        goes = [
            turns[each.issue] for each in decision.facts if isinstance(each, kind) and each.issue in turns
        ]
        for one in goes:
            for other in waits:
                same = rule == "slots" or one[0].target == other[0].target
                if same and turn(*other) < turn(*one):
                    yield f"{rule}: {one[0].slug}/{one[1].number} before {other[0].slug}/{other[1].number}"


def _start_turn(convoy: Convoy, task: Task) -> tuple[int, str]:
    """A level of priority is worth an hour of waiting."""
    return (convoy.opened_ts - convoy.priority * _HOUR_MS, convoy.issue)


def _land_turn(convoy: Convoy, task: Task) -> tuple[int, str, int, int]:
    return (*_start_turn(convoy, task), task.work_ts, task.number)


def _cost(session: Session) -> float:
    told = session.ended.usage.usd if session.ended else None
    return SESSION_USD if told is None else told


def expect_within_limits(board: Board) -> None:
    """An agent that does not say what it spent has spent all that it may."""
    days: dict[object, float] = {}
    for convoy in board.convoys:
        sessions = [each for each in convoy.all_sessions if each.started.purpose != "check"]
        assert {each.started.reserved_usd for each in sessions} <= {SESSION_USD}
        assert sum(map(_cost, sessions)) <= _CONVOY_USD
        for each in sessions:
            day = datetime.fromtimestamp(each.started_ts / 1000, UTC).date()
            days[day] = days.get(day, 0.0) + _cost(each)
    assert all(spent <= _DAY_USD for spent in days.values()), days
    opened = [each for convoy in board.convoys for each in convoy.all_sessions if each.open]
    assert len(opened) <= _SLOTS
