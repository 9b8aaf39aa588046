"""What was said to people and done once, by key; gathered while the log is folded."""

from __future__ import annotations

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
    """What was said to people and done once, by key. No `issue`: nothing of it is in the log yet."""

    issue: str | None = None
    answered: Mapping[str, Answered] = field(default_factory=lambda: MappingProxyType({}))
    effects: Mapping[str, Effect] = field(default_factory=lambda: MappingProxyType({}))

    def ref(self, key: str) -> int | None:
        """The number that the effect left; None while it is not known."""
        effect = self.effects.get(key)
        return effect.seen.ref if effect is not None and effect.seen is not None else None


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
