"""What the operator lends to repositories, as frozen values: durations in milliseconds."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from app.config import ENGINES
from app.values import dataclass

__all__ = ["EngineSettings", "Isolation", "Network", "SandboxSettings", "Settings", "UpperLimits"]

Isolation = Literal["auto", "bwrap", "process"]
Network = Literal["none", "host"]


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """How one engine is run. `key_env` names an environment variable; prices are USD per million tokens."""

    type: str
    base_url: str | None = None
    key_env: str | None = None
    command: tuple[str, ...] = ()
    args: tuple[str, ...] = ()
    model: str | None = None
    input_usd_per_mtok: float | None = None
    output_usd_per_mtok: float | None = None


@dataclass(frozen=True, slots=True)
class SandboxSettings:
    """`auto` is bubblewrap where it works; `process` is no sandbox at all and therefore unsafe."""

    isolation: Isolation = "auto"
    network: Network = "none"
    read_only: tuple[str, ...] = ()
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UpperLimits:
    """What a repository can only stay under."""

    max_polecats: int | None = None
    session_timeout_ms: int | None = None
    idle_timeout_ms: int | None = None
    attempts: int | None = None
    max_tasks: int | None = None
    convoy_usd: float | None = None
    session_usd: float | None = None
    day_usd: float | None = None
    output_bytes: int = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything from the environment and the operator's file.

    `secrets` name environment variables whose values are
    kept out of logs and events, as those of all `key_env` are. `place` names the file in messages.
    """

    place: str
    color: bool = True
    engines: tuple[EngineSettings, ...] = ()
    sandbox: SandboxSettings = field(default_factory=SandboxSettings)
    limits: UpperLimits = field(default_factory=UpperLimits)
    allow_engines: tuple[str, ...] = ENGINES
    secrets: tuple[str, ...] = ()

    def engine(self, type: str) -> EngineSettings:
        """The settings of an engine; an unmentioned one has defaults only."""
        return next((each for each in self.engines if each.type == type), EngineSettings(type))
