"""What was said to people and done once, gathered while the log is folded."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import MappingProxyType

from app.board.model import Effect, Ledger
from app.ports import Answered, EffectIntended, EffectSeen, Fact, LedgerOpened

__all__ = ["LedgerBuilder"]


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
