"""What happened between people, the code host and brat."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "Answered",
    "ChecksSeen",
    "EffectIntended",
    "EffectSeen",
    "HubFact",
    "PullEnded",
    "PullOpened",
    "RequestSource",
    "RequestVoided",
]


@dataclass(frozen=True, slots=True)
class RequestSource:
    """The issue a convoy was asked for in, as it was then: `digest` is over title and body.

    `by` may write; `by_id` is the account that counts.
    """

    number: int
    url: str
    digest: str
    by: str
    by_id: int
    trigger: str
    ts: int


@dataclass(frozen=True, slots=True)
class Answered:
    """A command or a label was handled, once and for all. `key` is `comment:<id>` or `label:<event id>`.

    `issue` is the convoy's, or the ledger's where it concerns none. `text` is what was asked (capped),
    `reply` what is said in a comment of its own (empty: a reaction is enough), `number` where.
    """

    issue: str
    key: str
    number: int
    text: str
    by: str
    by_id: int
    accepted: bool
    reply: str = ""
    ts: int = 0


@dataclass(frozen=True, slots=True)
class EffectIntended:
    """The intent to do something that has no guard of its own; `owner` names the process that may do it.

    Another takes it over after `deadline_ts`, having looked for `key` first.
    """

    issue: str
    key: str
    owner: str
    deadline_ts: int


@dataclass(frozen=True, slots=True)
class EffectSeen:
    """What the intent left: a comment's or check run's number; 0 where it was refused for good."""

    issue: str
    key: str
    ref: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class PullOpened:
    """The task's (or convoy's) pull request."""

    issue: str
    number: int
    url: str
    head: str


@dataclass(frozen=True, slots=True)
class PullEnded:
    """The pull request was closed without a merge, by somebody else than us."""

    issue: str
    number: int
    by: str


@dataclass(frozen=True, slots=True)
class ChecksSeen:
    """A head's checks turned red and were handed to an agent or re-run once: never twice the same.

    `what` is `rerun`, `follow-up` or `review`; `key` the head or review id.
    """

    issue: str
    what: str
    key: str


@dataclass(frozen=True, slots=True)
class RequestVoided:
    """The approval does not hold any more: the plan or the issue changed after it."""

    issue: str
    why: str


HubFact = Answered | EffectIntended | EffectSeen | PullOpened | PullEnded | ChecksSeen | RequestVoided
