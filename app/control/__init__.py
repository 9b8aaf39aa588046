"""The loop: read the log, look at the world, decide, write what was decided, act, look again.

`Reconciler.run` is one pass and knows no rule; `Loop` runs passes until convoys end or only a person can
help. Worked example: a pass decides `SessionStarted`, appends it by compare-and-swap (a loser reads again),
looks anew, and now finds a started session that this machine knows nothing of: it starts it. Killed in
between, the next process finds the same session in the log and starts it.
"""

from app.control.acting import Refusal
from app.control.deciding import ROLES, decide
from app.control.housekeeping import Due, Housekeeper, Places, due
from app.control.loop import LOOK_AGAIN_S, End, Loop, Stop, settled_end
from app.control.reconcile import Pass, Reconciler, newest
from app.control.trust import PinnedTrust, Pins

__all__ = [
    "LOOK_AGAIN_S",
    "ROLES",
    "Due",
    "End",
    "Housekeeper",
    "Loop",
    "Pass",
    "PinnedTrust",
    "Pins",
    "Places",
    "Reconciler",
    "Refusal",
    "Stop",
    "decide",
    "due",
    "newest",
    "settled_end",
]
