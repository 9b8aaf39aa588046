"""Sends deliveries as they come up, for a stand-in that is a process of its own."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from tests.fakehub.hub import Hub

__all__ = ["Postman"]


class Postman:
    """A thread that sends what waits, in order; at the end of its context all is sent."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._stopped = False
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *why: object) -> None:
        with self._hub.changed:
            self._stopped = True
            self._hub.changed.notify_all()
        self._thread.join(15)

    def _run(self) -> None:
        while True:
            with self._hub.changed:
                self._hub.changed.wait_for(lambda: self._stopped or self._hub.webhooks.pending)
                if not self._hub.webhooks.pending:
                    return
            self._hub.deliver()
