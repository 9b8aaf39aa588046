"""`installation_repositories`: repositories were added to an installation, or taken out.

https://docs.github.com/en/webhooks/webhook-events-and-payloads#installation_repositories
"""

from __future__ import annotations

from app.webhooks.payload import Model, Thing
from app.webhooks.signal import Signal

__all__ = ["installation_repositories"]


class _Payload(Model):
    installation: Thing


def installation_repositories(body: bytes) -> tuple[Signal, ...]:
    """The whole installation: which repositories it has now is asked, not believed."""
    read = _Payload.model_validate_json(body)
    return (Signal(None, read.installation.id, "repositories"),)
