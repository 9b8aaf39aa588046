"""The parsing edge of the operator's file: one model per table; the only list of its keys."""

from __future__ import annotations

from pydantic import Field

from app.config import Duration, EngineName, ModelName, Size, Table, Usd
from app.settings.fields import AbsolutePath, BaseUrl, Command, VariableName
from app.settings.values import Isolation, Network

__all__ = ["EngineTable", "LimitsTable", "OperatorFile", "SandboxTable"]


class EngineTable(Table):
    """`[engines.<engine>]`: how one engine is run on this machine."""

    base_url: BaseUrl | None = Field(default=None, description="Where the engine's requests are sent.")
    key_env: VariableName | None = Field(
        default=None,
        description="Environment variable that holds the key; the key itself is never in a file.",
    )
    command: Command | None = Field(
        default=None,
        description="The executable, with first arguments if need be; for `shell` the agent itself.",
    )
    args: list[str] = Field(default=[], description="Arguments added to every call.")
    model: ModelName | None = Field(default=None, description="The model where the repository names none.")
    input_usd_per_mtok: Usd | None = Field(
        default=None, description="Price per million input tokens; meters an engine that prints no cost."
    )
    output_usd_per_mtok: Usd | None = Field(default=None, description="Price per million output tokens.")


class SandboxTable(Table):
    """`[sandbox]`: what holds a session."""

    isolation: Isolation = Field(
        default="auto", description="`auto` is bubblewrap where it works; `process` is no sandbox and unsafe."
    )
    network: Network = Field(
        default="none", description="Network of acceptance commands and checks; `host` gives them all of it."
    )
    read_only: list[AbsolutePath] = Field(
        default=[], description="Extra paths of this machine visible inside."
    )
    path: list[AbsolutePath] = Field(
        default=[], description="Extra entries of PATH inside, before the usual ones."
    )


class LimitsTable(Table):
    """`[limits]`: what a repository can only stay under."""

    max_polecats: int | None = Field(default=None, ge=1, le=256, description="Sessions at the same time.")
    session_timeout: Duration | None = Field(default=None, description="Longest session.")
    idle_timeout: Duration | None = Field(default=None, description="Longest silence of an engine.")
    attempts: int | None = Field(default=None, ge=1, le=20, description="Sessions per task.")
    max_tasks: int | None = Field(default=None, ge=1, le=500, description="Tasks of a plan.")
    convoy_usd: Usd | None = Field(default=None, description="Spending of one convoy.")
    session_usd: Usd | None = Field(default=None, description="Spending of one session.")
    day_usd: Usd | None = Field(default=None, description="Spending of one repository in one day (UTC).")
    output: Size = Field(
        default="64MB", validate_default=True, description="Output of one session; a KB is 1024 bytes."
    )


class OperatorFile(Table):
    """The operator's file: with what and how far repositories are worked on from this machine."""

    allow_engines: list[EngineName] | None = Field(
        default=None,
        min_length=1,
        description="Engines that repositories may choose; without it all that run.",
    )
    secrets: list[VariableName] = Field(
        default=[],
        description="More environment variables whose values stay out of logs; those of `key_env` do anyway.",
    )
    engines: dict[EngineName, EngineTable] = Field(
        default_factory=dict, description="How each engine is run on this machine."
    )
    sandbox: SandboxTable = Field(default_factory=SandboxTable, description="What holds a session.")
    limits: LimitsTable = Field(
        default_factory=LimitsTable, description="What a repository can only stay under."
    )
