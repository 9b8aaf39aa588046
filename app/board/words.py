"""Numbers with their nouns, as people write them."""

from __future__ import annotations

__all__ = ["counted"]


def counted(number: int, one: str, many: str = "") -> str:
    """`1 task`, `2 tasks`; `many` where it is not `one` with an s."""
    return f"{number} {one if number == 1 else many or one + 's'}"
