"""Whether what landed is what was tested."""

from __future__ import annotations

from enum import StrEnum

from app.values import dataclass

__all__ = ["LandedCase", "Landing", "landed_as_tested"]


class LandedCase(StrEnum):
    """`SAME`: fine. `BASE_MOVED`: its own checks are awaited. `OTHER`: the queue is frozen."""

    SAME = "same"
    BASE_MOVED = "base-moved"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Landing:
    """The case, and it in words for a person."""

    case: LandedCase
    words: str


def landed_as_tested(landed_tree: str, tested_tree: str, merge_of_head_tree: str | None) -> Landing:
    """Compares trees. `merge_of_head_tree`: the tested head merged with the landed commit's actual parent.

    None: that merge has conflicts, so that nothing but the tested tree itself is right.
    """
    landed, tested = landed_tree[:10], tested_tree[:10]
    if landed_tree == tested_tree:
        return Landing(LandedCase.SAME, f"the landed tree {landed} is the tested one")
    if landed_tree == merge_of_head_tree:
        return Landing(
            LandedCase.BASE_MOVED,
            f"the base moved between test and landing: {landed} is the tested head merged with it, not the "
            f"tested tree {tested}; the checks of what landed are awaited",
        )
    merged = (
        f"nor the tested head merged with its parent ({merge_of_head_tree[:10]})"
        if merge_of_head_tree
        else ("and the tested head does not merge with its parent")
    )
    return Landing(
        LandedCase.OTHER,
        f"the landed tree {landed} is neither the tested one ({tested}) {merged}: nothing more lands before "
        "a person has looked",
    )
