"""One pass: read the log, look, decide, write what was decided, act.

Every pass may be the first after a crash.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from types import MappingProxyType

from app import mayor, refinery, witness
from app.board import Board, Look, Projection, Trust, record, repairs
from app.config import Config
from app.control.acting import Actor, Refusal
from app.control.deciding import ROLES, decide
from app.errors import Defect, Moved
from app.grite import Draft, Log
from app.ports import (
    Clock,
    Decision,
    Dispatch,
    Fact,
    Forge,
    HubSeen,
    HubWanted,
    Seen,
    Setting,
    Verdict,
    Wanted,
)
from app.values import dataclass

__all__ = ["Pass", "Reconciler", "newest"]

ROUNDS = 12
"""Facts follow from facts a few times (ended, requeued, started);

More rounds would be a rule that circles.
"""


@dataclass(frozen=True, slots=True)
class Pass:
    """What one pass saw and did. `changed`: look again at once.

    `facts` are those that this pass and no other wrote, `acts` each action's name and end.
    """

    board: Board
    seen: Seen
    config: Config
    verdicts: tuple[Verdict, ...]
    refusals: tuple[Refusal, ...] = ()
    changed: bool = False
    acts: tuple[tuple[str, str], ...] = ()
    facts: tuple[Fact, ...] = ()


@dataclass(slots=True)
class Reconciler:
    """The loop's body over one repository. `setting` is asked anew for each look."""

    log: Log
    forge: Forge
    dispatch: Dispatch
    trusted: Trust
    config: Callable[[Board], Config]
    setting: Callable[[], Setting]
    clock: Clock
    roles: frozenset[str] = ROLES
    pause: Callable[[float], None] = time.sleep
    _board: Board | None = field(default=None, init=False)
    _projection: Projection | None = field(default=None, init=False)
    _acting: Actor | None = field(default=None, init=False)
    _glimpse: tuple[HubWanted, HubSeen] | None = field(default=None, init=False)

    def board(self) -> Board:
        """The board of the log as it is now; folded again only when the log has grown."""
        history = self.log.read()
        if self._board is None or self._board.head != history.head:
            self._projection = self._projection or Projection(self.trusted)
            self._board = self._projection.advance(history.events, history.head)
        return self._board

    def run(self) -> Pass:
        """One pass. Raises nothing for what a later pass can mend; the rest is an error for a person."""
        self.forge.refresh()
        self._glimpse = None
        healed = self._heal()
        wrote, facts = False, tuple[Fact, ...]()
        for _ in range(ROUNDS):
            board = self.board()
            config = self.config(board)
            seen = self._see(board, config)
            decision = self._decide(board, seen, config)
            drafts = (*repairs(board), *record(board, decision.facts, now=self.clock()))
            if not drafts:
                done = Pass(board, seen, config, decision.verdicts, healed, changed=wrote, facts=facts)
                return self._act(done, decision)
            if self._append(board, drafts):
                wrote, facts = True, (*facts, *decision.facts)
        return Pass(board, seen, config, decision.verdicts, healed, changed=True, facts=facts)

    def _heal(self) -> tuple[Refusal, ...]:
        """Nothing is decided on a log that somebody set back: what it lost is appended again, and told."""
        rewound = self.log.read().rewound
        if rewound is None:
            return ()
        self.log.append_events(())
        told = f"refs/grite/wal had lost {len(rewound.lost)} events, which are in it again"
        return (Refusal("A log that was set back", told, "git reflog refs/grite/wal"),)

    def look(self) -> Pass:
        """A pass that only looks: what would be decided stays undone."""
        board = self.board()
        config = self.config(board)
        seen = self._see(board, config)
        return Pass(board, seen, config, self._decide(board, seen, config).verdicts)

    def _append(self, board: Board, drafts: tuple[Draft, ...]) -> bool:
        """Only the winner of the swap goes on; a loser reads and decides again."""
        try:
            self.log.append(drafts, expected=board.head)
        except Moved:
            return False
        return True

    def _see(self, board: Board, config: Config) -> Seen:
        first = witness.wanted(board)
        sessions = self.dispatch.look(tuple(dict.fromkeys((*first.sessions, *mayor.wanted(board).sessions))))
        refs = (*refinery.refs_wanted(board), *_base_refs(self.setting()))
        glance = self.forge.observe(Wanted(refs=refs))
        hub = self._hub(board, config, glance.refs)
        second = refinery.wanted(board, sessions, glance.refs, hub=hub)
        wanted = replace(
            second,
            refs=tuple(dict.fromkeys((*first.refs, *refs, *self._ended(board)))),
            contains=tuple(dict.fromkeys((*first.contains, *second.contains))),
            checkouts=tuple(dict.fromkeys(second.checkouts)),
            folders=_folders(hub),
            protected=config.refinery.protected,
        )
        seen = self.forge.observe(wanted)
        actor = self._actor()
        seen = replace(seen, sessions=sessions, hub=hub)
        refused, unsure = MappingProxyType(dict(actor.refused)), MappingProxyType(dict(actor.unsure))
        return replace(seen, refused=refused, unsure=unsure)

    def _ended(self, board: Board) -> tuple[str, ...]:
        """Branches of convoys that are over and have not been put away."""
        setting = self.setting()
        if not setting.hosted:
            return ()
        from app import desk

        return desk.refs_wanted(board, now=setting.now)

    def _hub(self, board: Board, config: Config, refs: Mapping[str, str]) -> HubSeen | None:
        """The code host, looked at once per pass: again only for what a later round wants beside it."""
        setting = self.setting()
        if not setting.hosted:
            return None
        # A plain repository has no desk, and no command on it pays for one.
        from app import desk
        from app.control.hosting import both, covers

        wanted = both(desk.wanted(board, setting, config), refinery.hub_wanted(board, refs))
        if self._glimpse is None or not covers(self._glimpse[0], wanted):
            self._glimpse = wanted, self._looked(wanted)
        # A command may be about an issue that nobody has looked at yet.
        more = both(wanted, desk.wanted(board, setting, config, glance=self._glimpse[1]))
        if not covers(self._glimpse[0], more):
            self._glimpse = more, self._looked(more)
        return self._glimpse[1]

    def _looked(self, wanted: HubWanted) -> HubSeen:
        seen = self.forge.observe(Wanted(hub=wanted)).hub
        if seen is None:
            raise Defect("the forge of a code host showed no code host", place="control")
        return seen

    def _actor(self) -> Actor:
        """One for the life of the process: it remembers what was refused."""
        if self._acting is None:
            self._acting = Actor(self.log, self.forge, self.dispatch, clock=self.clock, pause=self.pause)
        return self._acting

    def _decide(self, board: Board, seen: Seen, config: Config) -> Decision:
        return decide(Look(board, seen, config, self.setting()), roles=self.roles)

    def _act(self, done: Pass, decision: Decision) -> Pass:
        actor = self._actor()
        refusals = (*done.refusals, *actor.act(done.board, done.seen, decision.actions))
        changed, facts = done.changed or actor.moved, (*done.facts, *actor.facts)
        return replace(done, refusals=refusals, changed=changed, acts=tuple(actor.acts), facts=facts)


def _base_refs(setting: Setting) -> tuple[str, ...]:
    """Where a request on a code host would start from, and the name that leaves it no room."""
    return (f"refs/heads/{setting.base}", "refs/heads/convoy") if setting.hosted else ()


def newest(verdicts: Iterable[Verdict]) -> dict[str, Verdict]:
    """One verdict per subject; the first role that gave one is asked."""
    found: dict[str, Verdict] = {}
    for verdict in verdicts:
        found.setdefault(verdict.subject, verdict)
    return found


def _folders(hub: HubSeen | None) -> tuple[str, ...]:
    """Where a new convoy's branches would be, while somebody may be asking for one.

    Branches may be there that this log knows nothing of: of another clone, or of a log that was deleted.
    """
    asked = hub is not None and (hub.triggered or any(not each.author.ours for each in hub.comments))
    return ("refs/heads/convoy/",) if asked else ()
