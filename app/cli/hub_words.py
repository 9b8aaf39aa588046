"""What happened on a code host, in the words of the timeline. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from app.ports import (
    Answered,
    EffectIntended,
    EffectSeen,
    FeedbackGiven,
    LedgerOpened,
    PriorityChanged,
    PullEnded,
    PullOpened,
    ReplanAsked,
    RequestVoided,
    StrategyChanged,
)

__all__ = ["BOOKKEEPING", "HUB_WORDS"]

BOOKKEEPING = frozenset({"EffectIntended", "EffectSeen", "LedgerOpened"})
"""Facts by which processes agree who does what; of interest where something went wrong."""

_HANDED_ON = {
    "rerun": "a check that looked flaky was run again",
    "checks": "its red checks went back to an agent",
    "review": "a review went back to an agent",
    "conflict": "a conflict went back to an agent",
    "watch": "landed on a base that had moved: its own checks are awaited",
    "update": "its base was merged into its own branch, and that is tested again",
    "calm": "the checks of what landed are in",
}


def _answered(fact: Answered) -> str:
    asked = fact.text.partition("\n")[0] or fact.key
    done = "done" if fact.accepted else "refused"
    return f"{fact.by} in #{fact.number}: {asked} ({done})"


def _effect(fact: EffectSeen) -> str:
    if fact.ref:
        return f"done: {fact.key} is number {fact.ref}"
    return f"refused for good: {fact.key}" + (f": {fact.why}" if fact.why else "")


HUB_WORDS: Mapping[type[Any], Callable[[Any], str]] = MappingProxyType(
    {
        Answered: _answered,
        EffectIntended: lambda fact: f"{fact.owner} is about to do: {fact.key}",
        EffectSeen: _effect,
        FeedbackGiven: lambda fact: f"{_HANDED_ON.get(fact.what, fact.what)} ({fact.key[:12]})",
        LedgerOpened: lambda fact: "a ledger of answers was opened",
        PriorityChanged: lambda fact: f"priority {fact.level} by {fact.by}",
        PullEnded: lambda fact: f"pull request #{fact.number} was closed by {fact.by} without a merge",
        PullOpened: lambda fact: f"pull request #{fact.number} opened at {fact.head[:12]}: {fact.url}",
        ReplanAsked: lambda fact: f"another plan wanted by {fact.by}: {fact.text}",
        RequestVoided: lambda fact: f"the approval does not hold any more: {fact.why}",
        StrategyChanged: lambda fact: f"strategy {fact.strategy} from now on, by {fact.by}",
    }
)
