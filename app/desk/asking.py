"""Who may ask, how much, and what was answered: the same rules for labels and for comments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum

from app.board import Board, derived_issue
from app.config import Config
from app.ports import Answered, HubSeen, Person
from app.values import dataclass

__all__ = [
    "DAY_MS",
    "NOBODY",
    "OVERLAP_MS",
    "Asked",
    "Standing",
    "answer",
    "ledger_issue",
    "may_be_told",
    "over_limit",
    "standing",
]

DAY_MS = 86_400_000

NOBODY = Person(0, "policy")
"""By whom it is where no person asked for it: our own rules."""

OVERLAP_MS = 600_000
"""How far behind the newest answer the inbox is read: lists of the code host lag, and clocks differ."""

PER_PERSON = 200
"""Commands of one account in a day: ten times what a busy day of steering by hand needs."""

PER_ISSUE = 200
"""Commands at one number in a day; two scripts that answer each other end here."""

STARTS = 30
"""Convoys that one account may ask for in a day: each costs money before anybody looks at it."""

TOLD_PER_ISSUE = 3
"""Strangers told at one number: the third has read what the first was told."""

TOLD_PER_DAY = 20
"""Strangers told in a day; beyond it silence is the cheaper answer to a flood of accounts."""

REPLY_LIMIT = 4_000
"""Characters of a reply that enter the log; help is the longest there is."""


class Standing(Enum):
    """`PASSED_OVER`: ourselves, bots and accounts that are gone; an answer could only feed a loop."""

    WRITES = "writes"
    STRANGER = "stranger"
    UNKNOWN = "unknown"
    PASSED_OVER = "passed over"


@dataclass(frozen=True, slots=True)
class Asked:
    """One thing that somebody asked for. `ts` is when it is counted, in ms since the epoch.

    No `text`: words of somebody who may not write here stay out of the log.
    """

    key: str
    number: int
    by: Person
    text: str
    ts: int


def standing(hub: HubSeen, person: Person, config: Config) -> Standing:
    """By account id, as things are now. A bot counts only when its id is on the list, whatever its name."""
    if person.ours or person.id <= 0:
        return Standing.PASSED_OVER
    if person.bot or person.login.lower().endswith("[bot]"):
        return Standing.WRITES if person.id in config.mayor.allow_bots else Standing.PASSED_OVER
    may = hub.may(person)
    if may is None:
        return Standing.UNKNOWN
    return Standing.WRITES if may else Standing.STRANGER


def ledger_issue(board: Board) -> str:
    """The issue for what concerns no convoy; derived, so that two who open it open the same."""
    return board.ledger.issue or derived_issue("ledger")


def answer(asked: Asked, issue: str, *, accepted: bool, reply: str = "") -> Answered:
    """The record that it was handled, once and for all."""
    said = reply if len(reply) <= REPLY_LIMIT else reply[: REPLY_LIMIT - 1] + "…"
    return Answered(
        issue=issue,
        key=asked.key,
        number=asked.number,
        text=asked.text[:500],
        by=asked.by.login,
        by_id=asked.by.id,
        accepted=accepted,
        reply=said,
        ts=asked.ts,
    )


def may_be_told(answered: Mapping[str, Answered], asked: Asked, issue: str, *, now: int) -> bool:
    """Whether a stranger gets an answer: once per person and number, and a few in all."""
    told = [each for each in answered.values() if each.issue == issue and not each.accepted and each.reply]
    here = [each for each in told if each.number == asked.number]
    return (
        all(each.by_id != asked.by.id for each in here)
        and len(here) < TOLD_PER_ISSUE
        and sum(each.ts > now - DAY_MS for each in told) < TOLD_PER_DAY
    )


def over_limit(answered: Mapping[str, Answered], asked: Asked, *, now: int, starts: bool = False) -> str:
    """Which limit of a day is reached, in words; empty: none. What strangers say has no text, nor counts."""
    today = [each for each in answered.values() if each.ts > now - DAY_MS and each.text]
    counts: tuple[tuple[Callable[[Answered], bool], int, str], ...] = (
        (lambda each: each.by_id == asked.by.id, PER_PERSON, "commands by one account in a day"),
        (lambda each: each.number == asked.number, PER_ISSUE, "commands in one issue in a day"),
    )
    for counted, most, words in counts:
        if sum(counted(each) for each in today) >= most:
            return f"{most} {words} are the limit"
    asks = sum(each.by_id == asked.by.id and each.accepted and _starts(each) for each in today)
    return (
        f"{STARTS} convoys asked for by one account in a day are the limit"
        if starts and asks >= STARTS
        else ""
    )


def _starts(each: Answered) -> bool:
    return each.key.startswith("label:") or each.text.startswith(("/brat plan", "/brat start"))
