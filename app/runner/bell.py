"""How runners wake whoever started them: a pipe, so that nobody has to look for results all the time."""

from __future__ import annotations

import os
import select
from contextlib import suppress

__all__ = ["Bell"]


class Bell:
    """One for all sessions of a process. It only saves time: a result is found without it too.

    The pipe outlives nobody: a runner whose starter is gone rings in vain.
    """

    def __init__(self) -> None:
        self._ours, self.rope = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)

    def __del__(self) -> None:
        os.close(self._ours)
        os.close(self.rope)

    def wait(self, seconds: float) -> None:
        """Until it rings, or has rung since the last time."""
        select.select([self._ours], [], [], seconds)
        with suppress(BlockingIOError):
            os.read(self._ours, 4096)
