"""The stand-in with a clock: each request as a line of JSON in the file `BENCH_TIMES`."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

from tests.fakehub.__main__ import main
from tests.fakehub.server import Server

__all__ = ["clocked"]


def clocked(times: Path) -> None:
    """From now on: when each request came in and when its answer was ready, in seconds since the epoch."""
    answer = Server._answer
    lines = times.open("a", buffering=1)

    def timed(self: Server, scope: Any, spooled: Any) -> Any:
        begun = time.time()
        reply = answer(self, scope, spooled)
        lines.write(json.dumps([begun, time.time(), f"{scope['method']} {scope['path']}"]) + "\n")
        return reply

    Server._answer = timed  # type: ignore[method-assign]


if __name__ == "__main__":
    clocked(Path(os.environ["BENCH_TIMES"]))
    main()
