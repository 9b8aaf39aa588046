"""What the roles decide from one look, each after those before it. Pure."""

from __future__ import annotations

from app import mayor, refinery, witness
from app.board import Look
from app.ports import Decision

__all__ = ["ROLES", "decide"]

ROLES = frozenset({"desk", "mayor", "witness", "refinery"})


def decide(look: Look, *, roles: frozenset[str]) -> Decision:
    """All facts, actions and verdicts of one round."""
    decision = Decision()
    if "mayor" in roles:
        decision += mayor.decide(look)
    if "witness" in roles:
        decision += witness.decide(look.after(decision))
    if "refinery" in roles:
        decision += refinery.decide(look.after(decision))
    if "desk" in roles and look.seen.hub is not None:
        # A plain repository has no desk, and no command on it pays for one.
        from app import desk
        from app.control.hosting import start_request

        decision += desk.decide(look, start=start_request, before=decision.facts)
        decision += desk.tell(look, decision.verdicts)
    return decision
