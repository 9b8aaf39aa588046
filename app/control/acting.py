"""Actions carried out. Each is guarded by what it leaves, so an action lost or repeated does no harm."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from app.board import Board, record
from app.errors import Later, Moved
from app.grite import WAL, Log
from app.ports import (
    Action,
    Clock,
    Dequeue,
    Dispatch,
    Done,
    DropRefs,
    EditComment,
    Enqueue,
    Fact,
    Forge,
    HubAction,
    Label,
    Land,
    MergePull,
    OpenPull,
    Outcome,
    PostCheck,
    PostComment,
    Publish,
    React,
    RefMove,
    Refused,
    RefusedMove,
    RestoreRef,
    Seen,
    StartSession,
    StopSession,
    TakeOver,
    Unknown,
)
from app.values import dataclass

__all__ = ["Actor", "Refusal"]


SPACING_MS = 5_000
"""Longest wait for the next change to a code host, which asks for a second between two; some are three."""
PATIENCE_MS = 15_000
"""A pass may not take longer than thirty seconds; half of them may be such waits."""
_HERE = (StartSession, StopSession, RestoreRef, DropRefs, TakeOver)


@dataclass(frozen=True, slots=True)
class Refusal:
    """An action that was not done, in words for a person. `about`: a ref, `#number`, or a session's id."""

    action: str
    reason: str
    remedy: str = ""
    about: str = ""


class Actor:
    """Carries actions out one by one; `moved` says whether anything changed the last time.

    `refused` holds, by ref, what could not be moved, until it can: the next look shows it to the rules.
    `unsure` has the reason where the last answer left open whether it was.
    `acts` are the actions of the last time by name, each with how it ended: done, refused or unknown;
    `facts` went into the log with a push of theirs.
    """

    def __init__(
        self, log: Log, forge: Forge, dispatch: Dispatch, *, clock: Clock, pause: Callable[[float], None]
    ) -> None:
        self._log, self._forge, self._dispatch, self._clock = log, forge, dispatch, clock
        self._pause, self._waited = pause, 0
        self.refused: dict[str, RefusedMove] = {}
        self.unsure: dict[str, str] = {}
        self.acts: list[tuple[str, str]] = []
        self.facts: list[Fact] = []
        self.moved = False

    def act(self, board: Board, seen: Seen, actions: Iterable[Action]) -> Iterator[Refusal]:
        """Each action, in order. An action that needs the log at `board` fails once another has written."""
        self.moved, self._waited, self.acts, self.facts = False, 0, [], []
        wanted = tuple(actions)
        pushes = tuple(each for each in wanted if isinstance(each, Publish | Land))
        here = tuple(each for each in wanted if isinstance(each, _HERE))
        there = tuple(each for each in wanted if not isinstance(each, (*_HERE, Publish, Land)))
        for action in here:
            yield from self._try(board, seen, action)
        if not self._together(board, pushes):
            for push in pushes:
                yield from self._try(board, seen, push)
        for change in sorted(there, key=_rank):
            yield from self._try(board, seen, change)

    def _together(self, board: Board, pushes: tuple[Publish | Land, ...]) -> bool:
        """All pushes of a pass as one, so that the log moves once. Refused as one, each is tried alone."""
        if len(pushes) < 2 or any(_ref(each) in self.refused for each in pushes):
            return False
        facts = tuple(fact for each in pushes for fact in each.facts)
        try:
            outcome = self._push(board, tuple(_move(each) for each in pushes), facts)
        except Moved:
            self.moved = True
            return True
        if not isinstance(outcome, Done):
            return False
        self.moved = True
        self.acts += [(type(each).__name__, "done") for each in pushes]
        return True

    def _try(self, board: Board, seen: Seen, action: Action) -> Iterator[Refusal]:
        try:
            outcome = self._one(board, seen, action)
        except Moved:
            self.moved = True
            return
        self._note(action, outcome)
        name = type(action).__name__
        self.acts.append((name, type(outcome).__name__.lower()))
        if isinstance(outcome, Done):
            self.moved = True
        elif isinstance(outcome, Refused):
            yield Refusal(name, outcome.reason, outcome.remedy, _about(action))
        else:
            # The next pass reads back what became of it: refs and sessions are looked at anew.
            reason = f"not known whether it was done: {outcome.reason}"
            yield Refusal(name, reason, about=_about(action))

    def _note(self, action: Action, outcome: Outcome) -> None:
        ref = _ref(action)
        if ref is None:
            return
        before = self.refused.pop(ref, None)
        self.unsure.pop(ref, None)
        if isinstance(outcome, Unknown):
            self.unsure[ref] = outcome.reason
        if isinstance(outcome, Refused):
            attempt = action.attempt if isinstance(action, Land | MergePull | Enqueue) else ""
            times = before.times + 1 if before and before.attempt == attempt else 1
            self.refused[ref] = RefusedMove(outcome.reason, outcome.remedy, times, outcome.behind, attempt)

    def _one(self, board: Board, seen: Seen, action: Action) -> Outcome:
        match action:
            case StartSession():
                return self._start(action)
            case StopSession():
                return self._dispatch.stop(action.session)
            case Publish() | Land():
                return self._push(board, (_move(action),), action.facts)
            case RestoreRef() | DropRefs():
                return self._forge.push(_alone(action))
            case TakeOver():
                return self._take_over(board, seen, action)
            case _:
                return self._host(action)

    def _host(self, action: HubAction) -> Outcome:
        """A code host wants a second between changes; what has to wait longer waits for another pass."""
        try:
            return self._forge.act(action)
        except Later as later:
            wait = max(0, later.retry_at - self._clock())
            if wait > SPACING_MS or self._waited + wait > PATIENCE_MS:
                raise
            self._waited += wait
            self._pause(wait / 1000)
        return self._forge.act(action)

    def _start(self, action: StartSession) -> Outcome:
        spec = action.spec
        lent = self._forge.lend((spec.base, spec.carry) if spec.carry else (spec.base,))
        return self._dispatch.start(spec) if isinstance(lent, Done) else lent

    def _push(self, board: Board, moves: tuple[RefMove, ...], facts: tuple[Fact, ...]) -> Outcome:
        """The branches and the log commit that says so, in one push under the log's lock."""
        with self._log.writing(board.head) as turn:
            prepared = turn.prepare(record(board, facts, now=self._clock()))
            # At its new value already: pushed by a process that died before the log moved.
            due = tuple(move for move in moves if move.old != move.new)
            outcome = self._forge.push((*due, RefMove(WAL, prepared.old, prepared.new)))
            if isinstance(outcome, Done):
                turn.landed(prepared)
                self.facts += facts
            return outcome

    def _take_over(self, board: Board, seen: Seen, action: TakeOver) -> Outcome:
        checkout = seen.checkouts.get(action.branch)
        move = RefMove(f"refs/heads/{action.branch}", action.old, action.new)
        with self._log.writing(board.head) as turn:
            prepared = turn.prepare(record(board, action.facts, now=self._clock()))
            outcome = self._forge.take_over(checkout, move, RefMove(WAL, prepared.old, prepared.new))
            if isinstance(outcome, Done):
                self.facts += action.facts
            return outcome


