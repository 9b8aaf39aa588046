"""Facts as JSON values and back. Unknown keys of a newer writer are dropped, missing ones are an error."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, fields, is_dataclass
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from app.ports import (
    Answered,
    BaseTakenOver,
    ConvoyCancelled,
    ConvoyCompleted,
    ConvoyFailed,
    ConvoyOpened,
    ConvoyPaused,
    ConvoyResumed,
    EffectIntended,
    EffectSeen,
    Fact,
    FeedbackGiven,
    FollowUpWanted,
    HoldPlaced,
    HoldReleased,
    LedgerOpened,
    PlanApproved,
    PlannedTask,
    PlanRefused,
    PriorityChanged,
    PullEnded,
    PullOpened,
    ReplanAsked,
    RequestVoided,
    StrategyChanged,
    TaskBlocked,
    TaskCommented,
    TaskDropped,
    TaskRequeued,
    TaskRetried,
    TaskSplit,
    WorkPublished,
)

__all__ = ["PLAIN", "decode", "decode_planned", "encode", "encode_planned"]

PLAIN: dict[str, type[Any]] = {
    each.__name__: each
    for each in (
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
        BaseTakenOver,
        ConvoyCancelled,
        ConvoyCompleted,
        ConvoyFailed,
        ConvoyOpened,
        ConvoyPaused,
        ConvoyResumed,
        FollowUpWanted,
        HoldPlaced,
        HoldReleased,
        PlanApproved,
        PlanRefused,
        TaskBlocked,
        TaskCommented,
        TaskDropped,
        TaskRequeued,
        TaskRetried,
        TaskSplit,
        WorkPublished,
    )
}
"""Facts that are one `[brat]` block on their issue, by name."""


_adapter: Callable[[Any], TypeAdapter[Any]] = cache(TypeAdapter)


def encode(fact: Fact) -> dict[str, object]:
    """The fact's block, without what the event itself says (its issue) and without defaults."""
    values: dict[str, object] = {"fact": type(fact).__name__}
    for each in fields(fact):
        value = getattr(fact, each.name)
        if each.name != "issue" and value != each.default:
            whole = is_dataclass(value) and not isinstance(value, type)
            values[each.name] = asdict(value) if whole else value
    return values


def decode(issue: str, values: dict[str, object]) -> Fact | None:
    """The fact of a `[brat]` block; None for a name that this version does not know.

    Raises ValueError when a known fact lacks a field or has a wrong type.
    """
    kind = PLAIN.get(str(values.get("fact")))
    if kind is None:
        return None
    fact: Fact = _load(kind, {**values, "issue": issue})
    return fact


def encode_planned(spec: PlannedTask) -> dict[str, object]:
    """A planned task without its defaults."""
    return {
        each.name: getattr(spec, each.name)
        for each in fields(spec)
        if getattr(spec, each.name) != each.default
    }


def decode_planned(values: dict[str, object]) -> PlannedTask:
    """The planned task back. Raises ValueError."""
    task: PlannedTask = _load(PlannedTask, values)
    return task


def _load(kind: type[Any], values: dict[str, object]) -> Any:
    known = {each.name for each in fields(kind)}
    try:
        return _adapter(kind).validate_python(
            {name: value for name, value in values.items() if name in known}
        )
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ValueError(f"{kind.__name__}.{where}: {first['msg']}") from None
