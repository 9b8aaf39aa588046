"""From a finished session to a published branch: inspected, then held, refused or pushed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from app.board import (
    Claim,
    Convoy,
    Look,
    Session,
    Task,
    TaskStatus,
    cap,
    claim_on,
    ended_fact,
    finished_work,
    paused_because,
    task_branch,
)
from app.globs import matches
from app.ports import (
    Decision,
    Finding,
    HoldPlaced,
    HoldReleased,
    Inspection,
    Life,
    Publish,
    RefusedMove,
    RestoreRef,
    Seen,
    SessionEnded,
    SessionSeen,
    TaskBlocked,
    Verdict,
    VerdictState,
    WorkKey,
    WorkPublished,
)
from app.values import dataclass

__all__ = ["Finished", "branch_ref", "hold_verdict", "paused_verdicts", "publish_work", "works_wanted"]

PATIENCE = 3
"""Refused pushes in a row before the reason enters the log. Work that is done goes on being pushed."""


def branch_ref(convoy: Convoy, task: Task) -> str:
    """The full ref of the task's branch."""
    return f"refs/heads/{task_branch(convoy.slug, task.number)}"


def works_wanted(convoy: Convoy, sessions: Mapping[str, SessionSeen]) -> tuple[WorkKey, ...]:
    """Bundles to inspect: of sessions that ended well and whose work is not on its branch."""
    found = ((task, _unpublished(task, sessions)) for task in convoy.tasks)
    return tuple(_key(convoy, task, pair) for task, pair in found if pair is not None)


def publish_work(convoy: Convoy, task: Task, look: Look) -> Decision:
    """What becomes of work that waits; and a recorded branch that went missing is pushed again."""
    seen = look.seen
    pair = _unpublished(task, seen.sessions)
    if pair is None:
        return _restore(convoy, task, seen)
    session = pair[0]
    key = _key(convoy, task, pair)
    inspection = seen.works.get(key)
    if inspection is None:
        return Decision()
    ended = _ended(session, look)
    if inspection.problems:
        return _refuse(task, ended, inspection)
    return _publishable(convoy, Finished(task, key, inspection, ended), session, look=look)


def _publishable(convoy: Convoy, work: Finished, session: Session, *, look: Look) -> Decision:
    """Acceptable work: held for a person, in somebody's way, or pushed."""
    handed = _handed_over(convoy, work, session, look=look)
    if isinstance(handed, Decision):
        return handed
    if handed is not None:
        return _unclaimed(convoy, handed, look)
    task, inspection, ended, head = work.task, work.inspection, work.ended, work.key.head
    hold = _hold(task, session, inspection) or _ci_hold(convoy, task, session, look=look, head=head)
    if isinstance(hold, Verdict):
        return Decision(verdicts=(hold,))
    if hold is not None:
        placed = () if hold is task.hold else (hold,)
        return Decision(facts=(*ended, *placed))
    return _unclaimed(convoy, work, look)


def _unclaimed(convoy: Convoy, work: Finished, look: Look) -> Decision:
    if claim := claim_on(convoy, work.task, look.seen.refs, head=work.key.head):
        return _claimed(work.task, work.ended, claim)
    return _publish(branch_ref(convoy, work.task), work, look.seen)


def _handed_over(
    convoy: Convoy, work: Finished, session: Session, *, look: Look
) -> Finished | Decision | None:
    if look.seen.hub is None:
        return None
    from app.refinery.handing import handed_over

    return handed_over(convoy, work, session, look=look)


def _ci_hold(
    convoy: Convoy, task: Task, session: Session, *, look: Look, head: str
) -> HoldPlaced | Verdict | None:
    if look.seen.hub is None:
        return None
    from app.refinery.reach import ci_hold

    return ci_hold(convoy, task, session, look=look, head=head)


@dataclass(frozen=True, slots=True)
class Finished:
    """Work that is acceptable, the end of its session where the log does not know it yet, and what else is
    said with its push."""

    task: Task
    key: WorkKey
    inspection: Inspection
    ended: tuple[SessionEnded, ...]
    also: tuple[HoldReleased, ...] = ()


def _unpushable(task: Task, refused: RefusedMove, *, hosted: bool) -> TaskBlocked:
    """Each look tries again. On a code host what helps is done there, and then said here."""
    why = f"its branch cannot be pushed: {refused.reason}"
    if not hosted:
        return TaskBlocked(task.issue, cap(why), refused.remedy or "brat mayor resume")
    told = f"{why}; {refused.remedy}" if refused.remedy else why
    return TaskBlocked(task.issue, cap(told), "/brat merge")


