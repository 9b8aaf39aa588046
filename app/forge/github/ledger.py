"""The budget of one installation as arithmetic: who may ask now, and who comes back when."""

from __future__ import annotations

from dataclasses import replace
from enum import IntEnum

from app.values import dataclass

__all__ = ["Ask", "Ledger", "Pace", "Priority", "admit", "blocked", "given_back", "settled"]

_WINDOW_S = 60
_GRACE_MS = 2000
"""How long the place of somebody more important is kept, beyond the time it was told."""


class Priority(IntEnum):
    """Who goes first; the lower the sooner."""

    LAND = 0
    STATUS = 1
    COMMENT = 2


_SHARES = {Priority.LAND: 1.0, Priority.STATUS: 0.85, Priority.COMMENT: 0.6}


@dataclass(frozen=True, slots=True)
class Pace:
    """Points a minute, and ms between mutations, of which `burst` may follow at once after a rest:
    https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
    """

    points: int = 900
    gap_ms: int = 1000
    burst: int = 1


@dataclass(frozen=True, slots=True)
class Ask:
    """What somebody wants to do: a read costs 1 point, a mutation 5."""

    points: int = 1
    mutations: int = 0
    priority: Priority = Priority.STATUS


@dataclass(frozen=True, slots=True)
class Ledger:
    """Points by second, the time (ms) from which a mutation may go, places kept, and GitHub's own limit."""

    spent: tuple[tuple[int, int], ...] = ()
    free_ms: int = 0
    kept: tuple[tuple[int, int], ...] = ()
    blocked_ms: int = 0
    strikes: int = 0


def admit(ledger: Ledger, ask: Ask, *, now: int, pace: Pace) -> tuple[Ledger, int]:
    """The ledger afterwards, and 0 to go on or the time (ms) to come back at."""
    second = now // 1000
    ledger = replace(
        ledger,
        spent=tuple(each for each in ledger.spent if each[0] > second - _WINDOW_S),
        kept=tuple(each for each in ledger.kept if each[1] >= now),
    )
    if ledger.blocked_ms > now:
        return ledger, ledger.blocked_ms
    if wait := _points_free(ledger, ask, pace):
        return ledger, wait
    others = tuple(each for each in ledger.kept if each[0] != ask.priority)
    if ask.mutations:
        slot = max(
            ledger.free_ms - (pace.burst - 1) * pace.gap_ms,
            *(until + 1 for priority, until in others if priority < ask.priority),
            now,
        )
        if slot > now:
            return replace(ledger, kept=(*others, (int(ask.priority), slot + _GRACE_MS))), slot
        free = max(ledger.free_ms, now) + ask.mutations * pace.gap_ms
        ledger = replace(ledger, free_ms=free, kept=others)
    return replace(ledger, spent=_added(ledger.spent, second, ask.points)), 0


def given_back(ledger: Ledger, points: int, *, now: int) -> Ledger:
    """An answer that was free after all."""
    return replace(ledger, spent=_added(ledger.spent, now // 1000, -points))


def blocked(ledger: Ledger, until: int) -> Ledger:
    """GitHub said when to come back."""
    return replace(ledger, blocked_ms=max(ledger.blocked_ms, until), strikes=ledger.strikes + 1)


def settled(ledger: Ledger) -> Ledger:
    """GitHub answered as usual."""
    return replace(ledger, strikes=0)


def _points_free(ledger: Ledger, ask: Ask, pace: Pace) -> int:
    """0, or when enough points of the last minute are over for this priority."""
    ceiling = pace.points * _SHARES[ask.priority]
    used = sum(points for _, points in ledger.spent)
    for second, points in ledger.spent:
        if used + ask.points <= ceiling:
            return 0
        used -= points
        if used + ask.points <= ceiling:
            return (second + _WINDOW_S) * 1000
    return 0


def _added(spent: tuple[tuple[int, int], ...], second: int, points: int) -> tuple[tuple[int, int], ...]:
    if spent and spent[-1][0] >= second:
        last, had = spent[-1]
        return (*spent[:-1], (last, had + points))
    return (*spent, (second, points))
