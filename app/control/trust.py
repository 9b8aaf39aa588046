"""Whose decisions count: events signed by a key that is pinned beside the log, never in it."""

from __future__ import annotations

import json
import os
from pathlib import Path

from app.errors import OperatorError
from app.grite import ActorId, Event, EventId, History, Identity, PublicKey, announced_keys, verify
from app.ports import Step, unnumbered

__all__ = ["PinnedTrust", "Pins"]


class PinnedTrust:
    """Answers for each event whether a pinned key signed it; checked once per event."""

    def __init__(self, keys: dict[ActorId, PublicKey]) -> None:
        self.keys = keys
        self._known: dict[EventId, bool] = {}

    def __call__(self, event: Event) -> bool:
        known = self._known.get(event.id)
        if known is None:
            key = self.keys.get(event.actor)
            known = self._known[event.id] = key is not None and verify(event, key)
        return known


class Pins:
    """`pins.json` of a clone: actor → public key. A clone that never decided anything has none."""

    def __init__(self, path: Path, step: Step = unnumbered) -> None:
        self._path = path
        self._step = step

    def load(self) -> dict[ActorId, PublicKey]:
        """The pinned keys. Raises OperatorError when the file cannot be read as such."""
        try:
            saved = json.loads(self._path.read_text())
            return {ActorId(actor): PublicKey(str(key)) for actor, key in saved.items()}
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, AttributeError) as reason:
            raise OperatorError(
                f"the pinned keys cannot be read: {reason}",
                place=str(self._path),
                remedy="restore the file, or remove it and pin again with `brat log --pin ACTOR`",
            ) from None

    def pin(self, actor: ActorId, key: PublicKey) -> None:
        """From now on this key's decisions count here."""
        keys = self.load()
        if keys.get(actor) == key:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        with fresh.open("w") as file:
            json.dump({**keys, actor: key}, file, indent=1, sort_keys=True)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
        with self._step("log.pins"):
            fresh.rename(self._path)

    def own(self, identity: Identity) -> dict[ActorId, PublicKey]:
        """The pinned keys with this clone's own, which is pinned by being made here."""
        self.pin(identity.actor, identity.public_key)
        return self.load()

    def trust(self, history: History) -> tuple[PinnedTrust, bool]:
        """The trust to fold with, and whether it is pinned.

        Without a pin the self-announced keys are taken, good for showing the state and never for deciding.
        """
        keys = self.load()
        if keys:
            return PinnedTrust(keys), True
        return PinnedTrust(announced_keys(history.events)), False
