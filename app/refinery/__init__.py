"""What is published, merged, checked and landed, and in which order. Pure: one look in, a decision out.

Per finished session: its bundle is inspected (an observation), then published, held for a person, or refused.
Per target one merge at a time: the candidate is built in the object store (an observation), its checks run on
exactly that tree, and the target moves to that very commit by compare-and-swap together with its event.

Worked example: task 2 is `needs-review` and the target stands at A. `wanted` asks for the candidate of its
head on A; `decide` answers `MergeStarted`, in the next round `SessionStarted(purpose="check")`, after a
green check the action `Land(target, A, candidate)`; after a red one `MergeFailed` and `FollowUpWanted`.
"""

from app.refinery.decide import decide, refs_wanted, wanted
from app.refinery.explaining import (
    Asked,
    Explained,
    asked_refs,
    asked_wanted,
    judge_asked,
    open_asked,
    with_pull,
)
from app.refinery.watching import hub_wanted

__all__ = [
    "Asked",
    "Explained",
    "asked_refs",
    "asked_wanted",
    "decide",
    "hub_wanted",
    "judge_asked",
    "open_asked",
    "refs_wanted",
    "wanted",
    "with_pull",
]
