"""Packing of the repositories that are ours: mirror and replica grow by small objects with every session."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from app.errors import OperatorError
from app.workspace.git import DURABLE, Git, Overflow

__all__ = ["in_time", "pack"]

# git's own numbers (6700, 50) are for a person's repository; here each session leaves a few objects.
PACKING = ("gc.auto=2000", "gc.autoPackLimit=40", "gc.autoDetach=false")
# Both would take the locks of refs that others move meanwhile.
REFS_STAY = ("gc.packRefs=false", "gc.reflogExpire=never", "gc.reflogExpireUnreachable=never")


def pack(git: Git, *, refs_stay: bool = False) -> None:
    """Pack once much is loose. What no ref reaches stays for two weeks: somebody may be about to name it.

    `refs_stay`: while others move refs. Raises OperatorError, also where it takes too long.
    """
    settings = (*DURABLE, *PACKING, *(REFS_STAY if refs_stay else ()))
    with in_time(git.place):
        replace(git, config=settings).text("gc", "--auto", "--quiet", "--prune=2.weeks.ago")


@contextmanager
def in_time(place: Path) -> Iterator[None]:
    """What git does with a whole history may be too much for a machine: that is for who runs it."""
    try:
        yield
    except Overflow as over:
        remedy = "a faster disk, or less work for this machine"
        raise OperatorError(str(over), place=str(place), remedy=remedy) from None
