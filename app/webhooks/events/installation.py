"""`installation`: the App was installed, suspended, taken away, or given other permissions.

https://docs.github.com/en/webhooks/webhook-events-and-payloads#installation
"""

from __future__ import annotations

from app.webhooks.payload import Model, Thing
from app.webhooks.signal import Signal

__all__ = ["installation"]


class _Payload(Model):
    installation: Thing


def installation(body: bytes) -> tuple[Signal, ...]:
    """The whole installation: which repositories it has now is asked, not believed."""
    read = _Payload.model_validate_json(body)
    return (Signal(None, read.installation.id, "installation"),)
