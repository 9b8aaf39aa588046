"""SIGTERM and SIGINT: the first ends what runs in order, the second at once."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import Callable

__all__ = ["HARD_EXIT", "on_signals"]

HARD_EXIT = 130

log = logging.getLogger("brat.stop")


def on_signals(stop: Callable[[], None]) -> None:
    """From now on a signal calls `stop`, and a second one leaves without looking back.

    That is safe: whatever was cut off is found again by the next pass.
    """
    asked = False

    def called() -> None:
        nonlocal asked
        if asked:
            os._exit(HARD_EXIT)
        asked = True
        log.info("stops when what runs is done; a second signal ends it at once")
        stop()

    loop = asyncio.get_running_loop()
    for each in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(each, called)
