"""Who writes: an actor and its Ed25519 key. The private half never enters an event, a log line or a repr."""

from __future__ import annotations

import json
import os
import secrets
from contextlib import suppress
from dataclasses import field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from app.errors import OperatorError
from app.grite.events import Event, recompute_id
from app.grite.ids import PROJECT_CONTEXT, ActorId, EventId, PublicKey, new_actor
from app.grite.kinds import ProjectContextUpdated
from app.ports import Step, unnumbered
from app.values import dataclass

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

__all__ = ["Identity", "announced_keys", "verify"]


@dataclass(frozen=True, slots=True)
class Identity:
    """A writer that signs; `private_key` is the 32-byte seed."""

    actor: ActorId
    private_key: bytes = field(repr=False)

    @classmethod
    def create(cls) -> Identity:
        """A fresh actor with a fresh key."""
        return cls(new_actor(), secrets.token_bytes(32))

    @classmethod
    def load(cls, path: Path) -> Identity:
        """Reads a saved identity. Raises OperatorError when it is missing, open to others or not one."""
        try:
            if path.stat().st_mode & 0o077:
                raise _unusable(path, "others can read it", f"chmod 600 {path}")
            saved = json.loads(path.read_text())
            actor, seed = bytes.fromhex(saved["actor"]), bytes.fromhex(saved["private_key"])
        except (OSError, ValueError, KeyError, TypeError) as reason:
            raise _unusable(path, type(reason).__name__, "restore it from a backup, or remove it") from None
        if len(actor) != 16 or len(seed) != 32:
            raise _unusable(path, "wrong lengths", "restore it from a backup, or remove it")
        return cls(ActorId(actor.hex()), seed)

    @classmethod
    def ensure(cls, path: Path, *, step: Step = unnumbered) -> Identity:
        """The identity saved at `path`, made if there is none; of several makers at once one wins."""
        if not path.exists():
            cls.create().save(path, step=step)
        return cls.load(path)

    def save(self, path: Path, *, step: Step = unnumbered) -> None:
        """Writes the identity for its owner only; a file that is already there stays."""
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
        content = json.dumps({"actor": self.actor, "private_key": self.private_key.hex()}) + "\n"
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(handle, "w") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        with step("log.identity"), suppress(FileExistsError):
            os.link(fresh, path)
        fresh.unlink()
        folder = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    @property
    def public_key(self) -> PublicKey:
        """What others check signatures with."""
        return PublicKey(_key(self.private_key).public_key().public_bytes_raw().hex())

    def sign(self, event: EventId) -> bytes:
        """64 bytes over the 32 bytes of the event id."""
        return _key(self.private_key).sign(bytes.fromhex(event))

    def announcement(self) -> ProjectContextUpdated:
        """What the first event of a signing actor says: its public key."""
        return ProjectContextUpdated(_key_name(self.actor), self.public_key)


def verify(event: Event, public_key: PublicKey) -> bool:
    """Whether the event is what it says and `public_key` signed exactly that."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    if event.sig is None or recompute_id(event) != event.id:
        return False
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key))
        key.verify(event.sig, bytes.fromhex(event.id))
    except (InvalidSignature, ValueError):
        return False
    return True


def announced_keys(events: tuple[Event, ...]) -> dict[ActorId, PublicKey]:
    """The key that each actor announced for itself first. Good for a check-up, never for a decision:
    whoever can push can announce, so decisions are held against a key that is pinned outside the log."""
    keys: dict[ActorId, PublicKey] = {}
    for event in events:
        kind = event.kind
        if (
            isinstance(kind, ProjectContextUpdated)
            and event.issue == PROJECT_CONTEXT
            and kind.key == _key_name(event.actor)
        ):
            keys.setdefault(event.actor, PublicKey(kind.value))
    return keys


@lru_cache(maxsize=8)
def _key(seed: bytes) -> Ed25519PrivateKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(seed)


def _key_name(actor: ActorId) -> str:
    return f"actor/{actor}/ed25519"


def _unusable(path: Path, reason: str, remedy: str) -> OperatorError:
    return OperatorError(f"identity unusable: {reason}", place=str(path), remedy=remedy)
