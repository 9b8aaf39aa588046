"""What people call things: numbers, short ids, slugs, first letters of issue ids; found on the board."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from app.board import Board, Convoy, Session, Task
from app.errors import UserError
from app.values import dataclass

__all__ = ["FoundSession", "FoundTask", "find_convoy", "find_session", "find_task"]

_SHORTEST_PREFIX = 4
"""Of an issue or session id; fewer letters name too much by accident."""


@dataclass(frozen=True, slots=True)
class FoundTask:
    """A task with the convoy it belongs to."""

    convoy: Convoy
    task: Task

    @property
    def name(self) -> str:
        """Unambiguous and short: `auth-jwt/3`."""
        return f"{self.convoy.slug}/{self.task.number}"


@dataclass(frozen=True, slots=True)
class FoundSession:
    """A session with its convoy; a planning session has no task."""

    convoy: Convoy
    task: Task | None
    session: Session


def find_convoy(board: Board, name: str | None = None) -> Convoy:
    """The convoy of this slug, short id or issue id prefix; without a name the only open one.

    Raises UserError that lists the candidates, or the nearest names when there is none.
    """
    if name is None:
        return _only_open(board)
    by_slug = [each for each in board.convoys if each.slug == name]
    found = by_slug or [each for each in board.convoys if _is(name, each.id, each.issue)]
    if len(found) == 1:
        return found[0]
    if found:
        raise _ambiguous("convoy", name, [f"{each.slug} ({each.id}, {each.status})" for each in found])
    known = [each.slug for each in board.convoys]
    raise _unknown("convoy", name, known, listing="brat convoy list")


def find_task(board: Board, name: str, *, convoy: str | None = None) -> FoundTask:
    """The task of this number (`3`, `task-3`, `auth-jwt/3`), short id, plan id or issue id prefix.

    A name that fits several convoys means the open one. Raises UserError as `find_convoy` does.
    """
    slug, slash, rest = name.rpartition("/")
    if slash:
        convoy, name = slug.removeprefix("convoy/"), rest
    where = [find_convoy(board, convoy)] if convoy is not None else list(board.convoys)
    everywhere = [FoundTask(each, task) for each in where for task in each.tasks]
    found = _tasks_called(name, everywhere)
    if len(found) > 1:
        found = [each for each in found if not each.convoy.status.final] or found
    if len(found) == 1:
        return found[0]
    if found:
        listed = [f"{each.name} ({each.task.id}, {each.task.title})" for each in found]
        raise _ambiguous("task", name, listed, remedy="say which convoy with --convoy SLUG")
    known = [each.name for each in everywhere] + [each.task.id for each in everywhere]
    known += [each.task.spec.id for each in everywhere]
    raise _unknown("task", name, known, listing="brat task list")


def find_session(board: Board, name: str) -> FoundSession:
    """The session of this id or its prefix; the name of a task means that task's newest session."""
    everywhere = [
        FoundSession(convoy, task, session)
        for convoy in board.convoys
        for task, sessions in ((None, convoy.sessions), *((each, each.sessions) for each in convoy.tasks))
        for session in sessions
    ]
    found = [each for each in everywhere if each.session.id == name] or [
        each for each in everywhere if _is(name, each.session.id, each.session.id)
    ]
    if len(found) > 1:
        raise _ambiguous("session", name, [_session_line(each) for each in found])
    if found:
        return found[0]
    try:
        owner = find_task(board, name)
    except UserError:
        raise _unknown(
            "session", name, [each.session.id for each in everywhere], listing="brat session list"
        ) from None
    if not owner.task.sessions:
        raise UserError(f"task {owner.name} has had no session yet", remedy=f"brat task show {owner.name}")
    return FoundSession(owner.convoy, owner.task, owner.task.sessions[-1])


def _only_open(board: Board) -> Convoy:
    if len(board.open_convoys) == 1:
        return board.open_convoys[0]
    if not board.open_convoys:
        raise UserError(
            "no convoy is open here",
            remedy='brat mayor start --task "...", or name one of `brat convoy list`',
        )
    raise UserError(
        f"{len(board.open_convoys)} convoys are open: {', '.join(each.slug for each in board.open_convoys)}",
        remedy="name one of them",
    )


def _tasks_called(name: str, tasks: Sequence[FoundTask]) -> list[FoundTask]:
    """The first way of naming that finds anything: number, plan id, then ids."""
    number = name.removeprefix("task-").removeprefix("#")
    if number.isdecimal() and (found := [each for each in tasks if each.task.number == int(number)]):
        return found
    if found := [each for each in tasks if each.task.spec.id == name]:
        return found
    return [each for each in tasks if _is(name, each.task.id, each.task.issue)]


def _is(name: str, id: str, issue: str) -> bool:
    """A short id whole, or its last part; an issue id by its first letters."""
    if name == id or ("-" in id and name == id.rpartition("-")[2]):
        return True
    return len(name) >= _SHORTEST_PREFIX and issue.startswith(name.lower())


def _session_line(found: FoundSession) -> str:
    owner = f"task {found.task.number}" if found.task else "the plan"
    return f"{found.session.id} ({found.convoy.slug}, {owner})"


def _ambiguous(kind: str, name: str, candidates: Sequence[str], *, remedy: str = "") -> UserError:
    listed = "\n".join(f"  {each}" for each in candidates)
    return UserError(
        f"{name!r} names {len(candidates)} {kind}s:\n{listed}", remedy=remedy or "say more of its id"
    )


def _unknown(kind: str, name: str, known: Iterable[str], *, listing: str) -> UserError:
    near = get_close_matches(name, list(dict.fromkeys(known)), n=3, cutoff=0.5)
    said = f"; did you mean {' or '.join(near)}?" if near else ""
    return UserError(f"there is no {kind} {name!r}{said}", remedy=listing)
