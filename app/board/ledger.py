"""What was said to people and done once, by key; gathered while the log is folded."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import field, replace
from types import MappingProxyType

from app.ports import Answered, EffectIntended, EffectSeen, Fact, LedgerOpened
from app.values import dataclass

__all__ = ["SHOWN", "Effect", "Ledger", "LedgerBuilder", "may_speak", "talk_of"]

SHOWN = frozenset({"help", "logs", "plan", "status"})
"""Commands that are answered by showing: the words are made when they are said, and stay out of the log."""

_SHOWN = tuple(f"/brat {name}" for name in sorted(SHOWN))


@dataclass(frozen=True, slots=True)
class Effect:
    """Something without a guard of its own: who may do it until when, and what it left."""

    intended: EffectIntended
    seen: EffectSeen | None = None


@dataclass(frozen=True, slots=True)
class Ledger:
    """What was said to people and done once, by key. No `issue`: nothing of it is in the log yet.

    Looks ask for what is not done, so that is not searched for: `begun` are effects of which it is not known
    what they left, `handled` the keys of labels and of comments whose last command is answered, `unsaid` the
    answers to what may still get a reply or a reaction, the oldest first. `newest` is the last answer to a
    `comment` and to a `label`, `labelled` the newest label event by the convoy that it was accepted for.
    `told` are the short ids of convoys whose end was seen done.
    """

    issue: str | None = None
    answered: Mapping[str, Answered] = field(default_factory=lambda: MappingProxyType({}))
    effects: Mapping[str, Effect] = field(default_factory=lambda: MappingProxyType({}))
    begun: Mapping[str, Effect] = field(default_factory=lambda: MappingProxyType({}), repr=False)
    handled: frozenset[str] = field(default=frozenset(), repr=False)
    unsaid: tuple[Answered, ...] = field(default=(), repr=False)
    newest: Mapping[str, Answered] = field(default_factory=lambda: MappingProxyType({}), repr=False)
    labelled: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}), repr=False)
    told: frozenset[str] = field(default=frozenset(), repr=False)

    def unsaid_since(self, ts: int) -> tuple[Answered, ...]:
        """Those from this time (ms) on."""
        return self.unsaid[bisect_left(self.unsaid, ts, key=_ts) :]

    def ref(self, key: str) -> int | None:
        """The number that the effect left; None while it is not known."""
        effect = self.effects.get(key)
        return effect.seen.ref if effect is not None and effect.seen is not None else None


def _ts(answered: Answered) -> int:
    return answered.ts


def talk_of(key: str) -> str:
    """The comment or label that is answered: `comment:7` of its first command `comment:7:0`."""
    return key if key.count(":") < 2 else ":".join(key.split(":")[:2])


def may_speak(answered: Answered) -> bool:
    """Whether something may be said to it: words of the log, or what is shown when they are said."""
    return bool(answered.reply) or (answered.accepted and answered.text.startswith(_SHOWN))


@dataclass(slots=True)
class LedgerBuilder:
    """Keys are unique over the whole log, whichever issue a fact stands on.

    A fact costs what it is about: an answer or an effect changes what is unsaid of its own comment alone.
    """

    issue: str | None = None
    answered: dict[str, Answered] = field(default_factory=dict)
    effects: dict[str, Effect] = field(default_factory=dict)
    begun: dict[str, Effect] = field(default_factory=dict)
    handled: set[str] = field(default_factory=set)
    newest: dict[str, Answered] = field(default_factory=dict)
    labelled: dict[str, int] = field(default_factory=dict)
    told: set[str] = field(default_factory=set)
    _turn: dict[str, int] = field(default_factory=dict)
    _talks: dict[str, list[Answered]] = field(default_factory=dict)
    _open: dict[str, list[Answered]] = field(default_factory=dict)

    def apply(self, fact: Fact) -> None:
        """One fact; any but these is no concern of the ledger."""
        match fact:
            case LedgerOpened():
                self.issue = self.issue or fact.issue
            case Answered():
                self._answered(fact)
            case EffectIntended():
                self._intended(fact)
            case EffectSeen():
                self._seen(fact)
            case _:
                pass

    def _answered(self, fact: Answered) -> None:
        if fact.key in self.answered:
            return
        self._turn[fact.key] = len(self.answered)
        self.answered[fact.key] = fact
        kind, named, number = fact.key.partition(":")
        if named:
            self._heard(fact, kind, number)
        talk = talk_of(fact.key)
        self._talks.setdefault(talk, []).append(fact)
        self._weigh(talk)

    def _heard(self, fact: Answered, kind: str, number: str) -> None:
        known = self.newest.get(kind)
        self.newest[kind] = known if known is not None and known.ts > fact.ts else fact
        if kind == "label" or (kind == "comment" and ":" not in number):
            self.handled.add(fact.key)
        if kind == "label" and fact.accepted and number.isdecimal():
            self.labelled[fact.issue] = max(int(number), self.labelled.get(fact.issue, 0))

    def _intended(self, fact: EffectIntended) -> None:
        """A later intent takes over; what was seen of an earlier one stays."""
        known = self.effects.get(fact.key)
        if known is None or known.seen is None:
            self.effects[fact.key] = self.begun[fact.key] = Effect(fact)

    def _seen(self, fact: EffectSeen) -> None:
        known = self.begun.pop(fact.key, None)
        if known is None:
            return
        self.effects[fact.key] = replace(known, seen=fact)
        what, _, about = fact.key.partition(":")
        if what in ("reply", "react"):
            self._weigh(about)
        elif what == "told":
            self.told.add(about)

    def _weigh(self, talk: str) -> None:
        """Whether something of it is still to be said. It is answered when its last command is."""
        parts = self._talks.get(talk, [])
        reply = any(may_speak(each) for each in parts) and not self._known(f"reply:{talk}")
        react = talk.startswith("comment:") and any(each.text for each in parts)
        if talk in self.answered and (reply or (react and not self._known(f"react:{talk}"))):
            self._open[talk] = parts
        else:
            self._open.pop(talk, None)

    def _known(self, key: str) -> bool:
        return key in self.effects and key not in self.begun

    def build(self) -> Ledger:
        unsaid = [each for parts in self._open.values() for each in parts]
        return Ledger(
            issue=self.issue,
            answered=MappingProxyType(dict(self.answered)),
            effects=MappingProxyType(dict(self.effects)),
            begun=MappingProxyType(dict(self.begun)),
            handled=frozenset(self.handled),
            unsaid=tuple(sorted(unsaid, key=lambda each: (each.ts, self._turn[each.key]))),
            newest=MappingProxyType(dict(self.newest)),
            labelled=MappingProxyType(dict(self.labelled)),
            told=frozenset(self.told),
        )
