"""What a repository asks for, as frozen values: durations in milliseconds, money in USD."""

from __future__ import annotations

from dataclasses import field
from typing import Literal, get_args

from app.config.freezing import Freeze
from app.config.names import DEFAULT_ENGINE, ENGINES, PROTECTED
from app.ports import CheckSpec
from app.values import dataclass

__all__ = [
    "STRATEGIES",
    "AgentCi",
    "Approval",
    "Approvals",
    "Budget",
    "Config",
    "Detail",
    "EngineChoice",
    "Interventions",
    "LandBy",
    "LogPolicy",
    "Lowered",
    "MayorPolicy",
    "Planner",
    "RefineryPolicy",
    "Strategy",
    "SwarmPolicy",
    "Target",
    "Update",
]

Planner = Literal["auto", "engine", "checklist", "workflow"]
Approval = Literal["auto", "required"]
Strategy = Literal["rebase", "squash", "merge"]
STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)
Target = Literal["base", "convoy"]
Detail = Literal["auto", "full", "minimal"]
"""`auto` is `minimal` where everybody can read the log: in a public repository on a code host."""
AgentCi = Literal["ask", "allow"]
LandBy = Literal["api", "push"]
Update = Literal["auto", "never"]
Approvals = int | Literal["rules"]


@dataclass(frozen=True, slots=True)
class EngineChoice:
    """Which engine does a kind of work; `model` None leaves the model to the operator and the engine."""

    type: str
    model: str | None = None


@dataclass(frozen=True, slots=True)
class MayorPolicy:
    """How plans are made. `engine` is an engine type or a kind of work.

    `label` starts a convoy on GitHub; `allow_bots` are account ids of bots that may ask like a writer.
    """

    planner: Planner = "auto"
    approval: Approval = "auto"
    max_tasks: int = 24
    engine: str | None = None
    label: str = "brat"
    allow_bots: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SwarmPolicy:
    """How sessions run: at most `max_polecats` at once, each with its limits, `attempts` per task."""

    max_polecats: int = 4
    session_timeout_ms: int = 1_800_000
    idle_timeout_ms: int = 600_000
    attempts: int = 3


@dataclass(frozen=True, slots=True)
class RefineryPolicy:
    """How work lands. `protected` are gitignore-style globs whose change waits for a person.

    From `required_checks` on all act on GitHub only: `approvals` "rules" asks for as many as the branch's
    own rules, `settle_ms` is how long checks must be quiet, `silent_after_ms` when none is called missing.
    """

    strategy: Strategy = "rebase"
    require_ci: bool = False
    target: Target = "base"
    merge_retry_limit: int = 2
    checks: tuple[CheckSpec, ...] = ()
    protected: tuple[str, ...] = PROTECTED
    required_checks: tuple[str, ...] = ()
    agent_ci: AgentCi = "ask"
    land: LandBy = "api"
    update: Update = "auto"
    approvals: Approvals = "rules"
    max_lines: int | None = None
    blocker_labels: tuple[str, ...] = ()
    settle_ms: int = 60_000
    silent_after_ms: int = 600_000
    freeze: tuple[Freeze, ...] = ()


@dataclass(frozen=True, slots=True)
class Interventions:
    """After which time something waiting is shown as needing a person."""

    stale_session_ms: int = 300_000
    blocked_task_ms: int = 86_400_000


@dataclass(frozen=True, slots=True)
class Budget:
    """Spending caps in USD for one convoy, one session, and one day of this repository."""

    convoy_usd: float | None = None
    session_usd: float | None = None
    day_usd: float | None = None


@dataclass(frozen=True, slots=True)
class LogPolicy:
    """`remote` is the name of a git remote that base, branches and log are pushed to."""

    remote: str | None = None
    detail: Detail = "auto"


@dataclass(frozen=True, slots=True)
class Lowered:
    """A value that the operator's limits made smaller; both values as they are written in a file."""

    key: str
    asked: str
    given: str

    def __str__(self) -> str:
        return f"{self.key}: {self.asked} → {self.given} (the operator's limit)"


@dataclass(frozen=True, slots=True)
class Config:
    """`.brat/config.toml`, whole. `place` names the file; `lowered` is filled by the operator's limits."""

    engines: tuple[tuple[str, EngineChoice], ...] = ()
    mayor: MayorPolicy = field(default_factory=MayorPolicy)
    swarm: SwarmPolicy = field(default_factory=SwarmPolicy)
    refinery: RefineryPolicy = field(default_factory=RefineryPolicy)
    interventions: Interventions = field(default_factory=Interventions)
    budget: Budget = field(default_factory=Budget)
    log: LogPolicy = field(default_factory=LogPolicy)
    place: str = ".brat/config.toml"
    lowered: tuple[Lowered, ...] = ()

    def engine_for(self, kind: str) -> EngineChoice:
        """The choice for a kind of work: its own table, else `[engine.default]`, else Claude Code."""
        choices = dict(self.engines)
        return choices.get(kind) or choices.get("default") or EngineChoice(DEFAULT_ENGINE)

    def engine_named(self, name: str, *, kind: str = "default") -> EngineChoice | None:
        """The choice by engine type (with the model that the tables give it) or by kind; None: neither."""
        if name in ENGINES:
            likely = (self.engine_for(kind), *(choice for _, choice in self.engines))
            return next((each for each in likely if each.type == name), EngineChoice(name))
        return dict(self.engines).get(name)

    def planner_engine(self) -> EngineChoice:
        """Who writes plans: `[mayor] engine`, else the default."""
        named = self.engine_named(self.mayor.engine) if self.mayor.engine else None
        return named or self.engine_for("default")
