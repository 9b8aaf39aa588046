"""What happened between people, the code host and brat."""

from __future__ import annotations

from app.values import dataclass

__all__ = [
    "Answered",
    "EffectIntended",
    "EffectSeen",
    "FeedbackGiven",
    "HubFact",
    "LedgerOpened",
    "PriorityChanged",
    "PullEnded",
    "PullOpened",
    "ReplanAsked",
    "RequestSource",
    "RequestVoided",
    "StrategyChanged",
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
class FeedbackGiven:
    """Something said about the work on a pull request was handed on: never twice the same.

    `what` is `rerun`, `checks`, `review` or `conflict`; `key` names it: a head, a review's id. Of a convoy
    `watch`, `calm` and `update`, with the commit that landed, or that has the base in it.
    """

    issue: str
    what: str
    key: str


@dataclass(frozen=True, slots=True)
class RequestVoided:
    """The issue changed after it was asked for: nothing new starts before a person approves again.

    `digest` is of the issue as it is now.
    """

    issue: str
    why: str
    digest: str


@dataclass(frozen=True, slots=True)
class ReplanAsked:
    """A permitted person wants another plan; `text` goes to the planner. The plan so far counts no more."""

    issue: str
    by: str
    text: str


@dataclass(frozen=True, slots=True)
class StrategyChanged:
    """How the convoy's next landings are made: rebase, squash or merge."""

    issue: str
    by: str
    strategy: str


@dataclass(frozen=True, slots=True)
class PriorityChanged:
    """Higher lands and starts first; 0 is usual."""

    issue: str
    by: str
    level: int


@dataclass(frozen=True, slots=True)
class LedgerOpened:
    """The one issue for what concerns no convoy: answers to people, and effects of their own."""

    issue: str


HubFact = (
    Answered
    | EffectIntended
    | EffectSeen
    | FeedbackGiven
    | LedgerOpened
    | PriorityChanged
    | PullEnded
    | PullOpened
    | ReplanAsked
    | RequestVoided
    | StrategyChanged
)
