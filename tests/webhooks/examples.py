"""GitHub's published example payloads, all of them, by event."""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["Payload", "examples", "known_examples"]

Payload = dict[str, Any]


@cache
def examples() -> tuple[tuple[str, Payload], ...]:
    """Event and payload of each."""
    packed = gzip.decompress((Path(__file__).parent / "examples.json.gz").read_bytes())
    told: dict[str, list[Payload]] = json.loads(packed)["examples"]
    return tuple((event, payload) for event, payloads in told.items() for payload in payloads)


def known_examples() -> tuple[tuple[str, Payload], ...]:
    """Those of events that are read."""
    from app.webhooks import EVENTS

    return tuple(each for each in examples() if each[0] in EVENTS)
