"""The parsing edge of `.brat/config.toml`: one model per table; the only list of its keys."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from app.config.fields import Duration, EngineName, Glob, Kind, Line, ModelName, RemoteName, Table, Text, Usd
from app.config.freezing import FreezeTable
from app.config.names import PROTECTED
from app.config.values import AgentCi, Approval, Detail, LandBy, Planner, Strategy, Target, Update

__all__ = [
    "BudgetTable",
    "CheckTable",
    "EngineTable",
    "InterventionsTable",
    "LogTable",
    "MayorTable",
    "RefineryTable",
    "RepositoryFile",
    "SwarmTable",
]


class EngineTable(Table):
    """`[engine.<kind>]`: the engine for one kind of work."""

    type: EngineName = Field(description="The engine that does this kind of work.")
    model: ModelName | None = Field(
        default=None, description="The model it is asked to use; without it the operator's or the engine's."
    )


class MayorTable(Table):
    """`[mayor]`: how a request becomes a plan."""

    planner: Planner = Field(
        default="auto",
        description="Who plans; `auto` takes a checklist where the request has `- [ ]`, else the engine.",
    )
    approval: Approval = Field(
        default="auto",
        description="`required`: nothing runs before a person approves the plan. `auto` asks for it only on "
        "GitHub, where others than writers can open issues.",
    )
    max_tasks: int = Field(default=24, ge=1, le=500, description="A plan with more tasks is refused.")
    engine: Text | None = Field(
        default=None,
        description="The engine that plans: an engine's name, or a kind that has an `[engine.<kind>]` table.",
    )
    label: Line = Field(
        default="brat", max_length=50, description="On GitHub: the label that starts a convoy."
    )
    allow_bots: list[Annotated[int, Field(ge=1)]] = Field(
        default_factory=list,
        description="On GitHub: account ids of bots whose labels, commands and reviews count.",
    )


class SwarmTable(Table):
    """`[swarm]`: the sessions that do the work."""

    max_polecats: int = Field(default=4, ge=1, le=256, description="Sessions that run at the same time.")
    session_timeout: Duration = Field(
        default="30m", validate_default=True, description="A session that runs longer is ended."
    )
    idle_timeout: Duration = Field(
        default="10m",
        validate_default=True,
        description="A session whose engine prints nothing for so long is ended.",
    )
    attempts: int = Field(
        default=3, ge=1, le=20, description="Sessions per task before it is blocked for a person."
    )


class CheckTable(Table):
    """`[[refinery.check]]`: a command that must exit 0 on exactly the tree that lands."""

    name: Line = Field(description="What status and reports call it; each name once.", max_length=60)
    run: Text = Field(description="A shell command, run in the sandbox without keys.")
    timeout: Duration = Field(
        default="10m", validate_default=True, description="A check that runs longer is red."
    )


class RefineryTable(Table):
    """`[refinery]`: how finished work lands."""

    strategy: Strategy = Field(
        default="rebase", description="How a task's branch becomes part of the target."
    )
    require_ci: bool = Field(
        default=False,
        description="`true`: a run without any check says so at its start; configured checks always count. "
        "On GitHub: where no check is required, all of a head must be complete and green.",
    )
    target: Target = Field(
        default="base",
        description="Land on the base branch, or gather on `convoy/<slug>/main` and leave the base alone.",
    )
    merge_retry_limit: int = Field(
        default=2,
        ge=0,
        le=20,
        description="Follow-up sessions after a conflict or a red check before a person is asked.",
    )
    check: list[CheckTable] = Field(default_factory=list, description="Checks on a plain repository.")
    protected: list[Glob] = Field(
        default=list(PROTECTED),
        description="Globs whose change waits for a person; replaces the default list.",
    )
    required_checks: list[Line] = Field(
        default_factory=list,
        description="On GitHub: checks that must be green, beside those that the branch's rules require.",
    )
    agent_ci: AgentCi = Field(
        default="ask",
        description="On GitHub: `ask` waits for `/brat release` before a push whose workflows have secrets "
        "or a writing token in reach of agent code; `allow` pushes.",
    )
    land: LandBy = Field(
        default="api",
        description="On GitHub: merge pull requests through the API, or push the tested commit as a "
        "fast-forward together with the log.",
    )
    update: Update = Field(
        default="auto",
        description="On GitHub: whether the base is merged into a branch that must contain it and does not.",
    )
    approvals: Annotated[int, Field(ge=0, le=10)] | Literal["rules"] = Field(
        default="rules",
        description="On GitHub: approvals by people who may write; the branch's rules can ask for more.",
    )
    max_lines: int | None = Field(
        default=None, ge=1, description="On GitHub: a larger pull request waits for a person."
    )
    blocker_labels: list[Line] = Field(
        default_factory=list, description="On GitHub: labels of issue or pull request that stop landing."
    )
    settle: Duration = Field(
        default="1m",
        validate_default=True,
        description="On GitHub: with `require_ci`, how long a head must be without news of a check.",
    )
    silent_after: Duration = Field(
        default="10m",
        validate_default=True,
        description="On GitHub: a check that has not reported for so long is called missing.",
    )
    freeze: list[FreezeTable] = Field(
        default_factory=list, description="Times in which nothing lands on GitHub."
    )


class InterventionsTable(Table):
    """`[interventions]`: when status points at something as needing a person."""

    stale_session: Duration = Field(
        default="5m", validate_default=True, description="A session that shows no progress for so long."
    )
    blocked_task: Duration = Field(
        default="24h", validate_default=True, description="A task that is blocked for so long."
    )


class BudgetTable(Table):
    """`[budget]`: spending caps; an engine whose spending cannot be metered is then refused at the start."""

    convoy_usd: Usd | None = Field(default=None, description="For one convoy.")
    session_usd: Usd | None = Field(
        default=None, description="For one session; at most the convoy's and the day's."
    )
    day_usd: Usd | None = Field(
        default=None, description="For all convoys of this repository in one day (UTC)."
    )


class LogTable(Table):
    """`[log]`: where the event log goes and what it tells."""

    remote: RemoteName | None = Field(
        default=None, description="Git remote that base, branches and log are pushed to after every landing."
    )
    detail: Detail = Field(
        default="auto",
        description="`minimal` keeps output out of the log; `auto` does so in public repositories on GitHub.",
    )


class RepositoryFile(Table):
    """`.brat/config.toml`: what shall happen in this repository. Read from the base branch only."""

    engine: dict[Kind, EngineTable] = Field(
        default_factory=dict,
        description="Engine per kind of work (default, code, tests, docs, refactor, or any word of yours).",
    )
    mayor: MayorTable = Field(default_factory=MayorTable, description="How a request becomes a plan.")
    swarm: SwarmTable = Field(default_factory=SwarmTable, description="The sessions that do the work.")
    refinery: RefineryTable = Field(default_factory=RefineryTable, description="How finished work lands.")
    interventions: InterventionsTable = Field(
        default_factory=InterventionsTable, description="When status points at something as needing a person."
    )
    budget: BudgetTable = Field(default_factory=BudgetTable, description="Spending caps in USD.")
    log: LogTable = Field(default_factory=LogTable, description="Where the event log goes and what it tells.")