def _rank(action: Action) -> int:
    """What lands goes first, what talks last: a limit that is reached cuts off the rest of the pass.

    The check run of a head comes before its merge: after it nobody would look at that head again.
    """
    if isinstance(action, MergePull | Enqueue | Dequeue | PostCheck):
        return 0
    return 2 if isinstance(action, PostComment | EditComment | React | Label) else 1


def _move(action: Publish | Land) -> RefMove:
    """The ref's move; a task's branch may be replaced by later work on it."""
    if isinstance(action, Land):
        return RefMove(action.ref, action.old, action.new)
    return RefMove(action.branch, action.old, action.work.head, force=action.old is not None)


def _alone(action: RestoreRef | DropRefs) -> tuple[RefMove, ...]:
    """Moves that the log says nothing of."""
    if isinstance(action, RestoreRef):
        return (RefMove(action.ref, action.old, action.new),)
    return tuple(RefMove(ref, old, "", force=True) for ref, old in action.refs)


def _ref(action: Action) -> str | None:
    """The ref that the action would move, the pull request, or the action's key."""
    match action:
        case Publish():
            return action.branch
        case Land() | RestoreRef():
            return action.ref
        case DropRefs():
            return action.key
        case TakeOver():
            return f"refs/heads/{action.branch}"
        case OpenPull() | MergePull() | Enqueue() | Dequeue():
            kind = "queue" if isinstance(action, Dequeue) else "pull"
            return f"{kind}:{action.head if isinstance(action, OpenPull) else action.number}"
    return None


def _about(action: Action) -> str:
    """What an operator who reads of it would look for."""
    match action:
        case StartSession():
            return action.spec.id
        case StopSession():
            return action.session
        case OpenPull():
            return f"refs/heads/{action.head}"
    number = getattr(action, "number", None)
    return f"#{number}" if number else _ref(action) or ""
