"""Effects that nothing on the other side guards: the intent goes into the log first, then its owner acts.

Worked example: a comment with the key `sticky:c-1` is wanted. `step` answers `EffectIntended` by this
process; in the next round the log holds it and `step` answers the action; the process sees what it left
(`HubSeen.done`), and `step` answers `EffectSeen`. Had the process died in between, another one looks for
the key after the deadline, and only if it is nowhere takes the intent over.
"""

from __future__ import annotations

from app.board.look import Look
from app.ports import Decision, EffectIntended, EffectSeen, HubAction
from app.values import dataclass

__all__ = ["EFFECT_MS", "Effort", "step"]

EFFECT_MS = 120_000
"""Longer than any single call to a code host, its answer included, and any lag of its lists."""


@dataclass(frozen=True, slots=True)
class Effort:
    """What shall be done once. `found` is what it left, where this look shows it on our own App's objects.

    It is wanted only in a look that has read the place where it would be found.
    """

    issue: str
    key: str
    action: HubAction
    found: int | None = None


def step(look: Look, effort: Effort) -> Decision:
    """The next step towards the effect; nothing once the log knows what it left."""
    known = look.board.ledger.effects.get(effort.key)
    if known is not None and known.seen is not None:
        return Decision()
    hub = look.seen.hub
    done = hub.done.get(effort.key) if hub is not None else None
    left = done if done is not None else effort.found
    intent = EffectIntended(effort.issue, effort.key, look.setting.process, look.now + EFFECT_MS)
    if left is not None:
        seen = EffectSeen(effort.issue, effort.key, left)
        return Decision(facts=(seen,) if known is not None else (intent, seen))
    if known is None or look.now > known.intended.deadline_ts:
        return Decision(facts=(intent,))
    tried = hub is not None and effort.key in hub.tried
    mine = known.intended.owner == look.setting.process
    return Decision(actions=(effort.action,)) if mine and not tried else Decision()
