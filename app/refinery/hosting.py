"""The Refinery's part of a pass where branches meet on a code host."""

from __future__ import annotations

from app.board import Convoy, ConvoyStatus, Look, in_turn
from app.ports import Decision
from app.refinery.aftermath import watch_landed
from app.refinery.aside import set_aside
from app.refinery.ending import ensure_target, finish_hosted, land_again
from app.refinery.hosted import in_order, land_hosted
from app.refinery.leaving import close_left
from app.refinery.places import running
from app.refinery.work import hold_verdict, paused_verdicts, publish_work

__all__ = ["decide_hosted"]


def decide_hosted(look: Look) -> Decision:
    """Publish finished work, open, land and close pull requests, end what is done. One merge at a time."""
    decision = Decision()
    again = {each.issue: land_again(each, look) for each in look.board.open_convoys}
    busy = {
        each.target for each in look.board.open_convoys if _landing(each) or again[each.issue] is not None
    }
    for convoy in in_turn(look.board):
        for task in convoy.tasks:
            decision += publish_work(convoy, task, look)
        decision += watch_landed(convoy, look) + set_aside(convoy, look)
        if convoy.status is ConvoyStatus.PAUSED:
            decision += Decision(verdicts=tuple(paused_verdicts(convoy)))
            continue
        missing = again[convoy.issue]
        if missing is not None:
            decision += missing
            continue
        decision += ensure_target(convoy, look)
        # What is being taken back has the turn until it is: only what goes on lands beside it.
        occupied = convoy.target in busy and not any(running(task) for task in in_order(convoy))
        landed, landing = land_hosted(convoy, look, busy=occupied)
        if landing:
            busy.add(convoy.target)
        held = (hold_verdict(task, task.hold) for task in convoy.tasks if task.hold and not task.status.final)
        decision += landed + Decision(verdicts=tuple(held))
        decision += finish_hosted(convoy, look)
    return decision + close_left(look)


def _landing(convoy: Convoy) -> bool:
    return any(running(task) for task in convoy.tasks)
