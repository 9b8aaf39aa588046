"""A world in values: the rules decide, this carries out what they ask, with failures drawn at random.

No repository and no process, so that many whole convoys can be played through. What it checks is what must
hold in every world; the real ones are in tests/runs.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from random import Random
from types import MappingProxyType

from app import refinery, witness
from app.board import Board, Look, TaskStatus, repairs
from app.config import Config
from app.control import ROLES, decide
from app.ports import (
    Candidate,
    CandidateKey,
    Decision,
    Finding,
    Inspection,
    Land,
    Life,
    Publish,
    RestoreRef,
    Seen,
    SessionResult,
    SessionSeen,
    StartSession,
    StopSession,
    TakeOver,
)
from tests.book import BASE, Book

FAILURES = (Finding.NO_CHANGE, Finding.ACCEPTANCE, Finding.TIMEOUT, Finding.CRASHED, Finding.ENGINE_ERROR)


def a_commit(*parts: object) -> str:
    return hashlib.sha1("\0".join(map(str, parts)).encode()).hexdigest()


@dataclass
class World:
    """Refs with their ancestors, and sessions; `luck` is the chance that a session or a merge goes well."""

    book: Book
    config: Config
    random: Random
    luck: float = 0.7
    refs: dict[str, str] = field(default_factory=lambda: {"refs/heads/main": BASE})
    history: dict[str, frozenset[str]] = field(default_factory=lambda: {BASE: frozenset({BASE})})
    sessions: dict[str, SessionSeen] = field(default_factory=dict)
    most_running: int = 0
    merges: dict[CandidateKey, Candidate] = field(default_factory=dict)

    def run(self, passes: int = 2_000) -> Board:
        """Passes until nothing changes and nothing runs."""
        for _ in range(passes):
            if not self.step():
                return self.book.board()
        raise AssertionError("it never came to rest")

    def step(self) -> bool:
        """One pass; False when the world is at rest."""
        board = self.book.board()
        look = Look(board, self._seen(board), self.config, self.book.look().setting)
        decision = decide(look, roles=ROLES)
        if decision.facts or repairs(board):
            self.book.write(*decision.facts)
            self.book.draft(repairs(self.book.board()))
            return True
        return self._act(decision) or self._progress()

    def _seen(self, board: Board) -> Seen:
        wanted = refinery.wanted(board, self.sessions, self.refs)
        names = (*witness.wanted(board).sessions, *wanted.sessions)
        pairs = {*witness.wanted(board).contains, *wanted.contains}
        return Seen(
            refs=MappingProxyType(dict(self.refs)),
            sessions=MappingProxyType(
                {name: self.sessions.get(name, SessionSeen(Life.ABSENT)) for name in names}
            ),
            works=MappingProxyType({key: Inspection(key.head, ("f",)) for key in wanted.works}),
            candidates=MappingProxyType({key: self._merge(key) for key in wanted.candidates}),
            contains=frozenset(pair for pair in pairs if self._holds(*pair)),
        )

    def _holds(self, ref: str, commit: str) -> bool:
        return commit in self.history.get(self.refs.get(ref, ""), frozenset())

    def _merge(self, key: CandidateKey) -> Candidate:
        if key not in self.merges:
            fine = self.random.random() < self.luck
            built = Candidate(a_commit("merge", key), a_commit("tree", key))
            self.merges[key] = built if fine else Candidate(None, conflicts=("f",))
        return self.merges[key]

    def _act(self, decision: Decision) -> bool:
        for action in decision.actions:
            if isinstance(action, StartSession):
                assert action.spec.id not in self.sessions, "a session started twice"
                self._must_hold_dependencies(action)
                self.sessions[action.spec.id] = SessionSeen(Life.ALIVE)
            elif isinstance(action, StopSession):
                self._end(action.session, Finding.STOPPED)
            elif isinstance(action, Publish):
                self._move(action.branch, action.old, action.work.head)
            elif isinstance(action, Land):
                self._move(action.ref, action.old, action.new)
            elif isinstance(action, RestoreRef):
                raise AssertionError(f"nothing was lost: {action}")
            if isinstance(action, Publish | Land | TakeOver):
                self.book.write(*action.facts)
                return True
        return bool(decision.actions)

    def _must_hold_dependencies(self, action: StartSession) -> None:
        """P7: whatever a task depends on is in the base that its session starts from."""
        for convoy in self.book.board().convoys:
            for task in convoy.tasks:
                if action.spec.engine is None or action.spec.id not in [each.id for each in task.sessions]:
                    continue
                for number in task.depends_on:
                    needed = convoy.task(number)
                    assert needed is not None
                    assert needed.status is TaskStatus.MERGED
                    assert needed.merge_commit in self.history[action.spec.base]

    def _move(self, ref: str, old: str | None, new: str) -> None:
        assert self.refs.get(ref) == old, "a push without the right old value"
        below = self.history.get(old or "", frozenset())
        self.refs[ref] = new
        self.history[new] = below | {new}

    def _progress(self) -> bool:
        """One running session comes to its end."""
        alive = sorted(name for name, view in self.sessions.items() if view.life is Life.ALIVE)
        working = [name for name in alive if self._purpose(name) == "work"]
        self.most_running = max(self.most_running, len(working))
        if not alive:
            return False
        fine = self.random.random() < self.luck
        self._end(self.random.choice(alive), Finding.DONE if fine else self.random.choice(FAILURES))
        return True

    def _end(self, name: str, finding: Finding) -> None:
        head = a_commit("head", name) if self._purpose(name) == "work" else None
        result = SessionResult(name, finding, 0, 1, 2, error=str(finding), head=head)
        self.sessions[name] = SessionSeen(Life.ENDED, result=result)

    def _purpose(self, name: str) -> str:
        return next(
            each.started.purpose
            for convoy in self.book.board().convoys
            for each in convoy.all_sessions
            if each.id == name
        )
