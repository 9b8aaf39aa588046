"""What people should know of the log itself: somebody set it back on the code host."""

from __future__ import annotations

from app.board import Look
from app.desk.asking import NOBODY, Asked, answer
from app.ports import Decision, HubSeen
from app.texts import log_set_back_note

__all__ = ["log_set_back"]


def log_set_back(look: Look, hub: HubSeen) -> Decision:
    """Said once for each time, in the newest issue that people look at: an open convoy's, else the last."""
    if hub.set_back is None:
        return Decision()
    found, ours = hub.set_back.found or "nothing", hub.set_back.ours
    key = f"setback:{found[:12]}-{ours[:12]}"
    asked_for = [each for each in look.board.convoys if each.request is not None]
    convoy = max(asked_for, key=lambda each: (not each.status.final, each.opened_ts), default=None)
    if convoy is None or convoy.request is None or key in look.board.ledger.answered:
        return Decision()
    asked = Asked(key, convoy.request.number, NOBODY, "", look.now)
    note = log_set_back_note(hub.set_back.found, ours)
    return Decision(facts=(answer(asked, convoy.issue, accepted=True, reply=note),))
