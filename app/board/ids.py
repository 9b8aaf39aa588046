"""Names: short ids for people, issue ids for identity, branches.

All derived, so a repeated decision repeats them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime

__all__ = ["convoy_main", "derived_issue", "short_id", "task_branch"]


def short_id(prefix: str, seed: str, *, now: int, taken: Callable[[str], bool]) -> str:
    """`<prefix>-YYYYMMDD-xxxx`, redrawn from the seed while it is taken."""
    day = datetime.fromtimestamp(now / 1000, UTC).strftime("%Y%m%d")
    round = 0
    while True:
        draw = hashlib.blake2b(f"{prefix}:{seed}:{round}".encode(), digest_size=2).hexdigest()
        name = f"{prefix}-{day}-{draw}"
        if not taken(name):
            return name
        round += 1


def derived_issue(*parts: str) -> str:
    """A 16-byte issue id in hex from what makes the issue what it is."""
    return hashlib.blake2b("\0".join(("brat", *parts)).encode(), digest_size=16).hexdigest()


def task_branch(slug: str, number: int) -> str:
    """The branch of a task, without `refs/heads/`."""
    return f"convoy/{slug}/task-{number}"


def convoy_main(slug: str) -> str:
    """The branch that a convoy lands on when it does not land on its base."""
    return f"convoy/{slug}/main"
