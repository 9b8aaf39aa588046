"""Names of things in the log: lower-case hex, each kind of name a type of its own."""

from __future__ import annotations

import hashlib
import secrets
from typing import NewType

__all__ = [
    "PROJECT_CONTEXT",
    "ActorId",
    "EventId",
    "IssueId",
    "PublicKey",
    "file_context",
    "new_actor",
    "new_issue",
]

ActorId = NewType("ActorId", str)
"""16 bytes, random, once per writer."""

IssueId = NewType("IssueId", str)
"""16 bytes, random, or derived for contexts."""

EventId = NewType("EventId", str)
"""32 bytes: BLAKE2b of what the event says."""

PublicKey = NewType("PublicKey", str)
"""32 bytes of an Ed25519 public key."""

PROJECT_CONTEXT = IssueId("ff" * 16)
"""The issue that carries the project's keys and values."""


def file_context(path: str) -> IssueId:
    """The issue that carries what is known about one file: BLAKE2b with a digest of 16 bytes."""
    return IssueId(hashlib.blake2b(b"grite:context:file:" + path.encode(), digest_size=16).hexdigest())


def new_actor() -> ActorId:
    """A fresh random writer."""
    return ActorId(secrets.token_hex(16))


def new_issue() -> IssueId:
    """A fresh random issue."""
    return IssueId(secrets.token_hex(16))
