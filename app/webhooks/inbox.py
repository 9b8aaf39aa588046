"""Where signals go before a delivery is answered."""

from __future__ import annotations

from typing import Protocol

from app.webhooks.signal import Signal

__all__ = ["Inbox"]


class Inbox(Protocol):
    """Keeps signals until a pass has looked."""

    async def put(self, delivery: str, signals: tuple[Signal, ...]) -> bool:
        """Take the delivery's signals, all or none; False when this delivery was taken before.

        Raises OperatorError when they cannot be kept; the delivery may then come again.
        """
        ...
