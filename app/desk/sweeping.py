"""Branches of a convoy that is over: those whose work landed go, those that people use are left and named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from app.board import Board, Convoy, ConvoyStatus, Look, TaskStatus, convoy_main
from app.desk.untold import to_be_told
from app.ports import DropRefs, HubSeen, PullState
from app.texts import branch_left_note
from app.values import dataclass

__all__ = ["Swept", "refs_wanted", "swept"]

TRIES = 2
"""A host that refused so often does not let us: then the branches stay."""


@dataclass(frozen=True, slots=True)
class Swept:
    """What goes now, and words for what stays. Not `known`: it could not be told yet."""

    drop: DropRefs | None = None
    left: tuple[str, ...] = ()
    known: bool = True


def refs_wanted(board: Board, *, now: int) -> tuple[str, ...]:
    """Branches of convoys that are complete and whose end is not told yet; after that nobody looks again."""
    return tuple(ref for convoy in to_be_told(board, now=now) for ref in _made(convoy))


def swept(look: Look, hub: HubSeen, convoy: Convoy) -> Swept:
    """Only what is where we pushed it, so that nothing of anybody else can be lost, and what no open pull
    request is about. Nothing while open pull requests could not be listed.
    """
    key = f"sweep:{convoy.id}"
    made = _made(convoy)
    there = {ref: look.seen.refs[ref] for ref in made if ref in look.seen.refs}
    if not there or not hub.pulls_listed:
        return Swept(known=not there)
    strange = "somebody pushed to it after that"
    why = {ref: _used(convoy, hub, ref) if tip in made[ref] else strange for ref, tip in there.items()}
    refused = look.seen.refused.get(key)
    if refused is not None and refused.times >= TRIES:
        why = {ref: each or f"it could not be deleted: {refused.reason}" for ref, each in why.items()}
    drop = tuple((ref, tip) for ref, tip in there.items() if not why[ref])
    return Swept(DropRefs(key, drop) if drop else None, tuple(_notes(why)))


def _made(convoy: Convoy) -> dict[str, frozenset[str]]:
    """What we pushed and what landed, by branch: the commits that it may stand at."""
    if convoy.status is not ConvoyStatus.COMPLETE:
        return {}
    landed = [task for task in convoy.tasks if task.status is TaskStatus.MERGED]
    made = {f"refs/heads/{task.work.branch}": frozenset({task.work.head}) for task in landed if task.work}
    if convoy.pull is not None:
        heads = {convoy.pull.head, *(task.merge_commit or "" for task in landed)}
        made[f"refs/heads/{convoy_main(convoy.slug)}"] = frozenset(heads - {""})
    return made


def _used(convoy: Convoy, hub: HubSeen, ref: str) -> str:
    """The open pull request that needs it, in words; empty: none does."""
    branch = ref.removeprefix("refs/heads/")
    merged = (task.pull for task in convoy.tasks if task.status is TaskStatus.MERGED)
    pulls = (convoy.pull, *merged)
    landed = {each.number for each in pulls if each is not None}
    open_ones = (
        each for each in hub.pulls.values() if each.state is PullState.OPEN and each.number not in landed
    )
    used = next((each for each in open_ones if branch in (each.head_branch, each.base_branch)), None)
    return f"pull request {used.number} is open on it" if used is not None else ""


def _notes(why: Mapping[str, str]) -> Iterator[str]:
    for ref, reason in why.items():
        if reason:
            yield branch_left_note(ref.removeprefix("refs/heads/"), reason)
