"""What a role answers after one look, and what it is told beside the board."""

from __future__ import annotations

from app.ports.action import Action
from app.ports.facts import Fact
from app.ports.verdict import Verdict
from app.values import dataclass

__all__ = ["Decision", "Setting"]


@dataclass(frozen=True, slots=True)
class Setting:
    """Where and when a decision is made.

    `me` is the deciding actor, `repository` the mirror that sessions borrow objects from, `now` in ms.
    Without `start` no new session begins (shutting down). `take_over` allows the final fast-forward of a
    base that is checked out. `minimal` keeps output tails out of the log. `allow_engines` are the
    operator's. `process` names this process among those that act as `me`; `hosted`: on a code
    host, where `base` is the branch that new requests start from. `config_problem` is what is wrong with
    the newest settings there, while older ones count. `keyless` are engines that cannot be used here, each
    with the environment variable that should hold its key.
    """

    me: str
    repository: str
    now: int
    start: bool = True
    take_over: bool = True
    isolation: str = "bwrap"
    minimal: bool = False
    allow_engines: tuple[str, ...] = ()
    process: str = ""
    hosted: bool = False
    base: str = ""
    config_problem: str = ""
    keyless: tuple[tuple[str, str], ...] = ()

    def without_key(self, engine: str) -> str:
        """Why no session of this engine can run here; empty: one can."""
        variable = dict(self.keyless).get(engine)
        told = f"or another name in key_env of [engines.{engine}]"
        return f"{engine} has no key here: the operator sets {variable}, {told}" if variable else ""


@dataclass(frozen=True, slots=True)
class Decision:
    """Facts for the log, actions that follow from the board as it is, and why the rest waits."""

    facts: tuple[Fact, ...] = ()
    actions: tuple[Action, ...] = ()
    verdicts: tuple[Verdict, ...] = ()

    def __add__(self, other: Decision) -> Decision:
        return Decision(
            self.facts + other.facts, self.actions + other.actions, self.verdicts + other.verdicts
        )