def _publish(ref: str, work: Finished, seen: Seen) -> Decision:
    """Branch and record in one push; a branch that refuses again and again blocks the task."""
    task, key, touched = work.task, work.key, work.inspection.touched
    refused = seen.refused.get(ref)
    # Work that was held is recorded as ended long before its push.
    unsaid = bool(work.ended) or task.status is not TaskStatus.BLOCKED
    if unsaid and refused is not None and refused.times >= PATIENCE:
        return Decision(facts=(*work.ended, _unpushable(task, refused, hosted=seen.hub is not None)))
    globs = task.spec.paths
    strayed = tuple(path for path in touched if globs and not matches(globs, path))
    published = WorkPublished(task.issue, key.session, key.branch, key.head, key.base, touched, strayed)
    return Decision(actions=(Publish(key, ref, seen.refs.get(ref), (*work.ended, published, *work.also)),))


def _claimed(task: Task, ended: tuple[SessionEnded, ...], claim: Claim) -> Decision:
    """Somebody else's branch is not overwritten: the work waits in its bundle until there is room."""
    if ended:
        return Decision(facts=(*ended, TaskBlocked(task.issue, cap(claim.because), claim.unblock)))
    who = "whoever made that branch"
    verdict = Verdict(
        task.issue, "branch", VerdictState.BLOCKED, claim.because, who=who, unblock=claim.unblock
    )
    return Decision(verdicts=(verdict,))


def hold_verdict(task: Task, hold: HoldPlaced) -> Verdict:
    """Why held work waits, and the command that releases exactly this head."""
    head = f" --head {hold.head[:12]}" if hold.head else ""
    return Verdict(
        task.issue,
        "hold",
        VerdictState.BLOCKED,
        hold.reason,
        who="a person who may decide on it",
        unblock=f"brat task release {task.id}{head}",
    )


def paused_verdicts(convoy: Convoy) -> list[Verdict]:
    """A paused convoy, and its work that would land."""
    ready = [task for task in convoy.tasks if task.status is TaskStatus.NEEDS_REVIEW and not task.follow_up]
    held = [hold_verdict(task, task.hold) for task in convoy.tasks if task.hold and not task.status.final]
    return held + [
        Verdict(
            issue,
            "paused",
            VerdictState.BLOCKED,
            paused_because(convoy),
            who="a maintainer",
            unblock=f"brat convoy resume {convoy.slug}",
        )
        for issue in (convoy.issue, *(task.issue for task in ready if not task.hold))
    ]


def _unpublished(task: Task, sessions: Mapping[str, SessionSeen]) -> tuple[Session, str] | None:
    """The session whose work waits to be published, and its head; recorded as ended or not."""
    if task.status.final:
        return None
    if (session := task.open_work) is not None:
        view = sessions.get(session.id)
        result = view.result if view is not None and view.life is Life.ENDED else None
        done = result is not None and result.finding is Finding.DONE
        return (session, result.head) if done and result is not None and result.head else None
    session = finished_work(task)
    head = session.ended.head if session is not None and session.ended is not None else None
    return (session, head) if session is not None and head else None


def _key(convoy: Convoy, task: Task, pair: tuple[Session, str]) -> WorkKey:
    session, head = pair
    return WorkKey(session.id, session.started.base, head, task_branch(convoy.slug, task.number))


def _ended(session: Session, look: Look) -> tuple[SessionEnded, ...]:
    """The end of a session that the log does not know yet."""
    view = look.session(session.id)
    if not session.open or view is None or view.result is None:
        return ()
    return (ended_fact(session, view.result, minimal=look.setting.minimal),)


def _refuse(task: Task, ended: tuple[SessionEnded, ...], inspection: Inspection) -> Decision:
    """A bundle that is not acceptable ends its session as refused; the Witness decides what follows."""
    why = "the work was refused: " + "; ".join(inspection.problems)
    if not ended:
        return Decision(facts=(TaskBlocked(task.issue, why[:2000], f"brat task retry {task.id}"),))
    return Decision(
        facts=tuple(replace(each, finding=Finding.REFUSED, evidence=why[:2000]) for each in ended)
    )


def _hold(task: Task, session: Session, inspection: Inspection) -> HoldPlaced | None:
    """The hold that stands between this head and its branch: a person's, or protected paths."""
    if task.hold is not None:
        return task.hold
    if not inspection.protected or inspection.head in task.released:
        return None
    shown = ", ".join(inspection.protected[:5]) + (" …" if len(inspection.protected) > 5 else "")
    return HoldPlaced(
        task.issue, session.id, inspection.head, f"touches protected paths: {shown}", inspection.protected
    )


def _restore(convoy: Convoy, task: Task, seen: Seen) -> Decision:
    """A branch that the log knows and the repository lost is pushed again."""
    ref = branch_ref(convoy, task)
    if task.work is None or task.status is not TaskStatus.NEEDS_REVIEW or ref in seen.refs:
        return Decision()
    if task.pull is not None:
        # It was there when its pull request was opened: somebody deleted it, and may.
        return Decision()
    return Decision(actions=(RestoreRef(ref, None, task.work.head),))
