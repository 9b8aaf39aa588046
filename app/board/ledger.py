"""What was said to people and done once, by key; gathered while the log is folded."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import field, replace
from types import MappingProxyType

from app.ports import Answered, EffectIntended, EffectSeen, Fact, LedgerOpened
from app.values import dataclass

__all__ = ["Effect", "Ledger", "LedgerBuilder"]


@dataclass(frozen=True, slots=True)
class Effect:
    """Something without a guard of its own: who may do it until when, and what it left."""

    intended: EffectIntended
    seen: EffectSeen | None = None


@dataclass(frozen=True, slots=True)
class Ledger:
    """What was said to people and done once, by key. No `issue`: nothing of it is in the log yet.

    `labels` are the keys of answered labels. Passes ask for what is recent, so that is not searched for.
    """

    issue: str | None = None
    answered: Mapping[str, Answered] = field(default_factory=lambda: MappingProxyType({}))
    effects: Mapping[str, Effect] = field(default_factory=lambda: MappingProxyType({}))
    labels: frozenset[str] = field(default=frozenset(), init=False, repr=False, compare=False)
    _in_time: tuple[Answered, ...] = field(default=(), init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        in_time = sorted(self.answered.values(), key=_ts)
        object.__setattr__(self, "_in_time", tuple(in_time))
        object.__setattr__(
            self, "labels", frozenset([key for key in self.answered if key.startswith("label:")])
        )

    def since(self, ts: int) -> tuple[Answered, ...]:
        """Answers from this time (ms) on, the oldest first."""
        return self._in_time[bisect_left(self._in_time, ts, key=_ts) :]

    def newest(self, kind: str) -> Answered | None:
        """The last answer to a `comment` or `label`."""
        return next((each for each in reversed(self._in_time) if each.key.startswith(f"{kind}:")), None)

    def ref(self, key: str) -> int | None:
        """The number that the effect left; None while it is not known."""
        effect = self.effects.get(key)
        return effect.seen.ref if effect is not None and effect.seen is not None else None


def _ts(answered: Answered) -> int:
    return answered.ts


@dataclass(slots=True)
class LedgerBuilder:
    """Keys are unique over the whole log, whichever issue a fact stands on."""

    issue: str | None = None
    answered: dict[str, Answered] = field(default_factory=dict)
    effects: dict[str, Effect] = field(default_factory=dict)

    def apply(self, fact: Fact) -> None:
        """One fact; any but these is no concern of the ledger."""
        match fact:
            case LedgerOpened():
                self.issue = self.issue or fact.issue
            case Answered():
                self.answered.setdefault(fact.key, fact)
            case EffectIntended():
                self._intended(fact)
            case EffectSeen():
                known = self.effects.get(fact.key)
                if known is not None and known.seen is None:
                    self.effects[fact.key] = replace(known, seen=fact)
            case _:
                pass

    def _intended(self, fact: EffectIntended) -> None:
        """A later intent takes over; what was seen of an earlier one stays."""
        known = self.effects.get(fact.key)
        if known is None or known.seen is None:
            self.effects[fact.key] = Effect(fact)

    def build(self) -> Ledger:
        return Ledger(self.issue, MappingProxyType(dict(self.answered)), MappingProxyType(dict(self.effects)))
