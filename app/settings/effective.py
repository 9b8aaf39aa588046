"""A repository's wishes under the operator's limits: the smaller of the two, and what was lowered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from app.config import Budget, Config, Lowered, format_duration
from app.errors import ConfigError
from app.settings.values import Settings

__all__ = ["effective"]

Number = TypeVar("Number", int, float)


def effective(config: Config, settings: Settings) -> Config:
    """What a run goes by. `lowered` tells of each value that the operator's limits made smaller.

    Raises `ConfigError` when the repository chooses an engine that the operator does not allow.
    """
    _refuse_engines(config, settings)
    limits, swarm, lower = settings.limits, config.swarm, _Lowering()
    lowered_swarm = replace(
        swarm,
        max_polecats=lower.number("swarm.max_polecats", swarm.max_polecats, limits.max_polecats),
        session_timeout_ms=lower.time(
            "swarm.session_timeout", swarm.session_timeout_ms, limits.session_timeout_ms
        ),
        idle_timeout_ms=lower.time("swarm.idle_timeout", swarm.idle_timeout_ms, limits.idle_timeout_ms),
        attempts=lower.number("swarm.attempts", swarm.attempts, limits.attempts),
    )
    mayor = replace(
        config.mayor, max_tasks=lower.number("mayor.max_tasks", config.mayor.max_tasks, limits.max_tasks)
    )
    budget = _budget(config.budget, settings, lower)
    return replace(config, swarm=lowered_swarm, mayor=mayor, budget=budget, lowered=tuple(lower.notes))


def _budget(asked: Budget, settings: Settings, lower: _Lowering) -> Budget:
    """A session's cap is reserved when it starts, so it must fit into the convoy's and the day's."""
    limits = settings.limits
    convoy = lower.money("budget.convoy_usd", asked.convoy_usd, limits.convoy_usd)
    day = lower.money("budget.day_usd", asked.day_usd, limits.day_usd)
    caps = [cap for cap in (limits.session_usd, convoy, day) if cap is not None]
    capped = asked.session_usd is not None or limits.session_usd is not None
    fits = min(caps) if caps and capped else None
    return Budget(convoy, lower.money("budget.session_usd", asked.session_usd, fits), day)


class _Lowering:
    """Takes minima and remembers which were less than asked."""

    def __init__(self) -> None:
        self.notes: list[Lowered] = []

    def number(self, key: str, asked: int, most: int | None) -> int:
        return self._least(key, asked, most, show=str)

    def time(self, key: str, asked: int, most: int | None) -> int:
        return self._least(key, asked, most, show=format_duration)

    def money(self, key: str, asked: float | None, most: float | None) -> float | None:
        if asked is None and most is not None:
            self.notes.append(Lowered(key, "no limit", f"{most:g}"))
            return most
        return None if asked is None else self._least(key, asked, most, show="{:g}".format)

    def _least(
        self, key: str, asked: Number, most: Number | None, *, show: Callable[[Number], str]
    ) -> Number:
        if most is None or asked <= most:
            return asked
        self.notes.append(Lowered(key, show(asked), show(most)))
        return most


def _refuse_engines(config: Config, settings: Settings) -> None:
    chosen = {f"engine.{kind}.type": choice.type for kind, choice in config.engines}
    if config.mayor.engine:
        chosen["mayor.engine"] = config.planner_engine().type
    implied = "engine.default.type" not in chosen
    chosen.setdefault("engine.default.type", config.engine_for("default").type)
    for key, engine in chosen.items():
        if engine in settings.allow_engines:
            continue
        said = "is not set and then is" if implied and key == "engine.default.type" else "is"
        allowed = ", ".join(settings.allow_engines)
        raise ConfigError(
            f'`{key}` {said} "{engine}", which is not allowed here',
            place=config.place,
            remedy=f"choose one of {allowed}; allow_engines in {settings.place} says which",
        )
