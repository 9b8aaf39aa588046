"""Whether a freeze window is open, and until when."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import islice

from cronsim import CronSim

from app.config import Freeze, FreezeCron, FreezeSpan, zone_of

__all__ = ["frozen_until"]

_WINDOWS = 400
"""Windows that follow each other without a gap and are joined; the end is looked at again anyway."""


def frozen_until(freeze: Freeze, now: int) -> int | None:
    """The end of the window that is open at `now`, both in ms since the epoch; None: none is open."""
    if isinstance(freeze, FreezeSpan):
        return freeze.end_ts if freeze.start_ts <= now < freeze.end_ts else None
    return _cron_until(freeze, now)


def _cron_until(freeze: FreezeCron, now: int) -> int | None:
    # Going back starts before the given moment: one second more finds a window that opens right now.
    moment = datetime.fromtimestamp(now // 1000, zone_of(freeze.timezone)) + timedelta(seconds=1)
    start = next(CronSim(freeze.cron, moment, reverse=True), None)
    if start is None:
        return None
    end = _ts(start) + freeze.duration_ms
    if now >= end:
        return None
    for later in islice(CronSim(freeze.cron, moment), _WINDOWS):
        if _ts(later) > end:
            break
        end = _ts(later) + freeze.duration_ms
    return end


def _ts(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)
