"""Signatures of deliveries.

https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable

__all__ = ["Check", "sign"]

_PREFIX = "sha256="


def sign(secret: bytes, body: bytes) -> str:
    """What `X-Hub-Signature-256` holds for this body."""
    return _PREFIX + hmac.new(secret, body, hashlib.sha256).hexdigest()


class Check:
    """The signature over a body that comes in parts, for each secret while two are in use."""

    def __init__(self, secrets: Iterable[bytes]) -> None:
        self._sums = [hmac.new(each, digestmod=hashlib.sha256) for each in secrets]

    def feed(self, part: bytes) -> None:
        for each in self._sums:
            each.update(part)

    def holds(self, signature: bytes) -> bool:
        """In the same time whether the first letter or the last is wrong, and whichever secret it is."""
        right = [hmac.compare_digest((_PREFIX + each.hexdigest()).encode(), signature) for each in self._sums]
        return any(right)
