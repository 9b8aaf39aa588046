"""The Refinery's part of a pass."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from app.board import (
    Board,
    Convoy,
    ConvoyStatus,
    Look,
    Session,
    Task,
    TaskStatus,
    ended_fact,
    held_work,
    in_turn,
    lost_fact,
    names_in_the_way,
)
from app.ports import (
    Decision,
    DiffKey,
    HubSeen,
    Life,
    Seen,
    SessionSeen,
    StopSession,
    Verdict,
    VerdictState,
    Wanted,
)
from app.refinery.finish import finish, refused_verdict, restore_target
from app.refinery.landing import candidate_key, land_next, next_to_land, strayed_into
from app.refinery.watching import landings_wanted, updates_wanted
from app.refinery.work import branch_ref, hold_verdict, paused_verdicts, publish_work, works_wanted

__all__ = ["decide", "refs_wanted", "wanted"]


def refs_wanted(board: Board) -> tuple[str, ...]:
    """Targets, bases and task branches of open convoys: a first glance, from which the rest follows."""
    return tuple(
        ref
        for convoy in board.open_convoys
        for ref in (
            convoy.target,
            f"refs/heads/{convoy.base}",
            *names_in_the_way(convoy),
            *(branch_ref(convoy, each) for each in convoy.tasks),
        )
    )


def wanted(
    board: Board,
    sessions: Mapping[str, SessionSeen],
    refs: Mapping[str, str],
    *,
    hub: HubSeen | None = None,
) -> Wanted:
    """What the Refinery has to look at, given the sessions, refs and code host as seen a moment ago."""
    total = Wanted()
    for convoy in board.open_convoys:
        total = _join(total, _wanted_of(convoy, sessions, refs))
    if hub is None:
        return total
    total = replace(total, checkouts=(), landings=landings_wanted(board, hub), diffs=_held(board))
    merges = updates_wanted(board, hub, refs)
    if hub.takes_workflows:
        return replace(total, candidates=merges)
    from app.refinery.handing import patches_wanted, rest_wanted

    patches = patches_wanted(board, sessions, refs)
    return replace(total, candidates=(*merges, *rest_wanted(board, sessions, refs)), patches=patches)


def _held(board: Board) -> tuple[DiffKey, ...]:
    """What a person is asked to read before it may be pushed."""
    held = (held_work(task) for convoy in board.open_convoys for task in convoy.tasks)
    return tuple(each for each in held if each is not None)


def _wanted_of(convoy: Convoy, sessions: Mapping[str, SessionSeen], refs: Mapping[str, str]) -> Wanted:
    target = refs.get(convoy.target, convoy.base_commit)
    base = f"refs/heads/{convoy.base}"
    task = next_to_land(convoy)
    commits = [each.commit for task_ in convoy.tasks for each in task_.merges if each.commit]
    contains = [(convoy.target, commit) for commit in commits] + [(base, target)]
    if base in refs:
        contains.append((convoy.target, refs[base]))
    return Wanted(
        works=works_wanted(convoy, sessions),
        candidates=(candidate_key(convoy, task, target),) if task else (),
        contains=tuple(contains),
        checkouts=tuple(_checkouts_wanted(convoy, landing=task is not None)),
    )


def _checkouts_wanted(convoy: Convoy, *, landing: bool) -> Iterator[str]:
    """Branches whose working tree matters now; telling whether one is clean reads all of it."""
    if landing:
        yield convoy.target.removeprefix("refs/heads/")
    if all(task.status.final for task in convoy.tasks):
        yield convoy.base


def _join(one: Wanted, other: Wanted) -> Wanted:
    return Wanted(
        refs=one.refs + other.refs,
        sessions=one.sessions + other.sessions,
        works=one.works + other.works,
        candidates=one.candidates + other.candidates,
        contains=one.contains + other.contains,
        checkouts=one.checkouts + other.checkouts,
    )


def decide(look: Look) -> Decision:
    """Publish finished work, land what is next, end what is done. One merge at a time per target."""
    decision = Decision()
    busy: set[str] = set()
    for convoy in look.board.moving:
        decision += _stale_checks(convoy, look)
    if look.seen.hub is not None:
        # What only a code host needs stays out of every command on a plain repository.
        from app.refinery.hosting import decide_hosted

        return decision + decide_hosted(look)
    for convoy in in_turn(look.board):
        for task in convoy.tasks:
            decision += publish_work(convoy, task, look)
        decision += restore_target(convoy, look.seen)
        if convoy.status is ConvoyStatus.PAUSED:
            decision += Decision(verdicts=tuple(paused_verdicts(convoy)))
            continue
        if convoy.target not in busy:
            decision += land_next(convoy, look.after(decision))
        if next_to_land(convoy) is not None:
            busy.add(convoy.target)
        decision += finish(convoy, look.seen, look.setting)
        decision += Decision(verdicts=tuple(_verdicts(convoy, look.seen)))
    return decision


def _stale_checks(convoy: Convoy, look: Look) -> Decision:
    """Checks of a commit that is not landing any more are stopped and closed."""
    decision = Decision()
    for task in convoy.tasks:
        landing = task.merge is not None and task.merge.result == "running" and not convoy.status.final
        current = task.merge.commit if task.merge and landing else None
        for session in task.sessions:
            if session.open and session.started.purpose == "check" and session.started.commit != current:
                decision += _close(session, look)
    return decision


def _close(session: Session, look: Look) -> Decision:
    view = look.session(session.id)
    if view is not None and view.result is not None:
        return Decision(facts=(ended_fact(session, view.result, minimal=look.setting.minimal),))
    if view is not None and view.life is Life.ALIVE:
        return Decision(actions=(StopSession(session.id, "its commit is not landing any more"),))
    if view is None or (view.life is Life.UNKNOWN and look.now <= session.started.deadline_ts):
        return Decision()
    return Decision(facts=(lost_fact(session, now=look.now, why="not needed any more"),))


def _verdicts(convoy: Convoy, seen: Seen) -> list[Verdict]:
    """Why published or held work is not merged yet."""
    turn = next_to_land(convoy)
    found = []
    for task in convoy.tasks:
        if task.hold is not None and not task.status.final:
            found.append(hold_verdict(task, task.hold))
        elif task.status is TaskStatus.NEEDS_REVIEW and task.follow_up is None:
            refused = seen.refused.get(convoy.target) if task is turn else None
            found.append(
                refused_verdict(task.issue, convoy.target, refused)
                if refused
                else _landing_verdict(convoy, task, turn)
            )
    return found


def _landing_verdict(convoy: Convoy, task: Task, turn: Task | None) -> Verdict:
    if task is turn:
        merge = task.merge
        checking = merge is not None and merge.result == "running"
        because = "its checks run on the merged tree" if checking else "its merge is being built"
        return Verdict(task.issue, "landing", VerdictState.WORKING, because, who="the Refinery")
    other = strayed_into(convoy, task)
    if other is not None:
        because = f"it touched paths of task {other.number}, which is still running and lands first"
    elif turn is not None:
        because = f"task {turn.number} is landing; one merge at a time"
    else:
        because = "its work is being inspected"
    return Verdict(task.issue, "queue", VerdictState.WAITING, because, who="the Refinery")
