"""Which sessions start, how they are watched, when they are tried again and when they are given up. Pure.

A task starts when its dependencies are merged and its base holds them, no running task may write the same
paths, the budget holds its cap and a slot is free; the task that most others wait for goes first.

Worked example: a session ended with `acceptance-failed`. `decide` answers `SessionEnded` with the output;
in the next round the task is running without a session, so it is `TaskRequeued` (or `TaskBlocked` at the
cap); in the next, `SessionStarted` with attempt 2, and from that follows `StartSession` with the failure in
its prompt.
"""

from app.witness.decide import decide, wanted

__all__ = ["decide", "wanted"]
