"""Signatures of deliveries.

https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable

__all__ = ["holds", "sign"]

_PREFIX = "sha256="


def sign(secret: bytes, body: bytes) -> str:
    """What `X-Hub-Signature-256` holds for this body."""
    return _PREFIX + hmac.digest(secret, body, "sha256").hex()


def holds(signature: bytes, body: bytes, *, secrets: Iterable[bytes]) -> bool:
    """Whether one of the secrets made it, in the same time whichever it is and wherever a letter is wrong."""
    right = [hmac.compare_digest(sign(each, body).encode(), signature) for each in secrets]
    return any(right)
