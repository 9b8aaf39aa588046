"""Why something waits, in one tree that status, comment and dashboard render and none of them computes."""

from __future__ import annotations

from enum import StrEnum

from app.values import dataclass

__all__ = ["Verdict", "VerdictState"]


class VerdictState(StrEnum):
    """`WAITING` for time or work, `BLOCKED` on a person, `DONE` for good."""

    WORKING = "working"
    WAITING = "waiting"
    BLOCKED = "blocked"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Verdict:
    """One subject's state: `because` carries the value seen and the value wanted.

    `subject` is a grite issue id. `who` can unblock it with the command `unblock`; `next_look_ts` is in ms
    since the epoch, None when only an event changes it.
    """

    subject: str
    rule: str
    state: VerdictState
    because: str
    who: str = ""
    unblock: str = ""
    next_look_ts: int | None = None
    parts: tuple[Verdict, ...] = ()
