"""Pull requests of work that nobody waits for any more: closed once, with a word why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from app.board import Board, Convoy, Effort, Look, Task, commented, convoy_branch, step
from app.ports import ClosePull, Decision, HubSeen, PullEnded, PullSeen, PullState
from app.texts import left_behind_note

__all__ = ["close_left", "closing_wanted"]

_CLOSE = "close:"


def close_left(look: Look) -> Decision:
    """Of dropped tasks, and of all that has not landed where a convoy was cancelled or failed.

    A person who reopens one is not fought: the log knows that it was closed.
    """
    hub = look.seen.hub
    assert hub is not None
    about: dict[int | str, None] = {}
    for each in hub.pulls.values():
        about |= dict.fromkeys((each.number, each.head_branch)) if each.ours else {}
    decision = Decision()
    for convoy, task in _left(look.board, about):
        pull = _pull(convoy, task, hub)
        if pull is not None:
            decision += _close(convoy, task, pull, look=look)
    return decision


def closing_wanted(board: Board) -> tuple[int, ...]:
    """Pull requests that were to be closed, as long as the log does not know that they are."""
    begun = board.ledger.begun
    asked = (key.removeprefix(_CLOSE) for key in begun if key.startswith(_CLOSE))
    about = [int(each) for each in asked if each.isdecimal()]
    found = (_opened(convoy, task) for convoy, task in _left(board, about))
    return tuple(number for number in found if number and _key(number) in begun)


def _left(board: Board, about: Iterable[int | str]) -> Iterator[tuple[Convoy, Task | None]]:
    """Tasks, and with none the convoy itself, whose pull request has no use any more: of the convoys that
    these numbers and branches are about."""
    found = {each.issue: each for key in about for each in board.given_up.get(key, ())}
    for convoy in sorted(found.values(), key=lambda each: (each.opened_ts, each.issue)):
        yield from ((convoy, task) for task in convoy.given_up)


def _opened(convoy: Convoy, task: Task | None) -> int:
    opened = task.pull if task is not None else convoy.pull
    return opened.number if opened is not None else 0


def _ended(convoy: Convoy, task: Task | None) -> PullEnded | None:
    return task.pull_ended if task is not None else convoy.pull_ended


def _pull(convoy: Convoy, task: Task | None, hub: HubSeen) -> PullSeen | None:
    """Ours, by its number, or by its branch where it was opened a moment before all ended."""
    pull = hub.pulls.get(_opened(convoy, task)) or hub.pull_of(convoy_branch(convoy, task))
    ended = _ended(convoy, task)
    if pull is None or not pull.ours or (ended is not None and pull.number <= ended.number):
        # Closed by a person before; open again, it is theirs.
        return None
    return pull


def _key(number: int) -> str:
    return f"{_CLOSE}{number}"


def _close(convoy: Convoy, task: Task | None, pull: PullSeen, *, look: Look) -> Decision:
    """The word first: after the closing nobody would look here again."""
    issue = task.issue if task is not None else convoy.issue
    close = Effort(issue, _key(pull.number), ClosePull(pull.number, _key(pull.number)))
    if pull.state is not PullState.OPEN:
        known = look.board.ledger.effects.get(close.key)
        return Decision() if known is None else step(look, Effort(issue, close.key, close.action, 1))
    hub, key = look.seen.hub, f"left:{pull.number}"
    assert hub is not None
    if look.board.ledger.ref(key) is None:
        said = (key, left_behind_note(convoy, task))
        return commented(look, hub, issue, number=pull.number, said=said)
    return step(look, close)
