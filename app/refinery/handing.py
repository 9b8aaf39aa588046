"""Work that changes workflow files where the App may not push such: handed over, and the rest goes on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from app.board import Board, Convoy, Look, Session, Task, TaskStatus, cap
from app.ports import (
    CandidateKey,
    Decision,
    HoldPlaced,
    HoldReleased,
    Inspection,
    PatchKey,
    SessionSeen,
    TaskBlocked,
    Verdict,
    VerdictState,
    WorkKey,
)
from app.refinery.landing import message_of
from app.refinery.work import Finished, works_wanted

__all__ = ["handed_over", "patches_wanted", "rest_wanted"]

FOLDER = ".github/workflows/"


def patches_wanted(
    board: Board, sessions: Mapping[str, SessionSeen], refs: Mapping[str, str]
) -> tuple[PatchKey, ...]:
    """Of all work that is not on its branch yet."""
    return tuple(
        PatchKey(key.base, key.head, refs[f"refs/heads/{convoy.base}"])
        for convoy in board.open_convoys
        if f"refs/heads/{convoy.base}" in refs
        for key in works_wanted(convoy, sessions)
    )


def rest_wanted(
    board: Board, sessions: Mapping[str, SessionSeen], refs: Mapping[str, str]
) -> tuple[CandidateKey, ...]:
    """Released work without what the base has by now."""
    return tuple(
        _rest(convoy, task, key, refs=refs)
        for convoy in board.open_convoys
        if f"refs/heads/{convoy.base}" in refs
        for key in works_wanted(convoy, sessions)
        for task in convoy.tasks
        if key.head in task.released
    )


def _rest(convoy: Convoy, task: Task, key: WorkKey, *, refs: Mapping[str, str]) -> CandidateKey:
    """One commit on the base: a branch with a commit that changes workflow files would be refused."""
    base, message = refs[f"refs/heads/{convoy.base}"], message_of(convoy, task, key.session)
    begun = next(each.started_ts for each in task.sessions if each.id == key.session)
    return CandidateKey(base, key.head, key.base, "squash", message, begun)


def handed_over(
    convoy: Convoy, work: Finished, session: Session, *, look: Look
) -> Finished | Decision | None:
    """None: the App may push it as it is. A decision: it waits until a person has put those files into the
    base. Else what is pushed in its place, once that is so and its head is released: the rest of it.
    """
    hub, task, key = look.seen.hub, work.task, work.key
    if hub is None or hub.takes_workflows or not _touches(work):
        return None
    base = look.seen.refs.get(f"refs/heads/{convoy.base}", "")
    patch = look.seen.patches.get(PatchKey(key.base, key.head, base))
    if patch is None:
        because = f"what it changes in {FOLDER} could not be read, and such changes may not be pushed"
        return _waits(task, because, state=VerdictState.WAITING)
    if not patch.paths or task.hold is not None:
        return None
    files = ", ".join(patch.paths[:5]) + (" …" if len(patch.paths) > 5 else "")
    if key.head not in task.released:
        why = f"changes workflow files, which the App may not push: {files}"
        held = HoldPlaced(task.issue, session.id, key.head, cap(why), patch.paths)
        return Decision(facts=(*work.ended, held))
    if not patch.there:
        because = f"it is released, but {convoy.base} does not hold its workflow files yet: {files}"
        return _waits(task, because, unblock=f"apply the patch to {convoy.base}")
    return _rest_of(convoy, work, look)


def _touches(work: Finished) -> bool:
    return any(each.startswith(FOLDER) for each in (*work.inspection.touched, *work.inspection.protected))


def _rest_of(convoy: Convoy, work: Finished, look: Look) -> Finished | Decision:
    """What was released, on the base that has the workflow files; its checks run there."""
    task, key = work.task, work.key
    wanted = _rest(convoy, task, key, refs=look.seen.refs)
    built = look.seen.candidates.get(wanted)
    if built is None:
        return Decision()
    if built.empty:
        because = f"{convoy.base} holds its workflow files, and it changes nothing else"
        return _waits(task, because, unblock=f"/brat drop {task.number}")
    if built.commit is None:
        because = f"{convoy.base} holds its workflow files, and the rest of it conflicts with what is there"
        blocked = TaskBlocked(task.issue, cap(because), f"/brat retry {task.number}")
        return Decision(facts=() if task.status is TaskStatus.BLOCKED else (blocked,))
    touched = tuple(each for each in work.inspection.touched if not each.startswith(FOLDER))
    # Who released the work released this: it is the same, without what a person has put there.
    released = HoldReleased(task.issue, built.commit, f"the release of {key.head[:12]}")
    return Finished(
        task,
        replace(key, base=wanted.base, head=built.commit),
        Inspection(built.commit, touched, commits=1),
        work.ended,
        (released,),
    )


def _waits(
    task: Task, because: str, *, unblock: str = "", state: VerdictState = VerdictState.BLOCKED
) -> Decision:
    verdict = Verdict(task.issue, "workflows", state, because, who="a maintainer", unblock=unblock)
    return Decision(verdicts=(verdict,))
