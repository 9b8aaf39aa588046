"""`installation_repositories`: repositories were added to an installation, or taken out.

https://docs.github.com/en/webhooks/webhook-events-and-payloads#installation_repositories
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.json import Decoder

from app.webhooks.payload import Thing
from app.webhooks.signal import Signal

__all__ = ["installation_repositories"]


class _Payload(Struct, frozen=True):
    installation: Thing


_payload = Decoder(_Payload)


def installation_repositories(body: bytes) -> tuple[Signal, ...]:
    """The whole installation: which repositories it has now is asked, not believed."""
    read = _payload.decode(body)
    return (Signal(None, read.installation.id, "repositories"),)
