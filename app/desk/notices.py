"""What only a person can move is said in a comment of its own, once: an edited comment notifies nobody."""

from __future__ import annotations

from collections.abc import Iterator

from app.board import Convoy, Look, Task, TaskStatus, commented, held_work
from app.ports import Decision, HubSeen, Patch
from app.texts import (
    patch_text,
    pull_closed_note,
    release_needed_text,
    voided_note,
)

__all__ = ["notices"]


def notices(look: Look, hub: HubSeen, convoy: Convoy, *, number: int) -> Decision:
    """The next step towards each comment that is due in the issue and was not made yet.

    Each is bound to what happened: a held commit, a pull request, a text of the issue. So there are no more
    of them than attempts and approvals.
    """
    decision = Decision()
    for key, text in _due(look, convoy):
        if look.board.ledger.ref(key) is None:
            decision += commented(look, hub, convoy.issue, number=number, said=(key, text))
    return decision


def _due(look: Look, convoy: Convoy) -> Iterator[tuple[str, str]]:
    if convoy.pull_ended is not None:
        ended = convoy.pull_ended
        yield f"ended:{ended.number}", pull_closed_note(ended.number, ended.by)
    if convoy.status.final:
        return
    if convoy.voided:
        yield f"voided:{convoy.id}:{convoy.approved_digest[:12]}", voided_note(convoy.voided)
    for task in convoy.tasks:
        yield from _about(look, convoy, task)


def _about(look: Look, convoy: Convoy, task: Task) -> Iterator[tuple[str, str]]:
    if task.pull_ended is not None and task.status is TaskStatus.BLOCKED:
        ended = task.pull_ended
        yield f"ended:{ended.number}", pull_closed_note(ended.number, ended.by, task.number)
    if task.hold is not None and task.hold.head is not None and not task.status.final:
        patch = _patch(look, task.hold.head)
        diff = _diff(look, task)
        text = patch_text(task, patch, base=convoy.base) if patch else release_needed_text(task, diff)
        yield f"held:{task.id}:{task.hold.head[:12]}", text


def _diff(look: Look, task: Task) -> str:
    held = held_work(task)
    return look.seen.diffs.get(held, "") if held is not None else ""


def _patch(look: Look, head: str) -> Patch | None:
    """What the base lacks of the held work's workflow files, where the App may not push them."""
    found = (patch for key, patch in look.seen.patches.items() if key.head == head)
    return next((each for each in found if each.paths and not each.there), None)
